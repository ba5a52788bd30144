import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { listenOnFreePort, tempDir } from '@sallyport/testkit';
import { rounds } from '@sallyport/testkit/rounds';
import { afterEach, expect, test } from 'vitest';
import { endSpawned, readSecret, spawnGateway } from './spawn-gateway.ts';

afterEach(endSpawned);

const ROUNDS = rounds(4);
const CALLERS = 8;

test('[TR-1] [TR-4] [TR-5] a write that a host has seen is in the trail once, though the gateway was killed that moment', {
  timeout: 120_000,
}, async () => {
  const dir = await tempDir();
  const seen: string[] = [];
  let onWrite: () => void = () => {};
  const server = createServer((incoming, response) => {
    seen.push(incoming.url ?? '');
    onWrite();
    response.end('ok');
  });
  const port = await listenOnFreePort(server);
  try {
    const home = join(dir.path, 'home');
    await mkdir(home, { mode: 0o700 });
    await writeFile(join(home, 'sallyport.yaml'), configFor(port), { mode: 0o600 });
    for (let round = 0; round < ROUNDS; round += 1) {
      const gateway = spawnGateway({ home });
      const ports = (await gateway.started) as { readonly proxy: number; readonly api: number } | undefined;
      if (ports === undefined) throw new Error((await gateway.ended).stderr);
      const token = await openSession(home, ports.api);
      const last = seen.length + 30 + Math.floor(Math.random() * 200);
      onWrite = () => {
        if (seen.length >= last) gateway.process.kill('SIGKILL');
      };
      let n = 0;
      const nextUrl = (): string => {
        n += 1;
        return `http://localhost:${port}/${round}-${n}`;
      };
      const callers = Array.from({ length: CALLERS }, async () => {
        while (await post(ports.proxy, token, nextUrl()));
      });
      await Promise.all(callers);
      expect((await gateway.ended).signal).toBe('SIGKILL');
    }
    const next = spawnGateway({ home });
    await next.started;
    next.process.kill('SIGTERM');
    await next.ended;

    const recorded = recordedPaths(home);
    expect(seen.length).toBeGreaterThan(ROUNDS * 30);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((path) => recorded.filter((one) => one === path).length !== 1)).toEqual([]);
  } finally {
    server.closeAllConnections();
    server.close();
    await dir.remove();
  }
});

function configFor(port: number): string {
  return `
tenants:
  default:
    mode: cautious
    default_user: ana
    default_agent: dev
    users:
      ana: { roles: [owner] }
    exceptions: ["http(localhost)"]
roles:
  owner: { allow: ["agent:*", "tool:*", "approve:*"] }
agents:
  dev: {}
permissions:
  - "allow:*"
network:
  default: allow
  allow_private: ["localhost:${port}"]
`;
}

async function openSession(home: string, port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/session/new`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      tenant_id: 'default',
      enrollment_secret: await readSecret(home, 'enrollment.secret'),
    }),
  });
  expect(answer.status).toBe(201);
  const { session_token } = (await answer.json()) as { readonly session_token: string };
  return session_token;
}

/** Whether an answer came. */
function post(proxyPort: number, token: string, url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request({
      host: '127.0.0.1',
      port: proxyPort,
      path: url,
      method: 'POST',
      headers: { host: new URL(url).host, 'proxy-authorization': `Bearer ${token}` },
    });
    call.on('response', (response) => {
      expect(response.statusCode).toBe(200);
      response.resume().on('end', () => resolve(true));
      response.on('error', () => resolve(false));
    });
    call.on('error', () => resolve(false));
    call.end('x'.repeat(100));
  });
}

/** Paths of the verdicts on writes, with or without how they ended. */
function recordedPaths(home: string): readonly string[] {
  const db = new DatabaseSync(join(home, 'sallyport.db'), { readOnly: true });
  const rows = db.prepare('SELECT json FROM events').all();
  db.close();
  return rows.flatMap(({ json }) => {
    const { data } = JSON.parse(String(json)) as { data: { judged?: string; target?: { path?: string } } };
    return data.judged === undefined || data.target?.path === undefined ? [] : [data.target.path];
  });
}
