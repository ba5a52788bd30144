import { once } from 'node:events';
import { duplexPair } from 'node:stream';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { readHello } from './client-hello.ts';

/** What Node's own client sends first. */
async function helloOf(servername: string | undefined): Promise<Buffer> {
  const [near, far] = duplexPair();
  const socket = connect({ socket: near, ...(servername === undefined ? {} : { servername }) });
  socket.on('error', () => {});
  const [bytes] = (await once(far, 'data')) as [Buffer];
  socket.destroy();
  return bytes;
}

test('the name in a real ClientHello is found, however it is cut', async () => {
  const bytes = await helloOf('api.example.com');
  expect(readHello(bytes)).toEqual({ kind: 'tls', name: 'api.example.com' });
  for (let length = 0; length < bytes.length; length++)
    expect(readHello(bytes.subarray(0, length))).toEqual({ kind: 'incomplete' });
});

test('a ClientHello without name has none', async () => {
  expect(readHello(await helloOf(undefined))).toEqual({ kind: 'tls', name: undefined });
});

test('every byte may be wrong, and nothing throws', async () => {
  const bytes = await helloOf('api.example.com');
  for (let at = 1; at < bytes.length; at++) {
    const broken = Buffer.from(bytes);
    broken[at] = (broken[at] ?? 0) ^ 0xff;
    expect(['tls', 'broken', 'incomplete']).toContain(readHello(broken).kind);
  }
});

test.each([
  ['plain HTTP', 'GET / HTTP/1.1\r\n', 'plain'],
  ['SSH', 'SSH-2.0-x\r\n', 'plain'],
  ['a record of another kind of handshake', '\x16\x03\x01\x00\x04\x02\x00\x00\x00', 'broken'],
  ['a record that is too long', '\x16\x03\x01\xff\xff', 'broken'],
  ['a ClientHello that goes on in another record', '\x16\x03\x01\x00\x04\x01\x00\x10\x00', 'broken'],
])('%s is %s', (_what, text, kind) => {
  expect(readHello(Buffer.from(text, 'latin1')).kind).toBe(kind);
});
