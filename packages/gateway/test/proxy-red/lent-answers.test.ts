import { writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { listenOnFreePort, tempDir } from '@sallyport/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Front, openFront, statusOf, type Wire } from '../proxy/front-fixture.ts';

vi.setConfig({ testTimeout: 10_000 });

const VALUE = 'the-real-token';
let front: Front;
let upstream: Server;
let port = 0;
/** what the server says, byte by byte */
let answer: Buffer = Buffer.alloc(0);
const got: string[] = [];
const sockets = new Set<Socket>();

beforeAll(async () => {
  upstream = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      got.push(chunk.toString('latin1'));
      socket.write(answer);
    });
  });
  port = await listenOnFreePort(upstream);
  front = await openFront({
    config: {
      tenants: {
        default: {
          credentials: {
            main: {
              kind: 'bearer',
              source: 'env:TOKEN',
              plain_http: true,
              hosts: ['lent.example', 'bare.example'],
            },
            spare: { kind: 'bearer', source: 'env:OTHER', hosts: ['api.example.com'] },
          },
          routes: [{ host: 'lent.example', credential: 'main' }],
        },
      },
    },
  });
});
afterAll(async () => {
  await front[Symbol.asyncDispose]();
  for (const socket of sockets) socket.destroy();
  upstream.close();
});
beforeEach(() => {
  got.length = 0;
  front.trail.events.length = 0;
});

async function ask(host: string, fields = '', target = '/', at: Front = front): Promise<Wire> {
  const wire = await at.dial();
  const named = `${host}:${port}`;
  wire.send(
    `GET http://${named}${target} HTTP/1.1\r\nHost: ${named}\r\nProxy-Authorization: ${at.auth}\r\n${fields}\r\n`,
  );
  return wire;
}

function reply(head: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), body]);
}

/** The bytes that came back must not hold the value, neither plainly nor when they are unpacked. */
async function answered(wire: Wire): Promise<Buffer> {
  const text = await wire.until((all) => /\r\n\r\n(?:[\s\S]+)$/.test(all));
  wire.socket.destroy();
  return Buffer.from(text.slice(text.indexOf('\r\n\r\n') + 4), 'latin1');
}

test('[CR-4] a kind of two values is not read piece by piece either', async () => {
  const dir = await tempDir();
  const file = join(dir.path, 'keys.json');
  writeFileSync(file, '{"api_key":"dog-api-key","app_key":"dog-app-key"}', { mode: 0o600 });
  const dogs = { kind: 'datadog', source: `file:${file}`, plain_http: true, hosts: ['dog.example'] };
  const own = await openFront({
    config: {
      tenants: {
        default: {
          credentials: { main: dogs, spare: { ...dogs } },
          routes: [{ host: 'dog.example', credential: 'main' }],
        },
      },
    },
  });
  try {
    answer = reply('HTTP/1.1 200 OK\r\n', Buffer.from('ok'));
    const wire = await ask('dog.example', 'Range: bytes=0-5\r\n', '/', own);
    await wire.until((all) => all.includes('\r\n\r\n'));
    wire.socket.destroy();
    expect(got.join('')).toContain('dog-app-key');
    expect(got.join('')).not.toMatch(/range/i);
  } finally {
    await own[Symbol.asyncDispose]();
    await dir.remove();
  }
});

describe('[CR-4] what comes back carries no lent value', () => {
  test('also when the second of two encodings is the real one', async () => {
    const packed = gzipSync(`echo ${VALUE}`);
    answer = reply('HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Encoding: gzip\r\n', packed);
    expect((await answered(await ask('lent.example'))).includes(packed)).toBe(false);
  });

  test('also when a server answers an upgrade with a packed body', async () => {
    const packed = gzipSync(`echo ${VALUE}`);
    answer = reply('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n', packed);
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nAccept-Encoding: gzip\r\n';
    const body = await answered(await ask('lent.example', upgrade));
    expect(body.includes(packed)).toBe(false);
    expect(body.toString()).not.toContain(VALUE);
  });

  test.each(['grpc-encoding', 'connect-content-encoding'])(
    'also when the messages inside are packed: `%s`',
    async (name) => {
      const packed = gzipSync(`echo ${VALUE}`);
      answer = reply(`HTTP/1.1 200 OK\r\nContent-Type: application/grpc\r\n${name}: gzip\r\n`, packed);
      expect((await answered(await ask('lent.example'))).includes(packed)).toBe(false);
    },
  );
});

test('[CR-2] a value is not put in the place of its placeholder where everyone on the way can read it', async () => {
  answer = reply('HTTP/1.1 200 OK\r\n', Buffer.from('ok'));
  const placeholder = front.placeholders.placeholderOf(front.session.session, 'spare');
  const wire = await ask('api.example.com', `Authorization: Bearer ${placeholder}\r\n`);
  const text = await wire.until((all) => all.includes('\r\n\r\n'));
  wire.socket.destroy();
  expect(got.join('')).not.toContain('another-token');
  expect(statusOf(text)).toBe(403);
});

describe('[CR-3] a placeholder is no ticket for a credential of the agent’s own', () => {
  const placeholder = (): string => front.placeholders.placeholderOf(front.session.session, 'main');
  test.each([
    ['a list of parameters', () => `OAuth oauth_token="agents-own", x="${placeholder()}"`],
    ['two values', () => `Bearer agents-own, ${placeholder()}`],
    ['a value before it', () => `agents-own${placeholder()}`],
    [
      'a token as the user of Basic',
      () => `Basic ${Buffer.from(`ghp_${'A1b2'.repeat(9)}:${placeholder()}`).toString('base64')}`,
    ],
  ])('%s', async (_what, value) => {
    answer = reply('HTTP/1.1 200 OK\r\n', Buffer.from('ok'));
    const wire = await ask('bare.example', `Authorization: ${value()}\r\n`);
    await wire.until((all) => all.includes('\r\n\r\n'));
    wire.socket.destroy();
    const sent = /authorization: (.*)\r\n/i.exec(got.join(''))?.[1] ?? '';
    const decoded = Buffer.from(sent.replace(/^basic /i, ''), 'base64').toString('latin1');
    expect(sent).not.toContain('agents-own');
    expect(decoded).not.toContain('ghp_');
  });
});

describe('[CR-3] a credential of the agent’s own does not go upstream under another name', () => {
  const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n';
  test.each([
    ['X_Api_Key: agents-own', 'CGI reads an underscore like a hyphen'],
    ['X_Auth-Token: agents-own', 'one of several'],
    ['Proxy_Authorization: agents-own', 'nor does the token of the session'],
    [`${UPGRADE}Sec-WebSocket-Protocol: v4, base64url.bearer.authorization.k8s.io.agents-own`, 'Kubernetes'],
    [`${UPGRADE}Sec-WebSocket-Protocol: realtime, openai-insecure-api-key.agents-own`, 'a model API'],
  ])('%s: %s', async (fields) => {
    answer = reply('HTTP/1.1 200 OK\r\n', Buffer.from('ok'));
    const wire = await ask('unlent.example', `${fields}\r\n`);
    await wire.until((all) => all.includes('\r\n\r\n'));
    wire.socket.destroy();
    expect(got.join('')).toContain('GET /');
    expect(got.join('')).not.toContain('agents-own');
  });

  test('a subprotocol that is none of these stays', async () => {
    answer = reply('HTTP/1.1 200 OK\r\n', Buffer.from('ok'));
    const wire = await ask('unlent.example', `${UPGRADE}Sec-WebSocket-Protocol: graphql-ws\r\n`);
    await wire.until((all) => all.includes('\r\n\r\n'));
    wire.socket.destroy();
    expect(got.join('')).toMatch(/graphql-ws/);
  });
});
