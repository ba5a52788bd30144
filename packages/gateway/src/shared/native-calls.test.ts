import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nativeCalls } from './native-calls.ts';

// The Node that this repository brings has `node:ffi`: when it changes, this says so.
test.skipIf(process.platform !== 'linux')(
  'the kernel tells who is at the other end of a unix socket',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-native-'));
    const server = createServer().listen(join(folder, 's'));
    try {
      await once(server, 'listening');
      const accepted = once(server, 'connection') as Promise<[Socket]>;
      const client = connect(join(folder, 's'));
      const [socket] = await accepted;
      expect(nativeCalls()?.peerPid(socket)).toBe(process.pid);
      client.destroy();
      socket.destroy();
      await once(socket, 'close');
      expect(nativeCalls()?.peerPid(socket)).toBeUndefined();
    } finally {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test('loading it prints nothing, and without it nothing fails', () => {
  const file = JSON.stringify(join(import.meta.dirname, 'native-calls.ts'));
  const code = `import(${file}).then((m) => process.stdout.write(typeof m.nativeCalls()))`;
  const run = (...flags: string[]) =>
    spawnSync(process.execPath, [...flags, '--input-type=module', '-e', code], { encoding: 'utf8' });
  expect(run()).toMatchObject({ stdout: process.platform === 'linux' ? 'object' : 'undefined', stderr: '' });
  expect(run('--no-experimental-ffi')).toMatchObject({ stdout: 'undefined', stderr: '' });
});
