import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { type RunningGateway, startGateway } from '@sallyport/gateway';
import { createTestCa, httpClient, type TempDir, tempDir, waitFor } from '@sallyport/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';

const CONFIG = `
tenants: { default: {} }
api: { tls: { cert: tls.pem, key: tls.key }, allowed_hosts: [gate.internal] }
`;
/** somebody who may open a session */
const PEOPLE = `
tenants:
  default: { default_user: ana, default_agent: dev, users: { ana: { roles: [member] } } }
roles: { member: { allow: ["agent:*", "tool:*"] } }
agents: { dev: { permissions: ["allow:*"] } }
`;

let dir: TempDir;
let running: RunningGateway | undefined;
beforeEach(async () => {
  dir = await tempDir();
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  await dir.remove();
});

async function start(config: string): Promise<RunningGateway> {
  await writeFile(join(dir.path, 'sallyport.yaml'), config);
  running = await startGateway({
    home: dir.path,
    env: { USER: 'tester' },
    ports: { api: 0, proxy: 0, ssh: 0, operator: 0 },
    ownsProcess: false,
    log: { write: () => {} },
  });
  return running;
}

test('with `api.tls` both sides speak TLS and nothing else', async () => {
  const ca = await createTestCa();
  const { cert, key } = await ca.issue(['localhost', '127.0.0.1', 'gate.internal', 'evil.test']);
  await writeFile(join(dir.path, 'tls.pem'), cert);
  await writeFile(join(dir.path, 'tls.key'), key, { mode: 0o600 });
  const { urls } = await start(CONFIG);
  for (const url of [urls.api, urls.operator]) {
    const call = httpClient({ url, ca: ca.cert });
    const answer = await call('/healthz');
    expect(answer.status).toBe(200);
    expect(answer.headers['strict-transport-security']).toContain('max-age');
    expect((await call('/healthz', { headers: { host: 'gate.internal' } })).status).toBe(200);
    expect((await call('/healthz', { headers: { host: 'evil.test' } })).status).toBe(421);
    await expect(httpClient({ url })('/healthz')).rejects.toThrow(/certificate/);
    await expect(httpClient({ url: url.replace('https', 'http') })('/healthz')).rejects.toThrow();
  }
});

test('an MCP message is answered over TLS, and the connection then serves other addresses', async () => {
  const ca = await createTestCa();
  const { cert, key } = await ca.issue(['localhost', '127.0.0.1']);
  await writeFile(join(dir.path, 'tls.pem'), cert);
  await writeFile(join(dir.path, 'tls.key'), key, { mode: 0o600 });
  const { urls, ports } = await start(CONFIG.replace('tenants: { default: {} }\n', PEOPLE));
  const secret = (await readFile(join(dir.path, 'enrollment.secret'), 'utf8')).trim();
  const opened = await httpClient({ url: urls.api, ca: ca.cert })('/session/new', {
    json: { tenant_id: 'default', enrollment_secret: secret },
  });
  const { session_token: token } = opened.json<{ session_token: string }>();
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const head = `Host: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer ${token}\r\n`;
  const socket = connect({ host: '127.0.0.1', port: ports.api, servername: 'localhost', ca: ca.cert });
  let seen = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    seen += chunk;
  });
  socket.write(`POST /mcp HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  await waitFor('the answer to `initialize`', () => expect(seen).toContain('"serverInfo"'));
  expect(seen).toMatch(/\r\nstrict-transport-security: max-age=\d+\r\n/);
  // Written without node's server, which keeps the case of the name.
  expect(seen).toContain('\r\nContent-Length: ');
  seen = '';
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await waitFor('the answer to the call', () => expect(seen).toContain('"ok"'));
  socket.destroy();
});

test('a TLS key that others can read is refused', async () => {
  const { cert, key } = await (await createTestCa()).issue(['localhost']);
  await writeFile(join(dir.path, 'tls.pem'), cert);
  await writeFile(join(dir.path, 'tls.key'), key, { mode: 0o644 });
  await expect(start(CONFIG)).rejects.toMatchObject({ code: 'SecretExposed' });
});

test('a key that does not belong to the certificate is refused', async () => {
  const ca = await createTestCa();
  await writeFile(join(dir.path, 'tls.pem'), (await ca.issue(['localhost'])).cert);
  await writeFile(join(dir.path, 'tls.key'), (await ca.issue(['localhost'])).key, { mode: 0o600 });
  await expect(start(CONFIG)).rejects.toMatchObject({ code: 'ConfigInvalid' });
});

test('beyond loopback it wants TLS, or an explicit `insecure`', async () => {
  const open = 'tenants: { default: {} }\napi: { host: 0.0.0.0 }\n';
  await expect(start(open)).rejects.toMatchObject({ code: 'ConfigInvalid' });
  const { urls } = await start(open.replace('0.0.0.0', '0.0.0.0, insecure: true'));
  expect((await httpClient({ url: urls.api })('/healthz')).status).toBe(200);
});
