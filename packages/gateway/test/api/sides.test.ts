import { type HttpClient, httpClient, startTestGateway, type TestGateway } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** Served on both sides on purpose: they say nothing that an agent may not know. */
const SHARED = new Set(['/healthz', '/health', '/openapi.json']);

interface Route {
  readonly method: string;
  /** with its parameters filled in */
  readonly path: string;
}

let gateway: TestGateway;
let agentSide: HttpClient;
let operatorSide: HttpClient;
let socketSide: HttpClient;
let operatorRoutes: readonly Route[];
let agentRoutes: readonly Route[];

beforeAll(async () => {
  gateway = await startTestGateway();
  agentSide = httpClient({ url: gateway.urls.api });
  operatorSide = httpClient({ url: gateway.urls.operator });
  socketSide = httpClient({ url: 'http://localhost', socketPath: gateway.operatorSocket });
  operatorRoutes = await routesOf(operatorSide, gateway.operatorToken);
  agentRoutes = await routesOf(agentSide);
});
afterAll(() => gateway.close());

async function routesOf(client: HttpClient, token?: string): Promise<readonly Route[]> {
  const answer = await client('/openapi.json', token === undefined ? {} : { token });
  const { paths } = answer.json<{ paths: Record<string, Record<string, unknown>> }>();
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{[^}]+\}/g, 'sess_x'),
    })),
  );
}

test('the lists of routes hold what this suite is to walk, and the agent side holds nothing else', () => {
  const operator = operatorRoutes.map(({ method, path }) => `${method} ${path}`);
  const always = [
    'DELETE /v1/keys/sess_x',
    'DELETE /v1/sessions/sess_x',
    'GET /health',
    'GET /healthz',
    'GET /metrics',
    'GET /openapi.json',
    'GET /v1/audit/events',
    'GET /v1/audit/events/sess_x',
    'GET /v1/audit/export',
    'GET /v1/config',
    'GET /v1/events',
    'GET /v1/keys',
    'GET /v1/sessions',
    'GET /v1/sessions/sess_x',
    'GET /v1/status',
    'POST /v1/audit/verify',
    'POST /v1/config/reload',
    'POST /v1/enrollment',
    'POST /v1/keys',
    'POST /v1/sessions',
    'POST /v1/stop',
  ];
  expect(operator).toEqual(expect.arrayContaining(always));
  expect(agentRoutes.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    'DELETE /mcp',
    'DELETE /mcp/sess_x',
    'DELETE /session',
    'DELETE /v1/allow-rules/sess_x',
    'GET /health',
    'GET /healthz',
    'GET /mcp',
    'GET /mcp/sess_x',
    'GET /openapi.json',
    'GET /session',
    'GET /v1/allow-rules',
    'GET /v1/approvals/sess_x',
    'GET /v1/approvals/sess_x/events',
    'GET /v1/ssh',
    'POST /mcp',
    'POST /mcp/sess_x',
    'POST /session/new',
    'POST /session/renew',
    'POST /v1/access',
    'POST /v1/approvals',
    'POST /v1/dispatch-gateway',
    'POST /v1/hooks/sess_x',
    'POST /v1/inbox/email-reply',
    'POST /v1/seal/attest',
    'POST /v1/ssh/keys',
  ]);
});

test('the agent side tells how MCP and SEAL are spoken, bodies included', async () => {
  const { paths } = (await agentSide('/openapi.json')).json<{
    paths: Record<string, Record<string, object>>;
  }>();
  const json = (schema: object) => ({
    content: { 'application/json': { schema: expect.objectContaining(schema) } },
  });
  expect(paths['/mcp']?.post).toMatchObject({
    summary: expect.stringMatching(/^MCP over Streamable HTTP/),
    requestBody: json({ type: 'object' }),
    responses: { 200: json({ type: 'object' }) },
  });
  expect(paths['/v1/seal/attest']?.post).toMatchObject({
    requestBody: json({}),
    responses: { 200: json({}) },
  });
  expect(paths['/v1/dispatch-gateway']?.post).toMatchObject({ requestBody: json({ type: 'object' }) });
});

test('[ID-1] no operator route exists on the agent side, not even for the operator', async () => {
  // Some addresses mean an operator's view on one side and a client's own on the other: there the operator token
  // is worth nothing, and what only the operator may do is not taken.
  const own = new Set(agentRoutes.map(({ method, path }) => `${method} ${path}`));
  const ownPaths = new Set(agentRoutes.map(({ path }) => path));
  const refusalOf = ({ method, path }: Route): object => {
    if (own.has(`${method} ${path}`)) return { status: 401, code: 'NotAuthenticated' };
    if (ownPaths.has(path)) return { status: 405, code: 'MethodNotAllowed' };
    return { status: 404, code: 'NotFound' };
  };
  for (const route of operatorRoutes.filter(({ path }) => !SHARED.has(path))) {
    for (const token of [undefined, gateway.operatorToken]) {
      const answer = await agentSide(route.path, {
        method: route.method,
        ...(token === undefined ? {} : { token }),
      });
      expect({ route, status: answer.status, code: answer.json<ErrorAnswer>().error.code }).toEqual({
        route,
        ...refusalOf(route),
      });
    }
  }
});

interface ErrorAnswer {
  readonly error: { readonly code: string };
}

describe('[ID-2] no agent credential is accepted on the operator side', () => {
  test.each(['session token', 'API key', 'enrollment secret', 'inbox secret', 'nothing at all'])(
    'with %s every route answers 401, over the port and over the socket',
    async (kind) => {
      const credentials: Record<string, string | undefined> = {
        'session token': (await gateway.openSession()).session_token,
        'API key': gateway.apiKey,
        'enrollment secret': gateway.enrollmentSecret,
        'inbox secret': gateway.inboxSecret,
      };
      const token = credentials[kind];
      const open = new Set(token === undefined ? SHARED : []);
      for (const client of [operatorSide, socketSide]) {
        for (const route of operatorRoutes.filter(({ path }) => !open.has(path))) {
          const answer = await client(route.path, {
            method: route.method,
            ...(token === undefined ? {} : { token }),
          });
          expect({ route, status: answer.status }).toEqual({ route, status: 401 });
        }
      }
    },
  );

  test('the operator token in any other place is not read', async () => {
    const token = gateway.operatorToken;
    for (const headers of [
      { 'x-api-key': token },
      { cookie: `token=${token}` },
      { authorization: token },
      { authorization: `Basic ${Buffer.from(`operator:${token}`).toString('base64')}` },
      { 'proxy-authorization': `Bearer ${token}` },
    ]) {
      expect((await operatorSide('/v1/status', { headers })).status).toBe(401);
    }
    expect((await operatorSide(`/v1/status?token=${token}`)).status).toBe(401);
    expect((await operatorSide('/v1/status', { token: `${token}x` })).status).toBe(401);
    expect((await operatorSide('/v1/status', { token: token.slice(0, -1) })).status).toBe(401);
    expect((await operatorSide('/v1/status', { token })).status).toBe(200);
    expect((await socketSide('/v1/status', { token })).status).toBe(200);
  });
});

test('the operator token is worth nothing on the agent side', async () => {
  expect((await agentSide('/session', { token: gateway.operatorToken })).status).toBe(401);
});
