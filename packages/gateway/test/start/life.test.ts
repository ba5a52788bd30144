import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { httpClient, type TempDir, tempDir } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endSpawned, readSecret, spawnGateway } from './spawn-gateway.ts';

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

const SECRETS = ['operator.token', 'api.key', 'enrollment.secret', 'inbox.secret'];

/** Event types in the database, in order. Read after the process has ended. */
function eventTypes(): readonly string[] {
  const db = new DatabaseSync(join(home, 'sallyport.db'), { readOnly: true });
  const rows = db.prepare("SELECT type FROM events WHERE tenant = 'default' ORDER BY seq").all();
  db.close();
  return rows.map((row) => String(row.type));
}

async function openSession(port: number): Promise<string> {
  const answer = await httpClient({ url: `http://127.0.0.1:${port}` })('/session/new', {
    json: { tenant_id: 'default', enrollment_secret: await readSecret(home, 'enrollment.secret') },
  });
  expect(answer.status).toBe(201);
  return answer.json<{ session_token: string }>().session_token;
}

describe('the first start', () => {
  test('makes everything it needs, for the owner only, and a second start finds it', async () => {
    const first = spawnGateway({ home });
    const ports = await first.started;
    expect((await stat(home)).mode & 0o777).toBe(0o700);
    for (const file of [...SECRETS, 'runtime.json', 'operator.sock', 'sallyport.db']) {
      expect({ file, mode: (await stat(join(home, file))).mode & 0o777 }).toEqual({ file, mode: 0o600 });
    }
    expect(JSON.parse(await readFile(join(home, 'runtime.json'), 'utf8'))).toEqual({
      pid: first.process.pid,
      ports,
    });
    await openSession(ports!.api);
    const before = await Promise.all(SECRETS.map((file) => readSecret(home, file)));
    expect(new Set(before).size).toBe(SECRETS.length);
    first.process.kill('SIGTERM');
    await first.ended;

    const second = spawnGateway({ home });
    const again = await second.started;
    expect(await Promise.all(SECRETS.map((file) => readSecret(home, file)))).toEqual(before);
    await openSession(again!.api);
  });
});

describe('the end', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s stops it in order, with exit code 0', async (signal) => {
    const gateway = spawnGateway({ home });
    await gateway.started;
    gateway.process.kill(signal);
    const ended = await gateway.ended;
    expect({ code: ended.code, signal: ended.signal }).toEqual({ code: 0, signal: null });
    await expect(stat(join(home, 'runtime.json'))).rejects.toThrow('ENOENT');
    await expect(stat(join(home, 'operator.sock'))).rejects.toThrow('ENOENT');
    expect(eventTypes().filter((type) => type.startsWith('GatewayEvent'))).toEqual([
      'GatewayEvent::Started',
      'GatewayEvent::Stopped',
    ]);
  });

  test('after kill -9 the next start takes over, and what was acknowledged is still there', async () => {
    const first = spawnGateway({ home });
    const ports = await first.started;
    const token = await openSession(ports!.api);
    first.process.kill('SIGKILL');
    await first.ended;
    await stat(join(home, 'runtime.json'));

    const second = spawnGateway({ home });
    const again = await second.started;
    const runtime = JSON.parse(await readFile(join(home, 'runtime.json'), 'utf8'));
    expect(runtime.pid).toBe(second.process.pid);
    const session = await httpClient({ url: `http://127.0.0.1:${again!.api}` })('/session', { token });
    expect(session.status).toBe(200);
  });

  test('runtime.json is whole whenever it is there, and that of a killed run goes before anything listens', async () => {
    const first = spawnGateway({ home });
    await first.started;
    first.process.kill('SIGKILL');
    await first.ended;
    const second = spawnGateway({ home });
    const seen: unknown[] = [];
    const look = async (): Promise<void> => {
      const text = await readFile(join(home, 'runtime.json'), 'utf8').catch(() => undefined);
      const now = text === undefined ? 'none' : JSON.parse(text).pid;
      if (seen.at(-1) !== now) seen.push(now);
    };
    let running = true;
    const started = second.started.finally(() => {
      running = false;
    });
    while (running) {
      await look();
      await new Promise(setImmediate);
    }
    const ports = await started;
    await look();
    expect(seen).toEqual([first.process.pid, 'none', second.process.pid]);
    expect(JSON.parse(await readFile(join(home, 'runtime.json'), 'utf8'))).toEqual({
      pid: second.process.pid,
      ports,
    });
  });

  test('the kill switch ends every session, then the process, and writes both down', async () => {
    const gateway = spawnGateway({ home });
    const ports = await gateway.started;
    await openSession(ports!.api);
    const token = await openSession(ports!.api);
    const answer = await httpClient({ url: `http://127.0.0.1:${ports!.operator}` })('/v1/stop', {
      token: await readSecret(home, 'operator.token'),
      json: { now: true },
    });
    expect(answer.json()).toEqual({ stopping: true, sessions_ended: 2 });
    expect((await gateway.ended).code).toBe(0);
    expect(eventTypes().filter((type) => /Ended|Killed/.test(type))).toEqual([
      'SessionEvent::Ended',
      'SessionEvent::Ended',
      'GatewayEvent::Killed',
    ]);

    const next = spawnGateway({ home });
    const again = await next.started;
    const session = await httpClient({ url: `http://127.0.0.1:${again!.api}` })('/session', { token });
    expect(session.status).toBe(401);
  });

  test('`POST /v1/stop` without `now` keeps the sessions', async () => {
    const gateway = spawnGateway({ home });
    const ports = await gateway.started;
    const session = await openSession(ports!.api);
    const answer = await httpClient({ url: 'http://localhost', socketPath: join(home, 'operator.sock') })(
      '/v1/stop',
      { token: await readSecret(home, 'operator.token'), method: 'POST' },
    );
    expect(answer.status).toBe(202);
    expect((await gateway.ended).code).toBe(0);
    const again = await spawnGateway({ home }).started;
    const client = httpClient({ url: `http://127.0.0.1:${again!.api}` });
    expect((await client('/session', { token: session })).status).toBe(200);
  });

  test.each(['exception', 'rejection'] as const)(
    'an uncaught %s ends it with code 1, and the secrets in it stay hidden',
    async (how) => {
      const first = spawnGateway({ home });
      await first.started;
      first.process.kill('SIGTERM');
      await first.ended;
      const secrets = await Promise.all(SECRETS.map((file) => readSecret(home, file)));

      const crashing = spawnGateway({ home, crash: { how, message: `lost ${secrets.join(' and ')}` } });
      const { code, stderr } = await crashing.ended;
      expect(code).toBe(1);
      expect(stderr).toContain('lost ');
      for (const secret of secrets) expect(stderr).not.toContain(secret);
    },
  );
});
