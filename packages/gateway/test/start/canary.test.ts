import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { httpClient, rawHttp, tempDir } from '@sallyport/testkit';
import { afterEach, expect, test } from 'vitest';
import { endSpawned, readSecret, spawnGateway } from './spawn-gateway.ts';

afterEach(endSpawned);

/** Fifty secrets, each planted in one place; none of them may come out anywhere. */
const CANARIES = Array.from({ length: 50 }, (_, i) => `canary${i}x${randomBytes(12).toString('hex')}`);
let next = 0;
const canary = (): string => CANARIES[next++] ?? 'too-few-canaries';

const HEADERS = [
  'authorization',
  'cookie',
  'x-api-key',
  'proxy-authorization',
  'x-auth-token',
  'x-amz-security-token',
  'x-goog-api-key',
  'x-anything',
];

test('[CR-1] fifty secrets in config, environment, headers, bodies and errors come out nowhere', async () => {
  await using dir = await tempDir();
  const home = dir.path;
  const out: string[] = [];

  // Environment and config: a webhook sink's secret, a store that a variable names, a file with a secret.
  const env = { SINK_SECRET: canary(), UNUSED_TOKEN: canary(), AWS_SECRET_ACCESS_KEY: canary() };
  await writeFile(join(home, 'hook.secret'), canary(), { mode: 0o600 });
  await writeFile(
    join(home, 'sallyport.yaml'),
    `tenants: { default: { default_user: ana, default_agent: dev, users: { ana: { roles: [owner] } } } }
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents: { dev: { description: "\${UNUSED_TOKEN:-none}" } }
audit:
  level: full
  sinks:
    - { kind: webhook, url: "http://127.0.0.1:9/a", secret: "env:SINK_SECRET" }
    - { kind: webhook, url: "http://127.0.0.1:9/b", secret: "file:hook.secret" }
`,
    { mode: 0o600 },
  );

  const gateway = spawnGateway({ home, env });
  const ports = await gateway.started;
  if (ports === undefined) throw new Error(`did not start: ${(await gateway.ended).stderr}`);
  const agent = httpClient({ url: `http://127.0.0.1:${ports.api}` });
  const operator = httpClient({ url: `http://127.0.0.1:${ports.operator}` });
  const token = await readSecret(home, 'operator.token');
  const secret = await readSecret(home, 'enrollment.secret');

  // Wrong credentials of every kind, in every header that could carry one.
  for (const path of ['/session', '/session/renew', '/nope'])
    out.push((await agent(path, { token: canary() })).text);
  for (const path of ['/v1/status', '/v1/sessions', '/v1/events', '/nope'])
    out.push((await operator(path, { token: canary() })).text);
  for (const name of HEADERS)
    out.push((await agent('/session', { headers: { [name]: `Basic ${canary()}` } })).text);
  out.push((await agent('/healthz', { headers: { origin: `https://${canary()}.example` } })).text);
  out.push(
    await rawText(ports.api, `GET /${canary()} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`),
  );
  out.push(await rawText(ports.api, `GET /healthz HTTP/1.1\r\nHost: localhost\r\n${canary()} : x\r\n\r\n`));
  out.push(
    await rawText(
      ports.api,
      `${canary().toUpperCase()} / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    ),
  );

  // Bodies: wrong, misspelt, broken, too long.
  const bodies: unknown[] = [
    { tenant_id: 'default', enrollment_secret: canary() },
    { tenant_id: 'nobody', enrollment_secret: canary() },
    { tenant_id: 'default', enrollment_secret: secret, agent: 'dev', token: canary() },
    { tenant_id: 'default', enrollment_secret: canary().repeat(40) },
    { nope: canary() },
    { tenant_id: 7, enrollment_secret: [canary()] },
    canary(),
  ];
  for (const json of bodies) out.push((await agent('/session/new', { json })).text);
  for (const body of [
    `{"enrollment_secret": "${canary()}`,
    `${canary()}`,
    `{"a": ${canary()}}`,
    `\u0000${canary()}`,
  ])
    out.push(
      (await agent('/session/new', { method: 'POST', body, headers: { 'content-type': 'application/json' } }))
        .text,
    );
  out.push((await agent(`/${canary()}?token=${canary()}`)).text);
  out.push((await operator(`/v1/audit/events?nope=${canary()}`, { token })).text);
  out.push((await operator(`/v1/sessions/${canary()}`, { token })).text);
  out.push(
    (
      await operator('/v1/explain', {
        token,
        json: { form: 'http', text: `GET https://ana:${canary()}@host.example/` },
      })
    ).text,
  );

  for (const path of [
    '/v1/sessions',
    '/v1/keys',
    '/v1/enrollment',
    '/v1/audit/verify',
    '/v1/explain',
    '/v1/simulate',
  ])
    out.push(
      (
        await operator(path, {
          token,
          method: 'POST',
          body: `{"x": "${canary()}`,
          headers: { 'content-type': 'application/json' },
        })
      ).text,
    );
  for (const path of ['/v1/keys/', '/v1/grants/', '/v1/audit/events/', '/v1/sessions/'])
    out.push((await operator(`${path}${canary()}`, { token, method: 'DELETE' })).text);

  // What is in use: everything that an operator can read.
  const opened = await agent('/session/new', { json: { tenant_id: 'default', enrollment_secret: secret } });
  for (const path of [
    '/v1/status',
    '/v1/config',
    '/v1/sessions',
    '/v1/keys',
    '/v1/audit/events?limit=1000',
    '/v1/audit/export',
    '/metrics',
    '/openapi.json',
  ])
    out.push((await operator(path, { token })).text);
  const session = opened.json<{ session_token: string }>().session_token;

  // A config with a secret written in it, and one with an unset variable's neighbour.
  const good = await readFile(join(home, 'sallyport.yaml'), 'utf8');
  await writeFile(
    join(home, 'sallyport.yaml'),
    `${good}\nstore: { url: "postgres://ana:${canary()}@db.example/x" }\n`,
  );
  out.push((await operator('/v1/config/reload', { token, method: 'POST' })).text);
  await writeFile(join(home, 'sallyport.yaml'), `${good}\nwebhook_token: ghp_${canary()}\n`);
  out.push((await operator('/v1/config/reload', { token, method: 'POST' })).text);
  out.push((await operator('/v1/status', { token })).text);

  gateway.process.kill('SIGTERM');
  out.push((await gateway.ended).stderr);

  // A crash whose message holds a secret that the gateway has read.
  await writeFile(join(home, 'sallyport.yaml'), good);
  const crashed = spawnGateway({
    home,
    env,
    crash: { how: 'exception', message: `broke with ${env.SINK_SECRET} and ${session}` },
  });
  const { code, stderr } = await crashed.ended;
  expect(code).toBe(1);
  expect(stderr).toContain('crashed');
  out.push(stderr);

  const files = await filesBelow(home, ['sallyport.yaml', 'hook.secret']);
  for (const file of files) out.push(await readFile(file, 'latin1'));
  expect(files.some((file) => file.endsWith('.jsonl'))).toBe(true);

  expect(next).toBeGreaterThanOrEqual(CANARIES.length);
  const everything = out.join('\n').toLowerCase();
  expect([...CANARIES, session, secret].filter((value) => everything.includes(value.toLowerCase()))).toEqual(
    [],
  );
});

async function rawText(port: number, request: string): Promise<string> {
  return JSON.stringify(await rawHttp(port, request));
}

async function filesBelow(folder: string, except: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(
      (entry) =>
        entry.isFile() && !except.includes(entry.name) && !/\.(?:token|key|secret)$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath, entry.name));
}
