import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CreatedToken, Credential } from '@sallyport/protocol';
import { startTestGateway, type TestGateway } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const CANARY = 'canary-31415926535897';
const CONFIG = `
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents:
  dev: { credentials: ["github:personal", broken, elsewhere] }
  bare: {}
tenants:
  default:
    users: { ana: { roles: [owner] } }
    default_user: ana
    default_agent: dev
    credentials:
      "github:personal": { kind: github_pat, source: "file:github.secret", risk: critical, in: [body], body: [{ content_type: application/json, fields: [token] }] }
      broken: { kind: bearer, source: "env:NOT_SET", hosts: [api.example.com] }
  other:
    users: { ana: { roles: [owner] } }
    default_user: ana
    credentials:
      elsewhere: { kind: bearer, source: "env:ELSEWHERE", hosts: [api.example.com] }
`;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ config: CONFIG, env: { ELSEWHERE: CANARY } });
  writeFileSync(join(gateway.home, 'github.secret'), CANARY, { mode: 0o600 });
});
afterAll(() => gateway.close());

async function credentials(path: string, json?: object): Promise<Credential[]> {
  const answer = await gateway.operator(path, json === undefined ? {} : { json });
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain(CANARY);
  return answer.json<{ items: Credential[] }>().items;
}

async function newToken(json: object): Promise<{ status: number; body: CreatedToken; text: string }> {
  const answer = await gateway.operator('/v1/tokens', { json });
  return { status: answer.status, body: answer.json<CreatedToken>(), text: answer.text };
}

test('the operator sees names, kinds, sources, hosts and risk, and after a check what is wrong', async () => {
  const before = await credentials('/v1/credentials?tenant=default');
  expect(before.map(({ name, state }) => [name, state])).toEqual([
    ['github:personal', 'unread'],
    ['broken', 'unread'],
  ]);
  const [github, broken] = await credentials('/v1/credentials/check', { tenant: 'default' });
  expect(github).toEqual({
    tenant: 'default',
    name: 'github:personal',
    kind: 'github_pat',
    source: 'file:github.secret',
    hosts: expect.arrayContaining(['api.github.com', 'github.com']),
    risk: 'critical',
    state: 'ready',
    problem: null,
  });
  expect(broken).toMatchObject({ state: 'failed', problem: { message: 'variable `NOT_SET` is not set' } });
  expect(await credentials('/v1/credentials/refresh', { name: 'elsewhere' })).toMatchObject([
    { tenant: 'other', name: 'elsewhere', state: 'ready' },
  ]);
  expect((await gateway.operator('/v1/credentials/check', { json: { name: 'nope' } })).status).toBe(404);
});

describe('a token', () => {
  test('is a session of an agent with these credentials only, and ends at once', async () => {
    const { status, body } = await newToken({ agent: 'dev', credentials: ['github:personal'], ttl: '15m' });
    expect(status).toBe(201);
    const session = await gateway.agent('/session', { token: body.token });
    expect(session.json()).toMatchObject({
      session_id: body.id,
      agent: 'dev',
      credentials: ['github:personal'],
    });
    expect(Date.parse(body.expires_at) - Date.now()).toBeLessThanOrEqual(900_000);
    expect(body.placeholders['github:personal']).toMatch(/^sp-placeholder-[0-9a-f]{40}$/);
    expect((await gateway.operator(`/v1/tokens/${body.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await gateway.agent('/session', { token: body.token })).status).toBe(401);
  });

  test.each([
    {
      json: { agent: 'bare', credentials: ['github:personal'] },
      status: 422,
      why: '[CR-5] of another agent',
    },
    { json: { agent: 'dev', credentials: ['elsewhere'] }, status: 422, why: '[ID-4] of another tenant' },
    { json: { agent: 'dev', credentials: ['nope'] }, status: 422, why: 'that nobody has' },
    { json: { agent: 'nobody', credentials: [] }, status: 404, why: 'for no agent' },
    { json: { tenant: 'none', agent: 'dev', credentials: [] }, status: 404, why: 'for no tenant' },
    { json: { agent: 'dev', credentials: [], ttl: '31d' }, status: 400, why: 'that lives too long' },
    { json: { agent: 'dev', credentials: [], ttl: 'soon' }, status: 400, why: 'that lives for a word' },
    { json: { agent: 'dev', credentials: [], ttl: 0 }, status: 400, why: 'that does not live' },
  ])('$why is not given', async ({ json, status }) => {
    expect((await newToken(json)).status).toBe(status);
  });
});

test('a session that enrolled by itself has the credentials of its agent that its tenant has', async () => {
  const opened = await gateway.openSession('dev');
  const session = await gateway.agent('/session', { token: opened.session_token });
  expect(session.json()).toMatchObject({ credentials: ['github:personal', 'broken'] });
  const bare = await gateway.openSession('bare');
  expect((await gateway.agent('/session', { token: bare.session_token })).json()).toMatchObject({
    credentials: [],
  });
});

describe('a one-time reference', () => {
  const asked = async (over: object): Promise<{ status: number; ref: string }> => {
    const { session_id: session } = await gateway.openSession('dev');
    const json = { credential: 'github:personal', host: 'api.github.com', session, ...over };
    const answer = await gateway.operator('/v1/refs', { json });
    return { status: answer.status, ref: answer.json<{ ref: string }>().ref };
  };

  test('is given for a host of the credential, in a session that may use it, and recorded', async () => {
    const { status, ref } = await asked({});
    expect(status).toBe(201);
    expect(ref).toMatch(/^sp-ref:github:personal:[0-9a-f]{32}$/);
    const events = await gateway.operator('/v1/audit/events?type=CredentialEvent::Referenced');
    expect(events.text).toContain('github:personal');
    expect(events.text).not.toContain(ref);
  });

  test.each([
    { over: { host: 'evil.example' }, status: 403, why: '[CR-2] on another host' },
    { over: { session: 'sess_nope' }, status: 403, why: 'in no session' },
    {
      over: { credential: 'elsewhere', host: 'api.example.com' },
      status: 403,
      why: '[ID-4] of another tenant',
    },
    { over: { tenant: 'other' }, status: 403, why: 'in another tenant' },
    { over: { host: 'a/b' }, status: 400, why: 'on something that is no host' },
  ])('$why is not given', async ({ over, status }) => {
    expect((await asked(over)).status).toBe(status);
  });
});

test('[CR-1] nothing of all that holds a value', async () => {
  await credentials('/v1/credentials/check', {});
  const events = await gateway.operator('/v1/audit/export');
  expect(events.text).toContain('CredentialEvent::Read');
  expect(events.text).not.toContain(CANARY);
  expect(gateway.log.join('\n')).not.toContain(CANARY);
  expect(readFileSync(join(gateway.home, 'sallyport.db'), 'latin1')).not.toContain(CANARY);
});

test('`secret:` names a credential where the config wants a secret, and its read is recorded', async () => {
  await using other = await startTestGateway({
    config: `${CONFIG}channels: { webhook: { url: "https://hooks.example.com/", secret: "secret:broken" } }`,
    env: { ELSEWHERE: CANARY, NOT_SET: 'hook-key-of-a-credential' },
  });
  const events = await other.operator('/v1/audit/events?type=CredentialEvent::Read');
  expect(events.json()).toMatchObject({
    items: [{ actor: { kind: 'gateway' }, data: { credential: 'broken', source: 'env:NOT_SET' } }],
  });
  expect(events.text).not.toContain('hook-key');
});

test('a `secret:` that cannot be read stops the start, in words for the operator', async () => {
  const starting = startTestGateway({
    config: `${CONFIG}channels: { webhook: { url: "https://hooks.example.com/", secret: "secret:broken" } }`,
  });
  await expect(starting).rejects.toMatchObject({ message: 'variable `NOT_SET` is not set' });
});
