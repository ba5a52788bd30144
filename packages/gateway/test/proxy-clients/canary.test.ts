import { readdirSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestCa, startEchoServer } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { openReach } from './clients-fixture.ts';
import { proxied } from './proxied.ts';

const LENT = 'canary-lent-7Q2x9LmVfd81Za';
const OWN = 'canary-own-h4Kp03TzWbYc66';

/** Every spelling in which a value could lie around. */
function spellings(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [value, bytes.toString('base64').slice(0, -2), bytes.toString('hex'), [...value].reverse().join('')];
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

describe('a secret value', () => {
  test('[CR-1] is in no log, event, error, API answer or file, whatever became of the requests that it went with', async () => {
    const ca = await createTestCa();
    await using echo = await startEchoServer({
      ca,
      // A host that repeats everything, also where it fails.
      handler(request, response, { headers }) {
        response.statusCode = request.url === '/fails' ? 500 : 200;
        response.setHeader('x-seen', String(headers.authorization));
        response.setHeader('set-cookie', `session=${LENT}`);
        response.end(JSON.stringify({ headers, url: request.url }));
        return true;
      },
    });
    await using reach = await openReach({
      ca,
      agent: '{ permissions: ["allow:*"], credentials: [main, gone] }',
      tenant: `
credentials:
  main: { kind: bearer, source: "file:main.token", hosts: [localhost] }
  gone: { kind: bearer, source: "file:gone.token", hosts: [localhost] }`,
      top: 'routes: [{ host: localhost, credential: main }]\nlog: { level: debug }',
    });
    const { gateway } = reach;
    const source = join(gateway.home, 'main.token');
    await writeFile(source, LENT, { mode: 0o600 });
    const headers = { authorization: `Bearer ${OWN}`, 'x-api-key': OWN, cookie: `s=${OWN}` };

    const answers = [
      await proxied(reach, `${echo.url}/works`, { headers }),
      await proxied(reach, `${echo.url}/fails`, { headers }),
      await proxied(reach, `${echo.url}/x`, { headers: { ...headers, 'x-creds': 'gone' } }),
      await proxied(reach, 'https://localhost:1/nobody-there', { headers }),
    ];
    const asked = proxied(reach, `${echo.url}/write`, { headers, body: 'a write' });
    const question = await reach.question();
    await reach.decide(question, '1');
    answers.push(await asked);
    expect(answers.map(({ status }) => status)).toEqual([200, 500, 502, 502, 200]);
    // The host was given it: what is looked for below did exist.
    expect(echo.seen.filter(({ headers }) => headers.authorization === `Bearer ${LENT}`)).toHaveLength(3);

    const places: Record<string, string> = {
      'what the agent got': JSON.stringify(
        answers.map(({ headers, trailers, text }) => [headers, trailers, text]),
      ),
      'the question': JSON.stringify(question),
      'the log': gateway.log.join('\n'),
    };
    await reach.eventsOnce('ProxyEvent::RequestAllowed', 5);
    for (const path of [
      '/v1/audit/events?limit=200',
      '/v1/approvals',
      '/v1/credentials',
      '/v1/sessions',
      '/metrics',
    ])
      places[path] = (await gateway.operator(path)).text;
    places['credentials check'] = (await gateway.operator('/v1/credentials/check', { json: {} })).text;
    for (const path of filesBelow(gateway.home)) {
      if (path !== source) places[path.slice(gateway.home.length)] = readFileSync(path, 'latin1');
    }
    expect(Object.keys(places).length).toBeGreaterThan(15);
    for (const [place, text] of Object.entries(places)) {
      for (const value of [LENT, OWN]) {
        for (const spelling of spellings(value)) expect(text.includes(spelling), place).toBe(false);
      }
    }
  });

  test('[CR-1] files of the home that hold secrets are for the owner alone', async () => {
    await using reach = await openReach();
    const open = filesBelow(reach.gateway.home).filter((path) => (statSync(path).mode & 0o077) !== 0);
    const names = open.map((path) => path.slice(reach.gateway.home.length + 1));
    expect(names).toContain('ca.pem');
    for (const name of names) expect(name).toMatch(/^ca\.pem$/);
  });
});
