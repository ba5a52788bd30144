import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { join } from 'node:path';
import { StatusSchema } from '@sallyport/protocol';
import { listenOnFreePort, startTestGateway, type TestGateway, waitFor } from '@sallyport/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';

// A gateway whose files are taken away under it: nothing is acknowledged any more, nothing passes, and it says why [TR-7].

const QUESTION = { session_id: 's1', action_type: 'exec_cmd', title: 'Run command', preview: 'git push' };

let gateway: TestGateway;
let host: Server;
let seen: string[];
let port: number;

beforeEach(async () => {
  seen = [];
  host = createServer((incoming, response) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    response.end('ok');
  });
  port = await listenOnFreePort(host);
  gateway = await startTestGateway({
    config: `
tenants:
  default:
    mode: cautious
    default_user: ana
    default_agent: dev
    users: { ana: { roles: [owner] } }
    exceptions: ["http(localhost)"]
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents: { dev: {} }
permissions: ["allow:*"]
network: { default: allow, allow_private: ["localhost:${port}"] }
`,
  });
});
afterEach(async () => {
  await gateway.close();
  host.closeAllConnections();
  host.close();
});

/** The status of a request through the proxy. */
function proxied(token: string, method: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request({
      ...{ host: '127.0.0.1', port: gateway.ports.proxy, method },
      path: `http://localhost:${port}${path}`,
      headers: { host: `localhost:${port}`, 'proxy-authorization': `Bearer ${token}` },
    });
    call.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)));
    call.on('error', reject);
    call.end(method === 'POST' ? 'x' : undefined);
  });
}

async function ask(): Promise<string> {
  const answer = await gateway.agent('/v1/approvals', { token: gateway.apiKey, json: QUESTION });
  expect(answer.status).toBe(201);
  return answer.json<{ approval_id: string }>().approval_id;
}

const decide = async (id: string): Promise<number> =>
  (await gateway.operator(`/v1/approvals/${id}/decision`, { json: { code: '1' } })).status;

const inHome = (name: string): string => join(gateway.home, name);

const LOSSES: readonly { readonly what: string; readonly file: string; apply(file: string): void }[] = [
  { what: 'the database was removed', file: 'sallyport.db', apply: (file) => rmSync(file) },
  {
    what: 'a backup was copied over the database',
    file: 'sallyport.db',
    apply: (file) => {
      copyFileSync(file, `${file}.backup`);
      copyFileSync(`${file}.backup`, file);
    },
  },
  { what: 'its log was removed', file: 'sallyport.db-wal', apply: (file) => rmSync(file) },
  {
    what: 'the journal was replaced by a copy of itself',
    file: 'audit.journal',
    apply: (file) => {
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    },
  },
  { what: 'the file of the lock was removed', file: 'gateway.lock', apply: (file) => rmSync(file) },
];

test.each(LOSSES)(
  '[TR-7] $what: nothing is acknowledged, nothing passes, and status says why',
  async ({ file, apply }) => {
    const { session_token: token } = await gateway.openSession();
    expect(await proxied(token, 'POST', '/before')).toBe(200);
    // The journal is made with the first write, and takes the next ones.
    await waitFor('a request that passes', async () =>
      expect(await proxied(token, 'POST', '/before')).toBe(200),
    );
    const [answered, open] = [await ask(), await ask()];
    expect(await decide(answered)).toBe(200);
    const before = seen.length;

    apply(inHome(file));

    const results = await Promise.all([
      proxied(token, 'POST', '/after'),
      decide(open),
      gateway.agent('/v1/approvals', { token: gateway.apiKey, json: QUESTION }).then(({ status }) => status),
      gateway
        .agent('/session/new', {
          json: { tenant_id: 'default', enrollment_secret: gateway.enrollmentSecret },
        })
        .then(({ status }) => status),
      gateway.operator('/v1/keys', { json: { tenant: 'default', name: 'new' } }).then(({ status }) => status),
    ]);
    expect(results.filter((status) => status < 400)).toEqual([]);
    expect(await proxied(token, 'POST', '/again')).toBeGreaterThanOrEqual(500);
    expect(await proxied(token, 'GET', '/read')).toBeGreaterThanOrEqual(500);
    expect(seen.slice(before)).toEqual([]);

    const status = StatusSchema.parse((await gateway.operator('/v1/status')).json());
    expect(status.refusing_writes).toMatchObject({
      message: expect.stringContaining(inHome(file)),
      hint: expect.stringContaining('sallyport stop'),
    });
    for (const side of [gateway.agent, gateway.operator]) {
      const health = await side('/healthz');
      expect(health.status).toBe(503);
      expect(health.json()).toMatchObject({
        error: { code: 'AuditUnavailable', hint: expect.stringContaining('sallyport status') },
      });
      expect(health.text).not.toContain(gateway.home);
    }
    expect(gateway.log.filter((line) => line.includes('writes are refused'))).toHaveLength(1);
  },
);

test('[TR-7] a trail in another file is not what `audit verify` speaks of', async () => {
  rmSync(inHome('sallyport.db'));
  const answer = await gateway.operator('/v1/audit/verify', { json: {} });
  expect(answer.status).toBe(500);
  expect(answer.json()).toMatchObject({ error: { code: 'StoreUnusable' } });
});

test('a gateway that records says so', async () => {
  const status = StatusSchema.parse((await gateway.operator('/v1/status')).json());
  expect(status.refusing_writes).toBeNull();
});
