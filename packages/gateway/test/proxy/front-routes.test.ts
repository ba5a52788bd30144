import { createServer, type Server } from 'node:http';
import { closeServer, listenOnFreePort } from '@sallyport/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answers, errorOf, type Front, openFront, statusOf } from './front-fixture.ts';

let front: Front;
let upstream: Server;
let port = 0;
let otherPort = 0;
let other: Server;
const seen: { headers: Record<string, unknown>; url: string; body: string }[] = [];

function recorder(): Server {
  return createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    seen.push({ headers: request.headers, url: request.url ?? '', body: Buffer.concat(chunks).toString() });
    response.end('ok');
  });
}

beforeAll(async () => {
  [upstream, other] = [recorder(), recorder()];
  port = await listenOnFreePort(upstream);
  otherPort = await listenOnFreePort(other);
  front = await openFront({
    config: {
      network: { pass_auth: ['open.example'], strip_headers: ['X-My-Key'] },
      routes: [{ host: '*.lent.example', credential: 'main' }],
      tenants: {
        default: {
          routes: [
            { host: 'api.example.com', path: '/spare/**', credential: 'spare' },
            { host: 'api.example.com', path: '/foreign/**', credential: 'foreign' },
            {
              host: 'api.example.com',
              path: '/key/**',
              credential: 'main',
              inject: { header: 'X-Key', format: 'k={value}' },
            },
            { host: 'api.example.com', port: otherPort, credential: 'spare' },
            { host: 'api.example.com', path: '/lent/**', credential: 'main' },
          ],
        },
      },
    },
  });
});
afterAll(async () => {
  await front[Symbol.asyncDispose]();
  await closeServer(upstream);
  await closeServer(other);
});
beforeEach(() => {
  seen.length = 0;
  front.lookups.length = 0;
  front.trail.events.length = 0;
});

async function ask(path: string, fields = '', body = '', host = `api.example.com:${port}`): Promise<string> {
  const wire = await front.dial();
  const method = body === '' ? 'GET' : 'POST';
  wire.send(
    `${method} http://${host}${path} HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: ${front.auth}\r\n${fields}Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  const text = await wire.until(answers(1));
  wire.socket.destroy();
  return text;
}
const auth = (): unknown => seen[0]?.headers.authorization;

describe('routes', () => {
  test('a route lends its credential on its host', async () => {
    expect(statusOf(await ask('/lent/x', 'Authorization: Bearer mine\r\nCookie: a=b\r\n'))).toBe(200);
    expect(auth()).toBe('Bearer the-real-token');
    expect(seen[0]?.headers.cookie).toBeUndefined();
    expect(front.events('ProxyEvent::RequestAllowed')).toMatchObject([{ credential: 'main' }]);
    expect(front.events('ActionEvent::Judged')).toMatchObject([{ target: { credential: 'main' } }]);
    expect(JSON.stringify(front.trail.events)).not.toContain('the-real-token');
  });

  test('a route of the top level holds for every tenant', async () => {
    await ask('/', '', '', `a.lent.example:${port}`);
    expect(auth()).toBe('Bearer the-real-token');
  });

  test('a route may name a path, and the first match counts', async () => {
    await ask('/spare/x');
    expect(auth()).toBe('Bearer another-token');
  });

  test('a route may name a port', async () => {
    await ask('/anything', '', '', `api.example.com:${otherPort}`);
    expect(auth()).toBe('Bearer another-token');
    seen.length = 0;
    await ask('/anything');
    expect(auth()).toBeUndefined();
  });

  test('inject says how the value is put in', async () => {
    await ask('/key/x');
    expect(seen[0]?.headers['x-key']).toBe('k=the-real-token');
    expect(auth()).toBeUndefined();
  });

  test('a path that servers read differently gets no credential by its path', async () => {
    await ask('/other/../lent/x');
    await ask('/lent%2fx');
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  test('[CR-5] a route to a credential that the session may not use is refused', async () => {
    const text = await ask('/foreign/x');
    expect(statusOf(text)).toBe(403);
    expect(errorOf(text)).toMatchObject({ code: 'CredentialNotAllowed' });
    expect(seen).toEqual([]);
    expect(front.events('ProxyEvent::RequestBlocked')).toHaveLength(1);
    expect(front.trail.events).toHaveLength(1);
  });
});

describe('X-Creds', () => {
  test('names the credential, and goes no further', async () => {
    await ask('/free', 'X-Creds: spare\r\n');
    expect(auth()).toBe('Bearer another-token');
    expect(seen[0]?.headers['x-creds']).toBeUndefined();
  });

  test.each([
    ['of another agent', 'X-Creds: foreign\r\n'],
    ['that does not exist', 'X-Creds: nothing\r\n'],
    ['that is empty', 'X-Creds:\r\n'],
    ['named twice', 'X-Creds: main\r\nX-Creds: spare\r\n'],
  ])('[CR-5] a credential %s is refused', async (_what, fields) => {
    expect(statusOf(await ask('/free', fields))).toBe(403);
    expect(seen).toEqual([]);
    expect(front.lookups).toEqual([]);
  });

  test('[CR-2] a credential on a host that it is not bound to is refused', async () => {
    const text = await ask('/', 'X-Creds: main\r\n', '', `elsewhere.example:${port}`);
    expect(errorOf(text)).toMatchObject({ code: 'CredentialNotAllowed' });
    expect(seen).toEqual([]);
  });
});

describe('placeholders', () => {
  const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';
  const placeholder = (): string => front.placeholders.placeholderOf(front.session.session, 'main');

  test.each([
    ['a header', () => [`Authorization: Bearer ${placeholder()}\r\n`, '']],
    ['Basic', () => [`Authorization: Basic ${Buffer.from(`x:${placeholder()}`).toString('base64')}\r\n`, '']],
    ['a field that the credential names', () => [FORM, `a=b&client_secret=${placeholder()}`]],
  ] as const)('are replaced in %s', async (_where, make) => {
    const [fields = '', body = ''] = make();
    expect(statusOf(await ask('/free', fields, body))).toBe(200);
    const sent = JSON.stringify(seen[0]) + Buffer.from(String(auth()).slice(6), 'base64').toString();
    expect(sent).toContain('the-real-token');
    expect(sent).not.toContain('sp-placeholder-');
  });

  test('[CR-7] are worthless on another host: refused, and an event says so', async () => {
    const text = await ask('/', `X-Thing: ${placeholder()}\r\n`, '', `elsewhere.example:${port}`);
    expect(statusOf(text)).toBe(403);
    expect(seen).toEqual([]);
    expect(front.events('ProxyEvent::RequestBlocked')).toMatchObject([{ code: 'CredentialNotAllowed' }]);
  });

  test('[CR-7] of another session are worthless', async () => {
    const stranger = await front.openSession();
    const theirs = front.placeholders.placeholderOf(stranger.session, 'main');
    expect(statusOf(await ask('/free', `Authorization: Bearer ${theirs}\r\n`))).toBe(403);
    expect(seen).toEqual([]);
  });

  test('a one-time reference works once', async () => {
    const { tenant, id } = front.session.session;
    const { reference } = front.references.issue({
      tenant,
      session: id,
      credential: 'main',
      host: 'api.example.com',
    });
    expect(statusOf(await ask('/free', FORM, `k=${reference}`))).toBe(200);
    expect(seen[0]?.body).toBe(`k=${reference}`);
    expect(statusOf(await ask('/free', FORM, `client_secret=${reference}`))).toBe(200);
    expect(seen[1]?.body).toBe('client_secret=the-real-token');
    expect(statusOf(await ask('/free', FORM, `client_secret=${reference}`))).toBe(403);
  });
});

describe('what is taken out', () => {
  test('strip_headers takes more headers out', async () => {
    await ask('/free', 'X-My-Key: mine\r\nX-Other: 1\r\n');
    expect(seen[0]?.headers).not.toHaveProperty('x-my-key');
    expect(seen[0]?.headers).toHaveProperty('x-other');
  });

  test('pass_auth lets the auth of the agent through to that host alone', async () => {
    await ask('/', 'Authorization: Bearer mine\r\n', '', `open.example:${port}`);
    await ask('/', 'Authorization: Bearer mine\r\n', '', `closed.example:${port}`);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer mine', undefined]);
  });
});
