import { chmod, chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startGateway } from '@sallyport/gateway';
import { listenOnFreePort, type TempDir, tempDir } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endSpawned, refusalOf, spawnGateway } from './spawn-gateway.ts';

let dir: TempDir;
let home: string;
beforeEach(async () => {
  dir = await tempDir();
  home = join(dir.path, 'home');
});
afterEach(async () => {
  await endSpawned();
  await dir.remove();
});

async function refusal(options: Partial<Parameters<typeof spawnGateway>[0]> = {}) {
  return refusalOf(await spawnGateway({ home, ...options }).ended);
}

/** A first start, in this process: only what must end with an exit code needs one of its own. */
async function startAndStop(): Promise<void> {
  const gateway = await startGateway({
    home,
    env: { USER: 'tester' },
    ports: { api: 0, proxy: 0, ssh: 0, operator: 0 },
    ownsProcess: false,
    log: { write: () => {} },
  });
  await gateway.close();
}

describe('a gateway that cannot start says why in one line, what to do in another, and exits with 1', () => {
  test.each([
    { name: 'api' as const, flag: '--api-port' },
    { name: 'proxy' as const, flag: '--proxy-port' },
    { name: 'ssh' as const, flag: '--ssh-port' },
    { name: 'operator' as const, flag: '--operator-port' },
  ])('$name port taken', async ({ name, flag }) => {
    const other = createServer();
    const port = await listenOnFreePort(other);
    const { message, hint } = await refusal({ ports: { [name]: port } });
    other.close();
    expect(message).toContain(`port ${port}`);
    expect(hint).toContain(flag);
  });

  test('home is a file', async () => {
    await writeFile(home, '');
    expect((await refusal()).message).toContain(home);
  });

  test('home is read-only', async () => {
    await mkdir(home, { mode: 0o500 });
    const nobody = process.getuid?.() === 0 ? 65_534 : undefined;
    if (nobody !== undefined) {
      await chmod(dir.path, 0o755);
      await chown(home, nobody, nobody);
    }
    const { message } = await refusal(nobody === undefined ? {} : { uid: nobody });
    await chmod(home, 0o700);
    expect(message).toContain(home);
  });

  test('home path too long for the operator socket', async () => {
    home = join(dir.path, 'x'.repeat(120));
    expect((await refusal()).message).toMatch(/too long/);
  });

  test('a second gateway on the same home is told the pid of the first, which runs on', async () => {
    const first = spawnGateway({ home });
    const ports = await first.started;
    const { message } = await refusal();
    expect(message).toContain(`pid ${first.process.pid}`);
    const runtime = JSON.parse(await readFile(join(home, 'runtime.json'), 'utf8'));
    expect(runtime).toEqual({ pid: first.process.pid, ports });
    expect((await fetch(`http://127.0.0.1:${ports?.api}/healthz`)).status).toBe(200);
  });

  test('of two that start on an empty home at the same time exactly one runs', async () => {
    const both = [spawnGateway({ home }), spawnGateway({ home })];
    const started = await Promise.all(both.map((one) => one.started));
    expect(started.filter((ports) => ports !== undefined)).toHaveLength(1);
    const loser = both[started.indexOf(undefined)]!;
    expect(refusalOf(await loser.ended).message).toContain('another gateway');
  });

  test('a database of a newer version', async () => {
    await startAndStop();
    const db = new DatabaseSync(join(home, 'sallyport.db'));
    db.exec(`INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-from-the-future', '2099-01-01')`);
    db.close();
    expect((await refusal()).message).toMatch(/newer/);
  });

  test('a corrupt database, which is left as it was', async () => {
    await startAndStop();
    const file = join(home, 'sallyport.db');
    const garbage = Buffer.alloc(65_536, 'not a database ');
    await writeFile(file, garbage);
    expect((await refusal()).message).toContain(file);
    expect((await readFile(file)).equals(garbage)).toBe(true);
  });

  test('an operator token that others can read', async () => {
    await startAndStop();
    await chmod(join(home, 'operator.token'), 0o644);
    const { message, hint } = await refusal();
    expect(message).toContain('operator.token');
    expect(hint).toContain('chmod 600');
  });

  test('a config that is not valid, with its place', async () => {
    await startAndStop();
    await writeFile(join(home, 'sallyport.yaml'), 'tenants:\n  default:\n    usres: {}\n');
    expect((await refusal()).message).toMatch(/sallyport\.yaml:3:\d+/);
  });

  test('beyond loopback without TLS', async () => {
    await startAndStop();
    await writeFile(join(home, 'sallyport.yaml'), 'tenants: { default: {} }\napi: { host: 0.0.0.0 }\n');
    expect((await refusal()).message).toMatch(/sallyport\.yaml:2:/);
  });
});

test('a start that fails late leaves nothing listening, no lock and no runtime file', async () => {
  const other = createServer();
  const port = await listenOnFreePort(other);
  await refusal({ ports: { operator: port } });
  other.close();
  await expect(stat(join(home, 'runtime.json'))).rejects.toThrow('ENOENT');
  await startAndStop();
});
