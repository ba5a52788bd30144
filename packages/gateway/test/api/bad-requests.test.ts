import { ERRORS, type ErrorCode } from '@sallyport/protocol';
import { type HttpCall, httpClient, rawHttp, startTestGateway, type TestGateway } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    limits: { headersTimeoutMs: 300, requestTimeoutMs: 600, bodyBytes: 64 * 1024, headerBytes: 8 * 1024 },
  });
});
afterAll(() => gateway.close());

const json = { 'content-type': 'application/json' };
const open = { tenant_id: 'default', enrollment_secret: 'spe_wrong' };

interface Row {
  readonly why: string;
  readonly path: string;
  readonly call?: HttpCall;
  readonly code: ErrorCode;
}

const AGENT_SIDE: readonly Row[] = [
  { why: 'unknown address', path: '/nothing', code: 'NotFound' },
  { why: 'a path that climbs', path: '/healthz/../../etc/passwd', code: 'NotFound' },
  { why: 'a trailing slash', path: '/healthz/', code: 'NotFound' },
  { why: 'broken percent encoding', path: '/session/%zz', code: 'BadRequest' },
  { why: 'wrong method', path: '/session/new', call: { method: 'GET' }, code: 'MethodNotAllowed' },
  { why: 'a method nobody uses', path: '/healthz', call: { method: 'PROPFIND' }, code: 'MethodNotAllowed' },
  { why: 'TRACE', path: '/healthz', call: { method: 'TRACE' }, code: 'MethodNotAllowed' },
  { why: 'a CORS preflight', path: '/session/new', call: { method: 'OPTIONS' }, code: 'MethodNotAllowed' },
  { why: 'no body', path: '/session/new', call: { method: 'POST' }, code: 'BadRequest' },
  { why: 'an empty body', path: '/session/new', call: { body: '', headers: json }, code: 'BadRequest' },
  { why: 'not JSON', path: '/session/new', call: { body: '{"a":', headers: json }, code: 'BadRequest' },
  { why: 'JSON null', path: '/session/new', call: { json: null }, code: 'BadRequest' },
  { why: 'a list', path: '/session/new', call: { json: [] }, code: 'BadRequest' },
  { why: 'missing fields', path: '/session/new', call: { json: {} }, code: 'BadRequest' },
  {
    why: 'a wrong type',
    path: '/session/new',
    call: { json: { ...open, tenant_id: 1 } },
    code: 'BadRequest',
  },
  { why: 'an unknown key', path: '/session/new', call: { json: { ...open, user: 'x' } }, code: 'BadRequest' },
  {
    why: 'a prototype in JSON',
    path: '/session/new',
    call: { body: '{"__proto__":{"agent":"x"}}', headers: json },
    code: 'BadRequest',
  },
  {
    why: 'a body that is nested deeply',
    path: '/session/new',
    call: { body: `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, headers: json },
    code: 'BadRequest',
  },
  {
    why: 'bytes that are not UTF-8',
    path: '/session/new',
    call: { body: Buffer.from('7b22ff223a317d', 'hex'), headers: json },
    code: 'BadRequest',
  },
  {
    why: 'a huge body',
    path: '/session/new',
    call: { json: { ...open, agent: 'x'.repeat(100_000) } },
    code: 'PayloadTooLarge',
  },
  { why: 'no content type', path: '/session/new', call: { body: '{}' }, code: 'UnsupportedMediaType' },
  {
    why: 'a form',
    path: '/session/new',
    call: { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    code: 'UnsupportedMediaType',
  },
  {
    why: 'JSON called text, as a page may send without a preflight',
    path: '/session/new',
    call: { body: JSON.stringify(open), headers: { 'content-type': 'text/plain' } },
    code: 'UnsupportedMediaType',
  },
  { why: 'a wrong secret', path: '/session/new', call: { json: open }, code: 'NotAuthenticated' },
  { why: 'no token', path: '/session', code: 'NotAuthenticated' },
  { why: 'an unknown token', path: '/session', call: { token: 'spt_unknown' }, code: 'NotAuthenticated' },
  {
    why: 'another scheme',
    path: '/session',
    call: { headers: { authorization: 'Basic c3B0Og==' } },
    code: 'NotAuthenticated',
  },
  {
    why: 'a rebound name',
    path: '/healthz',
    call: { headers: { host: 'evil.test' } },
    code: 'HostNotAllowed',
  },
  {
    why: 'a foreign origin',
    path: '/healthz',
    call: { headers: { origin: 'https://evil.test' } },
    code: 'HostNotAllowed',
  },
  {
    why: 'an image on a foreign page',
    path: '/healthz',
    call: { headers: { 'sec-fetch-site': 'cross-site' } },
    code: 'HostNotAllowed',
  },
  { why: 'an odd expectation', path: '/healthz', call: { headers: { expect: 'tea' } }, code: 'BadRequest' },
];

const OPERATOR_SIDE: readonly Row[] = [
  { why: 'no token', path: '/v1/status', code: 'NotAuthenticated' },
  { why: 'no token, unknown address', path: '/v1/nothing', code: 'NotAuthenticated' },
  { why: 'no token, wrong method', path: '/v1/status', call: { method: 'PUT' }, code: 'NotAuthenticated' },
  {
    why: 'a rebound name',
    path: '/v1/status',
    call: { headers: { host: 'evil.test' } },
    code: 'HostNotAllowed',
  },
];

const WITH_TOKEN: readonly Row[] = [
  { why: 'unknown address', path: '/v1/nothing', code: 'NotFound' },
  { why: 'wrong method', path: '/v1/status', call: { method: 'DELETE' }, code: 'MethodNotAllowed' },
  { why: 'an unknown session', path: '/v1/sessions/sess_none', code: 'NotFound' },
  { why: 'an unknown event', path: '/v1/audit/events/evt_none', code: 'NotFound' },
  { why: 'an unknown key', path: '/v1/keys/key_none', call: { method: 'DELETE' }, code: 'NotFound' },
  { why: 'an unknown tenant', path: '/v1/enrollment', call: { json: { tenant: 'ghost' } }, code: 'NotFound' },
  { why: 'a limit of zero', path: '/v1/sessions?limit=0', code: 'BadRequest' },
  { why: 'a limit that is no number', path: '/v1/audit/events?limit=many', code: 'BadRequest' },
  { why: 'a forged cursor', path: '/v1/sessions?cursor=nonsense', code: 'BadRequest' },
  { why: 'a filter twice', path: '/v1/audit/events?tenant=a&tenant=b', code: 'BadRequest' },
  { why: 'an unknown filter', path: '/v1/audit/events?tennant=a', code: 'BadRequest' },
  { why: 'an unknown event type', path: '/v1/audit/events?type=Made::Up', code: 'BadRequest' },
  { why: 'a date that is none', path: '/v1/audit/events?since=yesterday', code: 'BadRequest' },
  { why: 'a stop that is no boolean', path: '/v1/stop', call: { json: { now: 'yes' } }, code: 'BadRequest' },
  {
    why: 'an origin of another local port',
    path: '/v1/status',
    call: { headers: { origin: 'http://127.0.0.1:3000' } },
    code: 'HostNotAllowed',
  },
];

function expectError(answer: { status: number; text: string }, code: ErrorCode): void {
  const body = JSON.parse(answer.text);
  expect({ status: answer.status, code: body.error?.code }).toEqual({ status: ERRORS[code].status, code });
  expect(Object.keys(body)).toEqual(['error']);
  expect(['code', 'message', 'hint', 'details']).toEqual(expect.arrayContaining(Object.keys(body.error)));
  expect(body.error.message).toMatch(/^[^A-Z\n].*[^.\n]$|^the /);
  expect(answer.text).not.toMatch(/\bat .*\.(ts|js):\d+|node_modules/);
}

describe('every refusal has the one error shape', () => {
  const client = (side: 'agent' | 'operator') =>
    httpClient({ url: side === 'agent' ? gateway.urls.api : gateway.urls.operator });

  test.each(AGENT_SIDE)('agent side, $why: $code', async ({ path, call, code }) => {
    expectError(await client('agent')(path, call), code);
  });
  test.each(OPERATOR_SIDE)('operator side, $why: $code', async ({ path, call, code }) => {
    expectError(await client('operator')(path, call), code);
  });
  test.each(WITH_TOKEN)('operator, $why: $code', async ({ path, call, code }) => {
    expectError(await client('operator')(path, { token: gateway.operatorToken, ...call }), code);
  });

  test('a validation error names each field', async () => {
    const answer = await client('agent')('/session/new', { json: { tenant_id: 1, enrollment_secret: '' } });
    const { details } = answer.json<{ error: { details: { fields: { path: string }[] } } }>().error;
    expect(details.fields.map((field) => field.path).toSorted()).toEqual(['enrollment_secret', 'tenant_id']);
  });

  test('a wrong method is answered with the right ones', async () => {
    const answer = await client('agent')('/session', { method: 'PATCH' });
    expect(answer.headers.allow).toBe('DELETE, GET');
  });
});

describe('what is not HTTP, or not in time, is answered and cut', () => {
  const head = 'Host: localhost\r\n';
  test.each<{ why: string; bytes: string; code: ErrorCode }>([
    { why: 'no HTTP at all', bytes: 'hello\r\n\r\n', code: 'BadRequest' },
    {
      why: 'headers that never end',
      bytes: `GET /healthz HTTP/1.1\r\n${head}X-Slow: `,
      code: 'RequestTimeout',
    },
    {
      why: 'a body that never comes',
      bytes: `POST /session/new HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{`,
      code: 'RequestTimeout',
    },
    {
      why: 'headers beyond the limit',
      bytes: `GET /healthz HTTP/1.1\r\n${head}X-Big: ${'x'.repeat(20_000)}\r\n\r\n`,
      code: 'HeadersTooLarge',
    },
    {
      why: 'two lengths',
      bytes: `POST /session/new HTTP/1.1\r\n${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
      code: 'BadRequest',
    },
    {
      why: 'a length and chunks',
      bytes: `POST /session/new HTTP/1.1\r\n${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      code: 'BadRequest',
    },
    {
      why: 'a bare line feed in a header',
      bytes: `GET / HTTP/1.1\r\n${head}A: b\nC: d\r\n\r\n`,
      code: 'BadRequest',
    },
    { why: 'no Host', bytes: 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', code: 'HostNotAllowed' },
    {
      why: 'two Hosts',
      bytes: 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.test\r\nConnection: close\r\n\r\n',
      code: 'HostNotAllowed',
    },
    {
      why: 'two credentials',
      bytes: `GET /session HTTP/1.1\r\n${head}Authorization: Bearer a\r\nAuthorization: Bearer b\r\nConnection: close\r\n\r\n`,
      code: 'BadRequest',
    },
    {
      why: 'a whole URL as target, past the Host check',
      bytes: `GET http://evil.test/healthz HTTP/1.1\r\n${head}Connection: close\r\n\r\n`,
      code: 'BadRequest',
    },
  ])('$why: $code', async ({ bytes, code }) => {
    const answer = await rawHttp(gateway.ports.api, bytes);
    expectError({ status: answer.status, text: answer.body }, code);
    expect(answer.head.toLowerCase()).toContain('x-content-type-options: nosniff');
  });
});

test('answers carry the security headers and no CORS header', async () => {
  for (const path of ['/healthz', '/nothing', '/session']) {
    const { headers } = await httpClient({ url: gateway.urls.api })(path, {
      headers: { origin: gateway.urls.api },
    });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(headers).not.toHaveProperty('x-powered-by');
  }
});
