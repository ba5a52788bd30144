import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import type { JsonObject } from '@sallyport/protocol';
import { closeServer, listenOnFreePort, requireEngine } from '@sallyport/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ServersFixture } from './servers-fixture.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const { missing, install } = requireEngine('bubblewrap');

function probe(more: object = {}): JsonObject {
  const sandbox = { read: [FIXTURES, dirname(process.execPath)] };
  const args = [join(FIXTURES, 'probe-server.mjs')];
  // `as`: whatever a test adds goes through the schema.
  return { name: 'probe', executable: process.execPath, args, sandbox, ...more } as JsonObject;
}

async function upstream(): Promise<number> {
  const server = createServer((_request, response) => response.end('hello from outside'));
  const port = await listenOnFreePort(server);
  onTestFinished(() => closeServer(server));
  return port;
}

describe.skipIf(missing)(`a server in a sandbox (${install})`, () => {
  test('sees neither the gateway’s home nor anything else that is not named, and writes only at home', async () => {
    await using fixture = await ServersFixture.open([probe()]);
    await fixture.status('probe', 'Running');
    const secret = join(fixture.dir.path, 'operator.token');
    writeFileSync(secret, 'secret');
    expect(await fixture.says('mcp:probe/read', { path: secret })).toBe('ENOENT');
    expect(await fixture.says('mcp:probe/read', { path: join(import.meta.dirname, 'sandbox.test.ts') })).toBe(
      'ENOENT',
    );
    expect(await fixture.says('mcp:probe/read', { path: join(FIXTURES, 'probe-server.mjs') })).toContain(
      'MCP server',
    );
    expect(await fixture.says('mcp:probe/write', { path: join(FIXTURES, 'new') })).toBe('EROFS');
    const home = String(await fixture.says('mcp:probe/variable', { name: 'HOME' }));
    expect(await fixture.says('mcp:probe/write', { path: join(home, 'note') })).toBe('written');
  });

  test('has no network: not even this machine’s', async () => {
    await using fixture = await ServersFixture.open([probe()]);
    const port = await upstream();
    expect(await fixture.says('mcp:probe/dial', { host: '127.0.0.1', port })).toBe('ECONNREFUSED');
    expect(await fixture.says('mcp:probe/variable', { name: 'HTTPS_PROXY' })).toBe('not set');
  });

  test('reaches the hosts of its `egress` through the gateway, and no other', async () => {
    const port = await upstream();
    await using fixture = await ServersFixture.open([
      probe({ egress: [`api.example.com:${port}`, '*.example.org'] }),
    ]);
    const tunnel = (to: string): Promise<unknown> => fixture.says('mcp:probe/tunnel', { to });
    expect(await tunnel(`api.example.com:${port}`)).toContain('hello from outside');
    for (const to of [
      'api.example.com:443',
      `other.example.com:${port}`,
      `127.0.0.1:${port}`,
      'example.org:443',
      'x',
    ])
      expect(await tunnel(to)).toMatch(/^HTTP\/1.1 40[03] /);
    // Named, and nobody there: the gateway tried.
    expect(await tunnel('a.example.org:443')).toMatch(/^HTTP\/1.1 502 /);
  });

  test('is not started in anything weaker when the jail would be open', async () => {
    await using fixture = await ServersFixture.open([probe({ sandbox: { read: ['/etc'] } })], {
      limits: { failures: 1 },
    });
    await fixture.status('probe', 'Failed');
    expect(fixture.servers.get('probe')?.lastError).toContain('`/etc`');
  });

  test('is where it runs when the config says nothing: its program and what its arguments name are all it sees', async () => {
    const { sandbox: _sandbox, ...plain } = probe();
    await using fixture = await ServersFixture.open([plain]);
    await fixture.status('probe', 'Running');
    const secret = join(fixture.dir.path, 'operator.token');
    writeFileSync(secret, 'secret');
    expect(await fixture.says('mcp:probe/read', { path: secret })).toBe('ENOENT');
    expect(await fixture.says('mcp:probe/read', { path: '/etc/shadow' })).toBe('ENOENT');
    expect(await fixture.says('mcp:probe/read', { path: join(FIXTURES, 'probe-server.mjs') })).toContain(
      'MCP server',
    );
    expect(await fixture.says('mcp:probe/write', { path: join(FIXTURES, 'new') })).toBe('EROFS');
    expect(await fixture.says('mcp:probe/dial', { host: '127.0.0.1', port: await upstream() })).toBe(
      'ECONNREFUSED',
    );
  });

  test('is left out only where the config says `none`', async () => {
    await using fixture = await ServersFixture.open([probe({ sandbox: 'none' })]);
    await fixture.status('probe', 'Running');
    const port = await upstream();
    expect(await fixture.says('mcp:probe/dial', { host: '127.0.0.1', port })).not.toBe('ECONNREFUSED');
  });
});
