import { join } from 'node:path';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client';
import { waitUntil } from '@sallyport/testkit';
import { expect, test, vi } from 'vitest';
import { PROTOCOL_VERSIONS } from '../../src/executors/mcp/connect.ts';
import { codeOf, quietPeer, ServersFixture } from './servers-fixture.ts';

const ARGS = [join(import.meta.dirname, 'fixtures/sdk-server.ts')];
const SDK = { name: 'sdk', executable: process.execPath, args: ARGS, sandbox: 'none' };
const ANA = { kind: 'person', user: 'ana', via: 'cli' } as const;
const ACTOR = { tenant: 'default', chain: [], confinement: 'jailed' } as const;

test('the versions that are spoken are those of the SDK, whose transport carries them', () => {
  expect(PROTOCOL_VERSIONS).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
});

test('a server of the official SDK works: definitions, structured results, its own errors', async () => {
  await using fixture = await ServersFixture.open([SDK]);
  await fixture.status('sdk', 'Running');
  const server = fixture.servers.get('sdk');
  expect(server?.instructions).toBe('Add numbers with `add`');
  expect(server?.hello?.serverInfo).toMatchObject({ name: 'sdk' });
  expect(fixture.path.tools(ACTOR).find(({ tool }) => tool === 'mcp:sdk/add')).toMatchObject({
    title: 'Add',
    annotations: { readOnlyHint: true },
    outputSchema: { properties: { sum: { type: 'number' } } },
  });
  expect(await fixture.calls('mcp:sdk/add', { a: 1, b: 2 })).toMatchObject({
    content: [{ type: 'text', text: '3' }],
    structuredContent: { sum: 3 },
  });
  const wrong = await fixture.calls('mcp:sdk/add', { a: 'x' }).catch((error: unknown) => ({ error }));
  expect(JSON.stringify(wrong)).toMatch(/isError":true|-32602/);
});

test('it asks the client’s model only where the client has one', async () => {
  await using fixture = await ServersFixture.open([SDK]);
  const onRequest = async () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'deep' } });
  const able = quietPeer('p1', { capabilities: { sampling: {} }, onRequest });
  expect(await fixture.says('mcp:sdk/think', {}, { peer: able })).toBe('thought: deep');
  const unable = await fixture
    .calls('mcp:sdk/think', {}, { peer: quietPeer('p2') })
    .catch(() => ({ isError: true }));
  expect(unable.isError).toBe(true);
});

test('[TO-2] a tool that it adds for one client alone waits for a person, too', async () => {
  // Looked at every second: what one client has is not forgotten because the gateway's own connection has it not.
  const health_check = { interval_seconds: 1 };
  await using fixture = await ServersFixture.open([{ ...SDK, health_check }]);
  const peer = quietPeer('p1');
  expect(await fixture.says('mcp:sdk/grow', {}, { peer })).toBe('grown');
  await waitUntil('a change that waits for a person', () => fixture.servers.pending('sdk').length === 1);
  expect(fixture.servers.pending('sdk')).toMatchObject([{ name: 'later', before: null }]);
  expect(await codeOf(fixture.calls('mcp:sdk/later', {}, { peer }))).toBe('ToolQuarantined');
  expect(fixture.path.tools(ACTOR).map(({ tool }) => tool)).not.toContain('mcp:sdk/later');
  const [change] = fixture.servers.pending('sdk');
  const { catalogue } = fixture.servers.get('sdk') ?? {};
  if (catalogue === undefined) throw new Error('there is no such server');
  const looks = vi.spyOn(catalogue, 'observe');
  await waitUntil('the next look at the server', () =>
    looks.mock.settledResults.some(({ type }) => type === 'fulfilled'),
  );
  await fixture.servers.accept('sdk', [{ kind: 'tool', name: 'later', hash: change?.hash ?? '' }], ANA);
  expect(await codeOf(fixture.calls('mcp:sdk/later', {}, { peer }))).toBeUndefined();
  await fixture.servers.dropPeer('p1');
  expect(await codeOf(fixture.calls('mcp:sdk/later'))).toBe('ToolNotFound');
});
