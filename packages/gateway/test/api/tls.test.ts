import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunningGateway, startGateway } from '@sallyport/gateway';
import { createTestCa, httpClient, type TempDir, tempDir } from '@sallyport/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';

const CONFIG = `
tenants: { default: {} }
api: { tls: { cert: tls.pem, key: tls.key }, allowed_hosts: [gate.internal] }
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
    ports: { api: 0, proxy: 0, operator: 0 },
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
