import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApprovalDetail } from '@sallyport/protocol';
import { createTestCa, type EchoServer, startEchoServer, waitFor } from '@sallyport/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { configOf, openReach, type Reach, type ReachOptions } from './clients-fixture.ts';
import { proxied } from './proxied.ts';

const MAIN = 'value-of-main-4f0a7c19';
const SPARE = 'value-of-spare-8be2d613';

describe('credentials, through a whole gateway', () => {
  let reach: Reach;
  let lent: EchoServer;
  let elsewhere: EchoServer;
  let url = '';
  let otherUrl = '';
  let options: ReachOptions;

  beforeAll(async () => {
    const ca = await createTestCa();
    lent = await startEchoServer({ ca });
    elsewhere = await startEchoServer({ ca });
    url = lent.url;
    otherUrl = `https://127.0.0.1:${elsewhere.port}`;
    options = {
      ca,
      env: { SPARE },
      agent: `{ permissions: ["allow:*"], credentials: [main, spare] }
  stranger: { permissions: ["allow:*"] }`,
      tenant: `
credentials:
  main: { kind: bearer, source: "file:main.token", hosts: [localhost] }
  spare: { kind: bearer, source: "env:SPARE", hosts: [localhost] }
  nobodys: { kind: bearer, source: "env:SPARE", hosts: [localhost] }`,
      top: `routes: [{ host: localhost, path: "/routed/**", credential: main }]`,
    };
    reach = await openReach(options);
    await writeFile(join(reach.gateway.home, 'main.token'), MAIN, { mode: 0o600 });
  });
  afterAll(async () => {
    await reach[Symbol.asyncDispose]();
    await Promise.all([lent.close(), elsewhere.close()]);
  });
  beforeEach(() => {
    lent.seen.length = 0;
    elsewhere.seen.length = 0;
  });

  test.each([
    ['a host with a route', () => `${url}/routed/x`, `Bearer ${MAIN}`],
    ['a host without one', () => `${otherUrl}/x`, undefined],
  ])("[CR-3] an agent's own auth does not reach %s", async (_why, to, authorization) => {
    const own = 'own-secret-of-the-agent';
    const names = ['authorization', 'x-api-key', 'private-token', 'x-goog-api-key', 'x-hidden', 'proxy-x'];
    const headers = Object.fromEntries(names.map((name) => [name, `Bearer ${own}`]));
    const answer = await proxied(reach, to(), {
      headers: { ...headers, connection: 'x-hidden', 'x-kept': 'yes' },
    });
    expect(answer.status).toBe(200);
    const [seen] = [...lent.seen, ...elsewhere.seen];
    expect(seen?.headers.authorization).toBe(authorization);
    expect(seen?.headers['x-kept']).toBe('yes');
    expect(JSON.stringify(seen)).not.toContain(own);
    expect(JSON.stringify(seen)).not.toContain(reach.token);
  });

  test('[CR-7] a placeholder works on the host of its credential, and is refused everywhere else', async () => {
    const made = await reach.gateway.operator('/v1/tokens', {
      json: { agent: 'dev', credentials: ['main'], ttl: 600 },
    });
    const { token, placeholders } = made.json<{ token: string; placeholders: Record<string, string> }>();
    const headers = { 'x-api-key': placeholders.main ?? '' };
    expect((await proxied(reach, `${url}/free`, { headers, token })).status).toBe(200);
    expect(lent.seen[0]?.headers['x-api-key']).toBe(MAIN);
    const attempts = [
      { why: 'another host', to: `${otherUrl}/x`, token },
      { why: 'another session', to: `${url}/free`, token: reach.token },
    ];
    for (const { why, to, token } of attempts) {
      const answer = await proxied(reach, to, { headers, token });
      expect(answer.status, why).toBe(403);
      expect(answer.error, why).toMatchObject({ code: 'CredentialNotAllowed' });
    }
    expect([lent.seen.length, elsewhere.seen.length]).toEqual([1, 0]);
    const blocked = await reach.eventsOnce('ProxyEvent::RequestBlocked', 2);
    expect(blocked.map(({ data }) => data.host).sort()).toEqual(['127.0.0.1', 'localhost']);
  });

  test('[CR-5] what one agent may use, another may not: by route, by selector, by placeholder', async () => {
    const { session_token: token } = await reach.gateway.openSession('stranger');
    const made = await reach.gateway.operator('/v1/tokens', {
      json: { agent: 'dev', credentials: ['main'], ttl: 600 },
    });
    const { main = '' } = made.json<{ placeholders: Record<string, string> }>().placeholders;
    for (const [path, headers] of [
      ['/routed/x', {}],
      ['/free', { 'x-creds': 'main' }],
      ['/free', { 'x-creds': 'spare' }],
      ['/free', { authorization: `Bearer ${main}` }],
    ] as const) {
      const answer = await proxied(reach, `${url}${path}`, { token, headers: { ...headers } });
      expect(answer.status).toBe(403);
      expect(answer.error).toMatchObject({ code: 'CredentialNotAllowed' });
    }
    expect(lent.seen).toEqual([]);
  });

  test.each([
    ['that the session has not', 'nobodys'],
    ['that does not exist', 'no-such'],
    ['that is empty', ''],
  ])('a selector %s is refused with 403', async (_why, name) => {
    const answer = await proxied(reach, `${url}/free`, { headers: { 'x-creds': name } });
    expect(answer.status).toBe(403);
    expect(lent.seen).toEqual([]);
  });

  test('two requests that differ only in the credential are two questions, with different bindings', async () => {
    const waiting = ['main', 'spare'].map((name) =>
      proxied(reach, `${url}/write`, { body: 'same', headers: { 'x-creds': name } }),
    );
    const questions = await waitFor('two questions', async () => {
      const answer = await reach.gateway.operator('/v1/approvals?status=pending');
      const { items } = answer.json<{ items: ApprovalDetail[] }>();
      expect(items).toHaveLength(2);
      return items;
    });
    expect(new Set(questions.map(({ binding }) => binding)).size).toBe(2);
    for (const question of questions) await reach.decide(question, '1');
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
    expect(lent.seen.map(({ headers }) => headers.authorization).sort()).toEqual([
      `Bearer ${MAIN}`,
      `Bearer ${SPARE}`,
    ]);
    expect(lent.seen.every(({ headers }) => headers['x-creds'] === undefined)).toBe(true);
  });

  test('[CR-6] a rotated value, a revoked token and a removed credential hold with the next request', async () => {
    expect((await proxied(reach, `${url}/routed/x`)).status).toBe(200);
    expect(lent.seen.at(-1)?.headers.authorization).toBe(`Bearer ${MAIN}`);
    await writeFile(join(reach.gateway.home, 'main.token'), 'rotated-91d3', { mode: 0o600 });
    expect((await proxied(reach, `${url}/routed/x`)).status).toBe(200);
    expect(lent.seen.at(-1)?.headers.authorization).toBe('Bearer rotated-91d3');

    const made = await reach.gateway.operator('/v1/tokens', {
      json: { agent: 'dev', credentials: ['main'], ttl: 600 },
    });
    const { id, token } = made.json<{ id: string; token: string }>();
    expect((await proxied(reach, `${url}/routed/x`, { token })).status).toBe(200);
    await reach.gateway.operator(`/v1/tokens/${id}`, { method: 'DELETE' });
    expect((await proxied(reach, `${url}/routed/x`, { token })).status).toBe(407);

    const without = { ...options, agent: '{ permissions: ["allow:*"], credentials: [spare] }' };
    await reach.gateway.writeConfig(configOf(without, join(reach.folder, 'upstream-ca.pem')));
    const seen = lent.seen.length;
    const refused = await waitFor('a refusal after the change of the config', async () => {
      const answer = await proxied(reach, `${url}/routed/x`);
      expect(answer.status).toBe(403);
      return answer;
    });
    expect(refused.error).toMatchObject({ code: 'CredentialNotAllowed' });
    expect(lent.seen.slice(seen).every(({ headers }) => headers.authorization !== undefined)).toBe(true);
  });
});
