import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectH2 } from 'node:http2';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { connect as tlsConnect } from 'node:tls';
import { createTestCa, type EchoServer, requireEngine, startEchoServer, waitFor } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReach, type Reach } from './clients-fixture.ts';
import { openTunnel } from './proxied.ts';

const needs = requireEngine('curl');
const LET_GO = 'the host is let go too, and the trail says how it ended';

describe('a program that is killed in the middle of something', () => {
  let reach: Reach;
  let echo: EchoServer;
  beforeAll(async () => {
    const ca = await createTestCa();
    echo = await startEchoServer({
      ca,
      handler(request, response) {
        if (request.url === '/large') response.end(Buffer.alloc(1_000_000));
        return request.url === '/large';
      },
    });
    reach = await openReach({ ca, tenant: 'exceptions: ["http"]', network: 'tunnel: ["127.0.0.1"]' });
    await reach.file('big', Buffer.alloc(20_000_000));
  });
  afterAll(async () => {
    await reach[Symbol.asyncDispose]();
    await echo.close();
  });

  const curl = (...words: string[]) => ['curl', '-sSN', ...words] as const;
  const upload = ['--limit-rate', '1M', '--data-binary', '@big'];
  test.skipIf(needs.missing).each([
    { why: 'an answer without end, HTTP/1.1', words: () => curl('--http1.1', `${echo.url}/endless`) },
    { why: 'an answer without end, HTTP/2', words: () => curl('--http2', `${echo.url}/endless`) },
    { why: 'an upload, HTTP/1.1', words: () => curl('--http1.1', ...upload, `${echo.url}/x`) },
    { why: 'an upload, HTTP/2', words: () => curl('--http2', ...upload, `${echo.url}/x`) },
    { why: 'a tunnel', words: () => curl('-k', '--http1.1', `https://127.0.0.1:${echo.port}/endless`) },
  ])(`$why: ${LET_GO} (${needs.install})`, ({ words }) => isLetGo(words()));

  test(`a WebSocket: ${LET_GO}`, () =>
    isLetGo([
      'node',
      join(import.meta.dirname, 'programs/endless-socket.mjs'),
      `${echo.url.replace('https', 'wss')}/talk`,
    ]));

  async function isLetGo([program = '', ...rest]: readonly string[]): Promise<void> {
    const before = (await reach.events('ProxyEvent::RequestAllowed')).length;
    const begun = echo.begun + echo.seen.length;
    const child = spawn(program, rest, { cwd: reach.folder, env: reach.env, stdio: 'ignore' });
    await waitFor(
      'the request to begin',
      () => expect(echo.begun + echo.seen.length).toBeGreaterThan(begun),
      { unless: child },
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    await waitFor('the host to be let go', () => expect(echo.underWay).toBe(0));
    expect(await reach.eventsOnce('ProxyEvent::RequestAllowed', before + 1)).toHaveLength(before + 1);
  }

  /** A client that goes without a word so many ms after it asked for four answers. */
  async function vanish(afterMs: number): Promise<void> {
    const opened = await openTunnel(reach, `localhost:${echo.port}`);
    if ('status' in opened) throw new Error(`CONNECT was refused: ${opened.status}`);
    const ca = readFileSync(reach.caFile);
    const secure = tlsConnect({ socket: opened.socket, servername: 'localhost', ca, ALPNProtocols: ['h2'] });
    secure.on('error', () => {});
    const session = connectH2(echo.url, { createConnection: () => secure });
    session.on('error', () => {});
    const streams = Array.from({ length: 4 }, () => session.request({ ':path': '/large' }));
    for (const stream of streams) stream.on('error', () => {});
    await once(session, 'connect');
    await setTimeout(afterMs);
    opened.socket.destroy();
  }

  test('HTTP/2 clients that vanish in the middle of answers leave no socket behind', async () => {
    const sockets = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const before = sockets();
    for (let count = 0; count < 30; count++) await vanish(count % 15);
    // Both ends of the one connection to the host are kept for the next request.
    await waitFor('the sockets to be closed', () => expect(sockets()).toBeLessThanOrEqual(before + 2));
  });
});
