import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { MCP_FIXTURE_PROGRAM, waitUntil } from '@sallyport/testkit';
import { expect, test } from 'vitest';
import { codeOf, quietPeer, raw, ServersFixture } from './servers-fixture.ts';

const FIXTURE = { name: 'fix', executable: process.execPath, args: [MCP_FIXTURE_PROGRAM], sandbox: 'none' };

test('a server is started, lists its tools under the names that rules use, and takes calls', async () => {
  await using fixture = await ServersFixture.open([FIXTURE]);
  expect(fixture.servers.states()).toMatchObject([
    { name: 'fix', status: 'Running', pending: 0, transport: 'stdio' },
  ]);
  expect(await fixture.says('mcp:fix/echo', { message: 'hi' })).toBe('Echo: hi');
  expect(fixture.path.tools({ tenant: 'default', chain: [], confinement: 'jailed' })).toContainEqual({
    tool: 'mcp:fix/echo',
    description: 'Says what it was told',
    inputSchema: expect.objectContaining({ type: 'object' }),
  });
  expect(fixture.typesOf()).toEqual(
    expect.arrayContaining(['MCPServerEvent::DefinitionsPinned', 'MCPServerEvent::Started']),
  );
});

test('killed in the middle of a call: a clear error, a restart, and the next call works', async () => {
  await using fixture = await ServersFixture.open([FIXTURE]);
  const { pid } = fixture.servers.get('fix') ?? {};
  const call = fixture.calls('mcp:fix/hang');
  const code = codeOf(call);
  process.kill(pid ?? 0, 'SIGKILL');
  expect(await code).toBe('ToolServerUnavailable');
  await expect(call).rejects.toThrow('it was ended by SIGKILL');
  await fixture.status('fix', 'Running');
  expect(fixture.servers.get('fix')?.pid).not.toBe(pid);
  expect(await fixture.says('mcp:fix/echo', { message: 'again' })).toBe('Echo: again');
});

test('a client’s own process that is killed in the middle of a call is another one with the next call', async () => {
  await using fixture = await ServersFixture.open([FIXTURE]);
  const peer = quietPeer('p1');
  const first = await fixture.says('mcp:fix/whoami', {}, { peer });
  expect(await codeOf(fixture.calls('mcp:fix/die', {}, { peer }))).toBe('ToolServerUnavailable');
  const second = await fixture.says('mcp:fix/whoami', {}, { peer });
  expect(second).not.toBe(first);
  expect(fixture.servers.get('fix')?.restarts).toBe(0);
});

test('while a server is down its tools are not listed, and a call says that this is no refusal', async () => {
  await using fixture = await ServersFixture.open([FIXTURE], {
    limits: { backoffMs: 60_000, longestBackoffMs: 60_000 },
  });
  process.kill(fixture.servers.get('fix')?.pid ?? 0, 'SIGKILL');
  await fixture.status('fix', 'Restarting');
  expect(fixture.path.tools({ tenant: 'default', chain: [], confinement: 'jailed' })).toEqual([]);
  expect(fixture.path.knows('mcp:fix/echo')).toBe(true);
  await expect(fixture.calls('mcp:fix/echo')).rejects.toMatchObject({
    code: 'ToolServerUnavailable',
    message: 'the tool server `fix` is not running (Restarting)',
  });
  await fixture.servers.restart('fix');
  await fixture.status('fix', 'Running');
});

test('a server that does not answer its health check is started anew', async () => {
  await using fixture = await ServersFixture.open([], { limits: { healthMs: 2_000 } });
  const file = `${fixture.dir.path}/sick`;
  await fixture.apply([raw('sick', { file, health_check: { interval_seconds: 1, method: 'ping' } })]);
  await fixture.status('raw', 'Running');
  writeFileSync(file, '');
  await waitUntil('the failed health check', () => fixture.servers.get('raw')?.lastError !== undefined);
  expect(fixture.servers.get('raw')?.lastError).toBe('it failed its health check');
});

test('stopping leaves no process behind: neither of a server that ignores its end nor what it started', async () => {
  const fixture = await ServersFixture.open([raw('stays')], { limits: { graceMs: 100 } });
  const helper = Number(await fixture.says('mcp:raw/echo', {}, { peer: quietPeer('p1') }));
  const { pid } = fixture.servers.get('raw') ?? {};
  expect([pid, helper].map(isAlive)).toEqual([true, true]);
  await fixture[Symbol.asyncDispose]();
  // What a process left behind is reaped by others, a moment later.
  await waitUntil('the end of both processes', () => !isAlive(pid) && !isAlive(helper));
});

test('another config stops what is gone, starts what is new, and leaves alone what is the same', async () => {
  await using fixture = await ServersFixture.open([FIXTURE, raw('plain')]);
  const { pid } = fixture.servers.get('fix') ?? {};
  const home = await fixture.says('mcp:fix/variable', { name: 'HOME' });
  await fixture.apply([FIXTURE, { ...FIXTURE, name: 'two' }]);
  expect(fixture.servers.states().map(({ name }) => name)).toEqual(['fix', 'two']);
  expect(fixture.servers.get('fix')?.pid).toBe(pid);
  expect(await codeOf(fixture.calls('mcp:raw/echo'))).toBe('ToolNotFound');
  await fixture.apply([]);
  expect(isAlive(pid)).toBe(false);
  expect(existsSync(String(home))).toBe(false);
});

/** A process that has ended and waits for somebody to notice is not alive. */
function isAlive(pid: number | undefined): boolean {
  try {
    process.kill(pid ?? 0, 0);
    return !existsSync(`/proc/${pid}/stat`) || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
