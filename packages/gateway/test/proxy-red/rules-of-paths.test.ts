import { createServer, type Server } from 'node:http';
import { createServer as createNetServer, type Server as NetServer } from 'node:net';
import { closeServer, listenOnFreePort } from '@sallyport/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { answers, type Front, openFront, statusOf } from '../proxy/front-fixture.ts';

vi.setConfig({ testTimeout: 10_000 });

let front: Front;
let upstream: Server;
let port = 0;
let pinned: NetServer;
let pinnedPort = 0;
const seen: string[] = [];
const overrides: unknown[] = [];

beforeAll(async () => {
  upstream = createServer((request, response) => {
    const named = ['x-original-url', 'x_original_url', 'x-rewrite-url'].map((name) => request.headers[name]);
    seen.push(String(named.find((path) => path !== undefined) ?? request.url));
    overrides.push(Object.entries(request.headers).find(([name]) => /method/.test(name))?.[1]);
    response.end('ok');
  });
  port = await listenOnFreePort(upstream);
  pinned = createNetServer((socket) => {
    seen.push('tunnel');
    socket.on('error', () => {});
  });
  pinnedPort = await listenOnFreePort(pinned);
  front = await openFront({
    config: {
      network: {
        default: 'deny',
        tunnel: ['pinned.example'],
        rules: [
          { host: 'api.example.com', path: '/public/**', action: 'allow' },
          { host: 'pinned.example', method: ['POST'], path: '/**', action: 'deny' },
          { host: 'pinned.example', action: 'allow' },
        ],
      },
    },
  });
});
afterAll(async () => {
  await front[Symbol.asyncDispose]();
  await closeServer(upstream);
  pinned.close();
});
beforeEach(() => {
  seen.length = 0;
  overrides.length = 0;
  front.questions.length = 0;
  front.people = 'no';
});

async function get(target: string, fields = ''): Promise<number> {
  const wire = await front.dial();
  const host = `api.example.com:${port}`;
  wire.send(
    `GET http://${host}${target} HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: ${front.auth}\r\n${fields}\r\n`,
  );
  const text = await wire.until((all) => answers(1)(all) || statusOf(all) === 200);
  wire.socket.destroy();
  return statusOf(text);
}

describe('[GA-8] a rule about a path is about where the path leads', () => {
  test.each([
    ['/public/..%2fadmin', 'decoded before dots are resolved, as nginx does'],
    ['/public/%2e%2e%2fadmin', 'with its dots encoded too'],
    ['/public/..%5cadmin', 'a backslash, which Windows takes for a slash'],
    ['/public/x%2f..%2f..%2fadmin', 'dots between two of them'],
    ['/public/..%252fadmin', 'decoded twice'],
    ['/public/%252e%252e/admin', 'dots that are decoded twice'],
  ])('%s is refused: %s', async (target) => {
    expect(await get(target)).toBe(403);
    expect(seen).toEqual([]);
  });

  test.each(['X-Original-URL', 'x-rewrite-url', 'X_Original_Url'])(
    'also to servers that take it from `%s`',
    async (name) => {
      expect(await get('/public/a', `${name}: /admin\r\n`)).toBe(200);
      expect(seen).toEqual(['/public/a']);
    },
  );

  test.each([
    ['/admin/../public/a?x=/../y', '/public/a?x=/../y'],
    ['/admin/%2e%2E/public/./a', '/public/a'],
    ['/public//a', '/public//a'],
  ])('%s is sent as it was judged, as %s', async (target, sent) => {
    expect(await get(target)).toBe(200);
    expect(seen).toEqual([sent]);
  });

  test.each([
    'X-HTTP-Method-Override',
    'x_http_method',
    'X-Method-Override',
    'Method-Override',
    'X-Requested-Method',
  ])('and of a method: `%s` stops here', async (name) => {
    expect(await get('/public/a', `${name}: DELETE\r\n`)).toBe(200);
    expect(overrides).toEqual([undefined]);
  });

  test.each([['/public/group%2Fproject'], ['/public/100%25'], ['/public/a%2F.hidden'], ['/public/v1..v2']])(
    '%s passes',
    async (target) => {
      expect(await get(target)).toBe(200);
      expect(seen).toEqual([target]);
    },
  );
});

test('[NE-9] a tunnel to a host of which some requests are denied is asked about: nobody sees which it carries', async () => {
  const wire = await front.dial();
  const host = `pinned.example:${pinnedPort}`;
  wire.send(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: ${front.auth}\r\n\r\n`);
  const text = await wire.until((all) => all.includes('\r\n\r\n'));
  wire.socket.destroy();
  expect(statusOf(text)).toBe(403);
  expect(front.questions).toHaveLength(1);
  expect(seen).toEqual([]);
});
