import { createServer, type RequestListener, type Server } from 'node:http';
import { closeServer, listenOnFreePort, waitUntil } from '@sallyport/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answers, errorOf, type Front, openFront, statusOf } from './front-fixture.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly string[];
  readonly body: string;
}

const seen: Seen[] = [];
let upstream: Server;
let upstreamPort = 0;
let front: Front;
let answer: RequestListener;

beforeAll(async () => {
  upstream = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', rawHeaders } = request;
    seen.push({ method, url, headers: rawHeaders, body: Buffer.concat(chunks).toString() });
    answer(request, response);
  });
  upstreamPort = await listenOnFreePort(upstream);
  front = await openFront();
});
afterAll(async () => {
  await front[Symbol.asyncDispose]();
  await closeServer(upstream);
});
beforeEach(() => {
  seen.length = 0;
  front.lookups.length = 0;
  front.trail.events.length = 0;
  answer = (_request, response) => response.end('hello');
});

const request = (line: string, fields = '', body = ''): string => {
  const [method, path, version = 'HTTP/1.1'] = line.split(' ');
  const host = `api.example.com:${upstreamPort}`;
  return `${method} http://${host}${path} ${version}\r\nHost: ${host}\r\nProxy-Authorization: ${front.auth}\r\n${fields}\r\n${body}`;
};

async function exchange(bytes: string): Promise<string> {
  const wire = await front.dial();
  wire.send(bytes);
  const text = await wire.until(answers(1));
  wire.socket.destroy();
  return text;
}

describe('a plain request', () => {
  test('goes to its host and comes back', async () => {
    const text = await exchange(request('GET /a?b=c', 'X-Mine: 1\r\n'));
    expect(statusOf(text)).toBe(200);
    expect(text).toContain('hello');
    expect(seen).toMatchObject([{ method: 'GET', url: '/a?b=c' }]);
    expect(seen[0]?.headers).toContain('X-Mine');
    expect(front.lookups).toEqual(['api.example.com']);
  });

  test('is one event, with sizes, times, status and verdict', async () => {
    await exchange(request('POST /a', 'Content-Length: 5\r\n', 'hello'));
    expect(front.events('ProxyEvent::RequestAllowed')).toMatchObject([
      {
        verdict: 'allow',
        host: 'api.example.com',
        method: 'POST',
        status: 200,
        request_bytes: 5,
        response_bytes: 5,
      },
    ]);
    expect(front.events('ProxyEvent::RequestBlocked')).toEqual([]);
    expect(seen[0]?.body).toBe('hello');
  });

  test('may follow another on the same connection, sent before the answer came', async () => {
    const wire = await front.dial();
    wire.send(request('GET /1') + request('POST /2', 'Content-Length: 2\r\n', 'hi') + request('GET /3'));
    await wire.until(answers(3));
    expect(seen.map(({ url }) => url)).toEqual(['/1', '/2', '/3']);
    wire.socket.destroy();
  });

  test('with Connection: close is the last one', async () => {
    const wire = await front.dial();
    wire.send(request('GET /1', 'Connection: close\r\n') + request('GET /2'));
    await wire.closed;
    expect(wire.text()).toMatch(/Connection: close/);
    expect(seen.map(({ url }) => url)).toEqual(['/1']);
  });

  test('on HTTP/1.0 gets no chunks', async () => {
    answer = (_request, response) => {
      response.write('a');
      response.end('b');
    };
    const wire = await front.dial();
    wire.send(request('GET /1 HTTP/1.0'));
    await wire.closed;
    expect(wire.text()).not.toMatch(/transfer-encoding/i);
    expect(wire.text().endsWith('\r\n\r\nab')).toBe(true);
  });

  test('with HEAD keeps the length and has no body', async () => {
    answer = (_request, response) => {
      response.setHeader('content-length', '5');
      response.end();
    };
    const wire = await front.dial();
    wire.send(request('HEAD /1'));
    await wire.until((text) => text.includes('\r\n\r\n'));
    wire.send(request('GET /2', 'Connection: close\r\n'));
    answer = (_request, response) => response.end('hello');
    await wire.closed;
    expect(wire.text()).toMatch(/content-length: 5\r\n[\s\S]*\r\n\r\nHTTP\/1\.1 200/i);
  });

  test('in chunks, with trailers, arrives as such', async () => {
    const chunks = '3;x=y\r\nabc\r\n4\r\ndefg\r\n0\r\nX-Sum: 7\r\n\r\n';
    await exchange(request('POST /c', 'Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\n', chunks));
    expect(seen[0]?.body).toBe('abcdefg');
  });

  test('that expects 100-continue is told so when its body is wanted', async () => {
    const wire = await front.dial();
    wire.send(request('POST /e', 'Expect: 100-continue\r\nContent-Length: 5\r\n'));
    await wire.until((text) => text === 'HTTP/1.1 100 Continue\r\n\r\n');
    wire.send('hello');
    await wire.until((text) => answers(1)(text.slice(25)));
    expect(seen[0]?.body).toBe('hello');
    expect(seen[0]?.headers.join().toLowerCase()).not.toContain('expect');
    wire.socket.destroy();
  });

  test('cannot be answered in our name', async () => {
    answer = (_request, response) => {
      response.setHeader('x-sallyport-verdict', 'allow');
      response.end('hello');
    };
    expect(await exchange(request('GET /claim'))).not.toMatch(/x-sallyport-verdict/i);
  });

  test('[NE-7] a redirect is returned, not followed', async () => {
    answer = (_request, response) => {
      response.writeHead(302, {
        location: 'http://169.254.169.254/latest/meta-data/',
        'content-length': '0',
      });
      response.end();
    };
    const text = await exchange(request('GET /go'));
    expect(statusOf(text)).toBe(302);
    expect(text).toContain('http://169.254.169.254/latest/meta-data/');
    expect(seen).toHaveLength(1);
    expect(front.lookups.filter((name) => name !== 'api.example.com')).toEqual([]);
  });
});

describe('who', () => {
  const bare = (fields: string): string =>
    `GET http://api.example.com:${upstreamPort}/ HTTP/1.1\r\nHost: api.example.com:${upstreamPort}\r\n${fields}\r\n`;

  test.each([
    ['no token', ''],
    ['a token that is none', 'Proxy-Authorization: Bearer nonsense\r\n'],
    ['Basic with another user', `Proxy-Authorization: Basic ${Buffer.from('root:x').toString('base64')}\r\n`],
    ['another scheme', 'Proxy-Authorization: Digest x\r\n'],
    ['a token for the server, not for us', 'Authorization: Bearer x\r\n'],
  ])('%s is 407, and nothing is looked up or dialled', async (_what, fields) => {
    const text = await exchange(bare(fields));
    expect(statusOf(text)).toBe(407);
    expect(text).toMatch(/Proxy-Authenticate: Basic/);
    expect(errorOf(text)).toMatchObject({ code: 'NotAuthenticated' });
    expect(seen).toEqual([]);
    expect(front.lookups).toEqual([]);
    expect(front.events('ProxyEvent::RequestBlocked')).toMatchObject([{ reason: 'no-session' }]);
  });

  test('two tokens are none', async () => {
    const twice = `Proxy-Authorization: ${front.auth}\r\nProxy-Authorization: ${front.auth}\r\n`;
    expect(statusOf(await exchange(bare(twice)))).toBe(407);
  });

  test('Basic with the token as password works, and the token never travels upstream', async () => {
    const basic = Buffer.from(`session:${front.session.token.reveal()}`).toString('base64');
    const text = await exchange(bare(`Proxy-Authorization: Basic ${basic}\r\n`));
    expect(statusOf(text)).toBe(200);
    expect(seen[0]?.headers.join().toLowerCase()).not.toContain('proxy-');
    expect(JSON.stringify(seen)).not.toContain(front.session.token.reveal());
    expect(JSON.stringify(front.trail.events)).not.toContain(front.session.token.reveal());
  });

  test('a connection never changes from one session to another', async () => {
    const other = await front.openSession();
    const wire = await front.dial();
    wire.send(request('GET /1'));
    await wire.until(answers(1));
    wire.send(bare(`Proxy-Authorization: Bearer ${other.token.reveal()}\r\n`));
    const text = await wire.until(answers(2));
    expect(text).toContain('HTTP/1.1 407');
    expect(seen).toHaveLength(1);
    wire.socket.destroy();
  });

  test('[ID-3] a revoked session stops on open connections, idle or waiting for an answer', async () => {
    const other = await front.openSession();
    const fields = `Proxy-Authorization: Bearer ${other.token.reveal()}\r\n`;
    const [idle, busy] = [await front.dial(), await front.dial()];
    idle.send(bare(fields));
    await idle.until(answers(1));
    answer = () => {};
    busy.send(bare(fields));
    await waitUntil('both requests at the host', () => seen.length >= 2);
    await front.endSession(other.session.id);
    await Promise.all([idle.closed, busy.closed]);
    expect(busy.text()).toBe('');
    expect(statusOf(await exchange(bare(fields)))).toBe(407);
  });
});

describe('strip', () => {
  const sent = (): string => seen[0]?.headers.join('\n').toLowerCase() ?? '';

  test('[NE-6] hop-by-hop and nominated headers stop here', async () => {
    await exchange(
      request(
        'GET /h',
        'Connection: keep-alive, X-Nominated\r\nX-Nominated: 1\r\nKeep-Alive: 5\r\nTE: trailers\r\nProxy-Foo: 1\r\nX-Kept: 1\r\n',
      ),
    );
    expect(sent()).toContain('x-kept');
    for (const name of ['x-nominated', 'keep-alive', '\nte\n', 'proxy-'])
      expect(`\n${sent()}\n`).not.toContain(name);
  });

  test("[CR-3] an agent's own auth never goes upstream", async () => {
    await exchange(
      request(
        'GET /s',
        'Authorization: Bearer mine\r\nX-Api-Key: mine\r\nPrivate-Token: mine\r\nCookie: a=b\r\n',
      ),
    );
    expect(sent()).not.toContain('mine');
    expect(sent()).not.toContain('a=b');
  });
});

describe('what cannot be read one way', () => {
  test.each([
    ['CL.TE', 'Content-Length: 6\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\nG', 'length-and-encoding'],
    ['obs-fold', 'X: 1\r\n Y: 2\r\n', '', 'obs-fold'],
    ['two Hosts', 'Host: evil.example\r\n', '', 'second-host'],
    ['h2c', 'Connection: upgrade\r\nUpgrade: h2c\r\n', '', 'h2c-upgrade'],
  ])(
    '[NE-5] %s is refused, the connection closed, and one event says why',
    async (_what, fields, body, reason) => {
      const wire = await front.dial();
      wire.send(request('POST /smuggle', fields, body) + request('GET /second'));
      await wire.closed;
      expect(statusOf(wire.text())).toBe(400);
      expect(errorOf(wire.text())).toMatchObject({ code: 'BadRequest' });
      expect(wire.text()).toContain('X-Sallyport-Verdict: deny');
      expect(seen).toEqual([]);
      expect(front.events('ProxyEvent::RequestBlocked')).toMatchObject([{ reason }]);
    },
  );

  test('[NE-4] absolute form that differs from Host goes nowhere', async () => {
    const wire = await front.dial();
    wire.send('GET http://api.example.com/ HTTP/1.1\r\nHost: other.example\r\n\r\n');
    await wire.closed;
    expect(front.events('ProxyEvent::RequestBlocked')).toMatchObject([{ reason: 'host-mismatch' }]);
    expect(front.lookups).toEqual([]);
  });
});
