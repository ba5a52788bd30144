import type { HookAnswer } from '@sallyport/protocol';
import { createTestCa, type EchoServer, FakeClock, requireEngine, startEchoServer } from '@sallyport/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openReach, type Reach } from '../proxy-clients/clients-fixture.ts';
import { type ProxiedAnswer, proxied } from '../proxy-clients/proxied.ts';

const needs = requireEngine('curl');
const MINUTE_MS = 60_000;

let echo: EchoServer;
let reach: Reach;
const clock = new FakeClock(Date.now());
beforeAll(async () => {
  const ca = await createTestCa();
  echo = await startEchoServer({ ca });
  reach = await openReach({
    ca,
    clock,
    network: 'rules: [{ host: localhost, method: [GET], path: "/page/**", action: ask }]',
    tenant:
      'credentials: { "main": { kind: bearer, source: "env:TOKEN", hosts: [localhost] } }\nroutes: [{ host: localhost, path: "/lent/**", credential: main }]',
    agent: '{ permissions: ["allow:*"], credentials: [main] }',
    env: { TOKEN: 'the-real-token' },
  });
});
afterAll(async () => {
  await reach[Symbol.asyncDispose]();
  await echo.close();
});
beforeEach(() => {
  echo.seen.length = 0;
});

/** What a client's hook asks before it runs a tool, and what people say to it. */
async function hook(tool: string, input: object, code?: '1' | '3'): Promise<HookAnswer> {
  const event = { hook_event_name: 'PreToolUse', cwd: reach.folder, tool_name: tool, tool_input: input };
  const asking = reach.gateway.agent('/v1/hooks/claude-code', {
    token: reach.token,
    json: { event, home: '/home/ana', wait_seconds: 60 },
  });
  if (code !== undefined) await reach.decide(await reach.question(), code);
  return (await asking).json<HookAnswer>();
}

const curl = (line: string) => hook('Bash', { command: line }, '1');

/** A request as a program sends it; 202: people are asked about it. */
async function send(
  path: string,
  options: Parameters<typeof proxied>[2] = {},
  from: Reach = reach,
): Promise<number> {
  const headers = { prefer: 'respond-async', ...options.headers };
  const answer: ProxiedAnswer = await proxied(from, `${echo.url}${path}`, { ...options, headers });
  if (answer.status === 202) await reach.decide(await reach.question(), '3');
  return answer.status;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe.skipIf(needs.missing)(`a command and the request that it makes (${needs.install})`, () => {
  test('curl with its request spelled out is asked about once, and runs', async () => {
    const line = `curl -sS -X POST -H 'X-Kind: note' -d 'a=1' '${echo.url}/notes?x=y'`;
    expect(await curl(line)).toMatchObject({ decision: 'allow' });
    const words = ['-sS', '-X', 'POST', '-H', 'X-Kind: note', '-d', 'a=1', `${echo.url}/notes?x=y`];
    expect(await reach.run('curl', words)).toMatchObject({ code: 0 });
    expect(echo.seen).toHaveLength(1);
  });
});

describe('[AP-1] a yes at the hook is a yes at the proxy for that very request', () => {
  test('a page that is fetched', async () => {
    expect(await send('/page/0')).toBe(202);
    expect(await hook('WebFetch', { url: `${echo.url}/page/1`, prompt: 'read' }, '1')).toMatchObject({
      decision: 'allow',
    });
    expect(await send('/page/2')).toBe(202);
    expect(await send('/page/1', { headers: { accept: 'text/html', 'user-agent': 'x' } })).toBe(200);
    expect(await send('/page/1')).toBe(202);
  });

  test.each([
    { why: 'another path', path: '/b', body: 'a=1', headers: FORM },
    { why: 'another query', path: '/a?x', body: 'a=1', headers: FORM },
    { why: 'another body', path: '/a', body: 'a=2', headers: FORM },
    { why: 'another kind of body', path: '/a', body: 'a=1', headers: { 'content-type': 'text/plain' } },
    { why: 'a header more', path: '/a', body: 'a=1', headers: { ...FORM, 'x-amz-acl': 'public-read' } },
    { why: 'another method', path: '/a', body: 'a=1', headers: FORM, method: 'PUT' },
  ])('and for no other: $why', async ({ path, why: _why, ...options }) => {
    await curl(`curl -d a=1 ${echo.url}/a`);
    expect(await send(path, options)).toBe(202);
    expect(echo.seen).toEqual([]);
    expect(await send('/a', { body: 'a=1', headers: FORM })).toBe(200);
  });

  test('once, and for a minute', async () => {
    await curl(`curl -d a=1 ${echo.url}/once`);
    expect(await send('/once', { body: 'a=1', headers: FORM })).toBe(200);
    expect(await send('/once', { body: 'a=1', headers: FORM })).toBe(202);
    await curl(`curl -d a=1 ${echo.url}/late`);
    clock.advance(MINUTE_MS);
    expect(await send('/late', { body: 'a=1', headers: FORM })).toBe(202);
  });

  test('not where the words do not say all of it', async () => {
    await reach.file('body', 'a=1');
    await curl(`curl -d @body ${echo.url}/file`);
    expect(await send('/file', { body: 'a=1', headers: FORM })).toBe(202);
    await curl(`BODY=a=1; curl -d "$BODY" ${echo.url}/variable`);
    expect(await send('/variable', { body: 'a=1', headers: FORM })).toBe(202);
  });

  test('not with a credential that nobody was shown', async () => {
    await curl(`curl -d a=1 ${echo.url}/lent/x`);
    expect(await send('/lent/x', { body: 'a=1', headers: FORM })).toBe(202);
  });

  test('not in another session of the same agent', async () => {
    const { session_token: token } = await reach.gateway.openSession('dev');
    await curl(`curl -d a=1 ${echo.url}/other`);
    const proxyUrl = `http://session:${token}@127.0.0.1:${reach.gateway.ports.proxy}`;
    const request = { body: 'a=1', headers: FORM };
    expect(await send('/other', request, { ...reach, token, proxyUrl })).toBe(202);
    expect(await send('/other', request)).toBe(200);
  });

  test('not after a no', async () => {
    await hook('Bash', { command: `curl -d a=1 ${echo.url}/no` }, '3');
    expect(await send('/no', { body: 'a=1', headers: FORM })).toBe(202);
  });
});
