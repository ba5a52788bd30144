import { existsSync } from 'node:fs';
import { waitUntil } from '@sallyport/testkit';
import { expect, test } from 'vitest';
import { codeOf, quietPeer, raw, ServersFixture } from './servers-fixture.ts';

const ECHO = 'mcp:raw/echo';

test('a server that prints a banner and other things that are no messages is used all the same', async () => {
  await using fixture = await ServersFixture.open([raw('banner')]);
  await fixture.status('raw', 'Running');
  expect(await fixture.says(ECHO, { message: 'hi' })).toBe('Echo: hi');
});

test('a server that fills stdout with junk is ended, and does not take memory or time', async () => {
  await using fixture = await ServersFixture.open([raw('junk')], { limits: { junkBytes: 200_000 } });
  await waitUntil('a restart of the server', () => (fixture.servers.get('raw')?.restarts ?? 0) > 0);
  expect(fixture.servers.get('raw')?.lastError).toContain('too much to stdout');
});

test('answers with a wrong id, of another type, or given twice are nobody’s', async () => {
  await using fixture = await ServersFixture.open([raw('wrong-id')]);
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((message) => fixture.says(ECHO, { message }, { peer: quietPeer('p1') })),
  );
  expect(answers).toEqual(['Echo: a', 'Echo: b', 'Echo: c']);
});

test.each([
  { how: 'no-result', why: 'content that is no list' },
  { how: 'not-an-answer', why: 'a result that is no object' },
])('$why is an error, not a result', async ({ how }) => {
  await using fixture = await ServersFixture.open([raw(how)]);
  expect(await codeOf(fixture.calls(ECHO))).toMatch(/UpstreamBroken|ToolServerUnavailable/);
});

test('[TO-9] a result over the limit is refused, and the server runs on', async () => {
  await using fixture = await ServersFixture.open([raw('large')], { limits: { resultChars: 10_000 } });
  expect(await codeOf(fixture.calls(ECHO, { size: 10_001 }))).toBe('OutputSizeLimitExceeded');
  expect(await fixture.says(ECHO, { size: 9_000 })).toHaveLength(9_000);
  expect(fixture.servers.get('raw')?.restarts).toBe(0);
});

test('[TO-9] an answer that is nested too deeply is an error, and the server runs on', async () => {
  await using fixture = await ServersFixture.open([raw('deep')]);
  const failure = await fixture.calls(ECHO, { size: 100_000 }).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ code: -32_603, message: 'the answer is nested too deeply' });
  expect(await fixture.calls(ECHO, { size: 10 })).toBeDefined();
  expect(fixture.servers.get('raw')?.restarts).toBe(0);
});

test('[TO-9] an answer of 100 MB, or without end, takes no more memory than one message may', async () => {
  await using fixture = await ServersFixture.open([raw('large'), raw('endless', { name: 'endless' })], {
    limits: { messageBytes: 2 * 1024 ** 2 },
  });
  const before = process.memoryUsage().rss;
  expect(await codeOf(fixture.calls(ECHO, { size: 100 * 1024 ** 2 }))).toBe('OutputSizeLimitExceeded');
  expect(await codeOf(fixture.calls('mcp:endless/echo'))).toBe('OutputSizeLimitExceeded');
  expect(process.memoryUsage().rss - before).toBeLessThan(80 * 1024 ** 2);
  await fixture.status('raw', 'Running');
  expect(await fixture.says(ECHO, { size: 10 })).toBe('xxxxxxxxxx');
});

test('a server that never stops talking is ended', async () => {
  await using fixture = await ServersFixture.open([raw('talks')], { limits: { unaskedMessages: 2_000 } });
  const peer = quietPeer('p1');
  expect(await codeOf(fixture.calls(ECHO, {}, { peer }))).toBe('ToolServerUnavailable');
  expect(peer.told.length).toBeLessThanOrEqual(2_000);
});

test('what a server says on stderr is kept, and not more than fits', async () => {
  await using fixture = await ServersFixture.open([raw('stderr')], { limits: { stderrBytes: 20_000 } });
  expect(await fixture.says(ECHO, { message: 'hi' })).toBe('Echo: hi');
  await waitUntil('the words of the server in the log', () =>
    fixture.logged.some((line) => line.includes('noise')),
  );
  expect(fixture.logged.join('').length).toBeLessThan(100_000);
});

test('a call that hangs ends in time with a clear error, and the server is told', async () => {
  await using fixture = await ServersFixture.open([]);
  const file = `${fixture.dir.path}/cancelled`;
  await fixture.apply([raw('hangs', { file, timeout_seconds: 1 })]);
  expect(await codeOf(fixture.calls(ECHO))).toBe('UpstreamTimeout');
  await waitUntil('the server to be told that the call is over', () => existsSync(file));
});

test('a call whose caller leaves ends at once, and the server is told', async () => {
  await using fixture = await ServersFixture.open([]);
  const file = `${fixture.dir.path}/cancelled`;
  await fixture.apply([raw('hangs', { file })]);
  const leaving = new AbortController();
  const call = fixture.calls(ECHO, {}, { signal: leaving.signal });
  leaving.abort(new Error('the caller left'));
  await expect(call).rejects.toThrow('the caller left');
  await waitUntil('the server to be told that the call is over', () => existsSync(file));
});

test.each([
  { how: 'dies-at-once', startMs: 30_000, says: 'it ended with code 3' },
  { how: 'never-answers', startMs: 300, says: 'did not answer `initialize`' },
  { how: 'old', startMs: 30_000, says: 'no version of MCP' },
])('a server that $how is tried again with pauses, and counts as failed', async ({ how, startMs, says }) => {
  await using fixture = await ServersFixture.open([raw(how)], { limits: { startMs, failures: 3 } });
  await fixture.status('raw', 'Failed');
  expect(fixture.servers.get('raw')?.lastError).toContain(says);
  expect(fixture.typesOf().filter((type) => type === 'MCPServerEvent::Failed').length).toBeGreaterThan(2);
  expect(fixture.path.tools(quietActor)).toEqual([]);
  expect(await codeOf(fixture.calls(ECHO))).toBe('ToolNotFound');
});

test('a program that is not there is a failure that says so', async () => {
  await using fixture = await ServersFixture.open([
    { name: 'raw', executable: '/nonexistent/server', sandbox: 'none' },
  ]);
  await waitUntil('the error of the server', () => fixture.servers.get('raw')?.lastError !== undefined);
  expect(fixture.servers.get('raw')?.lastError).toContain('there is no such program');
});

const quietActor = { tenant: 'default', chain: [], confinement: 'unconfined' } as const;
