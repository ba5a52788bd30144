import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { waitFor } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { askTcpEnd } from './tcp-diag.ts';
import { tcpEnd } from './tcp-peer.ts';

let server: Server;
beforeEach(async () => {
  server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => void server.close());

function portOf(): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function connected(): Promise<{ client: Socket; socket: Socket }> {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect(portOf(), '127.0.0.1');
  const [socket] = await accepted;
  return { client, socket };
}

/** `socket:[123]`: what `/proc` says that a descriptor of ours is. */
function inodeOf(socket: Socket): number {
  const { fd } = (socket as unknown as { readonly _handle: { readonly fd: number } })._handle;
  return Number(/\d+/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[0]);
}

describe.skipIf(process.platform !== 'linux')('[ID-7] the other end of a TCP connection', () => {
  test('is found by asking the kernel, without its tables', async () => {
    const { client, socket } = await connected();
    expect(askTcpEnd(socket)).toEqual({ uid: process.getuid?.(), inode: inodeOf(client) });
    expect(tcpEnd(socket)).toEqual({ kind: 'open', inode: String(inodeOf(client)) });
    client.destroy();
    socket.destroy();
  });

  test('is not whoever listens on that port', () => {
    const nobody = {
      remoteAddress: '127.0.0.1',
      remotePort: portOf(),
      localAddress: '127.0.0.1',
      localPort: 1,
    };
    // Only these four are read of a socket.
    expect(askTcpEnd(nobody as Socket)).toBeUndefined();
    expect(tcpEnd(nobody as Socket)).toEqual({ kind: 'gone' });
  });

  test('is gone once it is closed, though the connection lingers', async () => {
    const { client, socket } = await connected();
    const { remoteAddress, remotePort, localAddress, localPort } = socket;
    const seen = { remoteAddress, remotePort, localAddress, localPort } as Socket;
    client.destroy();
    await waitFor('the end of it', () => tcpEnd(seen).kind === 'gone');
    socket.destroy();
  });
});
