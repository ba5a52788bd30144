import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { launcherFile } from '@sallyport/gateway/own-files';
import { startTestGateway, type TempDir, tempDir, waitUntil } from '@sallyport/testkit';
import { rounds } from '@sallyport/testkit/rounds';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../run-command.ts';

const NO_PORTS = ['--api-port', '0', '--proxy-port', '0', '--operator-port', '0', '--ssh-port', '0'];
const PASSPHRASE = 'eight or more\n';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let dir: TempDir;
beforeEach(async () => {
  dir = await tempDir();
});
afterEach(() => dir.remove());

/** A process of its own, as a person starts it. */
function start(
  argv: readonly string[],
  { input = '', node = [], before = '' }: { input?: string; node?: readonly string[]; before?: string } = {},
) {
  const line = `${before} exec "$0" "$@"`;
  const child = spawn('/bin/sh', ['-c', line, process.execPath, ...node, launcherFile(), ...argv], {
    cwd: dir.path,
    env: { HOME: dir.path, PATH: process.env.PATH },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  );
  return { child, ended, stdout: () => stdout };
}
const run = (argv: readonly string[], how?: Parameters<typeof start>[1]): Promise<Ended> =>
  start(argv, how).ended;

async function startGateway(home: string) {
  const gateway = start(['start', '--json', '--home', home, ...NO_PORTS]);
  await waitUntil('the gateway to be up', () => gateway.stdout().includes('"status":"ok"'), {
    unless: gateway.child,
  });
  return gateway;
}

function eventsIn(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return Number(db.prepare('SELECT count(*) AS n FROM events').get()?.n);
  } finally {
    db.close();
  }
}

/** A home that a gateway has used, stopped. */
async function usedHome(name: string): Promise<string> {
  const home = join(dir.path, name);
  const gateway = await startGateway(home);
  gateway.child.kill('SIGTERM');
  await gateway.ended;
  mkdirSync(join(home, 'secrets'), { mode: 0o700 });
  writeFileSync(join(home, 'secrets/default.github.secret'), 'ghp_value\n', { mode: 0o600 });
  return home;
}

describe('backup', () => {
  test('while the gateway runs and writes: what was acknowledged is in it, and it opens in another home', async () => {
    await using gateway = await startTestGateway();
    let isOver = false;
    let opened = 0;
    const busy = (async () => {
      while (!isOver) {
        const { session_token: token } = await gateway.openSession();
        await gateway.agent('/session', { method: 'DELETE', token });
        opened += 1;
      }
    })();
    await waitUntil('some work', () => opened > 3);
    const acknowledged = opened;
    const file = join(dir.path, 'a.backup');
    const ended = await run(['backup', '--home', gateway.home, '--keys', file], { input: PASSPHRASE });
    isOver = true;
    await busy;
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file).includes(gateway.operatorToken)).toBe(false);

    const home = join(dir.path, 'restored');
    const back = await run(['restore', '--home', home, file], { input: PASSPHRASE });
    expect(back, back.stderr).toMatchObject({ code: 0 });
    expect(readFileSync(join(home, 'operator.token'), 'utf8').trim()).toBe(gateway.operatorToken);
    const again = await startGateway(home);
    expect(eventsIn(join(home, 'sallyport.db'))).toBeGreaterThan(2 * acknowledged);
    const verified = await run(['audit', 'verify', '--home', home]);
    expect(verified, verified.stderr + verified.stdout).toMatchObject({ code: 0 });
    again.child.kill('SIGTERM');
    await again.ended;
  });

  test('into a folder the name is the time; a file that is there stays', async () => {
    const home = await usedHome('home');
    mkdirSync(join(dir.path, 'into'));
    expect((await runCommand(home, 'backup', join(dir.path, 'into'))).code).toBe(0);
    const [name = ''] = readdirSync(join(dir.path, 'into'));
    expect(name).toMatch(/^sallyport-\d{4}-\d\d-\d\d-\d{6}\.backup$/);
    const again = await runCommand(home, 'backup', join(dir.path, 'into', name));
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('is there already');
    const nothing = await runCommand(join(dir.path, 'empty'), 'backup', join(dir.path, 'x'));
    expect(nothing.stderr).toContain('there is nothing to back up');
  });

  test('a target that is full: one sentence, and nothing is left', async () => {
    const home = await usedHome('home');
    mkdirSync(join(dir.path, 'into'));
    // In blocks of 512 bytes: less than the database has.
    const ended = await run(['backup', '--home', home, join(dir.path, 'into')], { before: 'ulimit -f 300;' });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('no backup was made, and nothing is left of it');
    expect(readdirSync(join(dir.path, 'into'))).toEqual([]);
  });

  test('killed in the middle: there is a whole backup or none', async () => {
    const home = await usedHome('home');
    let whole = 0;
    for (let round = 0; round < rounds(20); round += 1) {
      const file = join(dir.path, `${round}.backup`);
      const made = start(['backup', '--home', home, file]);
      const wait = 30 + ((round * 37) % 400);
      await Promise.race([made.ended, new Promise((resolve) => setTimeout(resolve, wait))]);
      made.child.kill('SIGKILL');
      await made.ended;
      if (!existsSync(file)) continue;
      whole += 1;
      const back = await runCommand(join(dir.path, `back-${round}`), 'restore', file);
      expect(back, back.stderr).toMatchObject({ code: 0 });
    }
    // And one that is left alone.
    expect((await run(['backup', '--home', home, join(dir.path, 'last')])).code, `${whole} whole`).toBe(0);
  });
});

describe('restore', () => {
  /** A home, a backup of it, and what came after. */
  async function twoTimes() {
    const home = await usedHome('home');
    const file = join(dir.path, 'then.backup');
    expect((await run(['backup', '--home', home, '--keys', file], { input: PASSPHRASE })).code).toBe(0);
    const then = eventsIn(file);
    const later = await startGateway(home);
    later.child.kill('SIGTERM');
    await later.ended;
    const now = eventsIn(join(home, 'sallyport.db'));
    expect(now).toBeGreaterThan(then);
    return { home, file, then, now };
  }

  test('over a gateway that runs is refused in one sentence', async () => {
    const { home, file } = await twoTimes();
    const gateway = await startGateway(home);
    const before = eventsIn(join(home, 'sallyport.db'));
    const ended = await run(['restore', '--home', home, file], { input: PASSPHRASE });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('another gateway');
    expect(eventsIn(join(home, 'sallyport.db'))).toBe(before);
    gateway.child.kill('SIGTERM');
    await gateway.ended;
  });

  test('what is no whole backup changes nothing: damaged, foreign, newer, another passphrase', async () => {
    const { home, file, now } = await twoTimes();
    const refuse = async (
      name: string,
      change: (copy: string) => void,
      input = PASSPHRASE,
    ): Promise<string> => {
      const copy = join(dir.path, name);
      writeFileSync(copy, readFileSync(file), { mode: 0o600 });
      change(copy);
      const ended = await run(['restore', '--home', home, copy], { input });
      expect(ended, ended.stdout).toMatchObject({ code: 1, stdout: '' });
      expect(eventsIn(join(home, 'sallyport.db'))).toBe(now);
      expect(readdirSync(home).filter((entry) => /restore/.test(entry))).toEqual([]);
      return ended.stderr;
    };
    const change = (sql: string) => (copy: string) => {
      const db = new DatabaseSync(copy);
      db.exec(sql);
      db.close();
    };
    expect(
      await refuse('cut', (copy) => writeFileSync(copy, readFileSync(file).subarray(0, 70_000))),
    ).toMatch(/is no backup|damaged/);
    expect(await refuse('text', (copy) => writeFileSync(copy, 'hello'.repeat(100)))).toContain(
      'is no backup',
    );
    expect(await refuse('other', change('DROP TABLE sallyport_backup'))).toContain('is no backup');
    expect(
      await refuse(
        'changed',
        change("UPDATE sallyport_backup_files SET bytes = x'00' WHERE name = 'ca.pem'"),
      ),
    ).toContain('`ca.pem` is not whole');
    expect(
      await refuse('newer', change("INSERT INTO kysely_migration VALUES ('9999-from-afar', '2030-01-01')")),
    ).toContain('newer Sallyport');
    expect(await refuse('wrong', () => undefined, 'another one\n')).toContain('not the passphrase');
    const outside = 'UPDATE sallyport_backup SET about = replace(about, \'"ca.pem"\', \'"../ca.pem"\')';
    expect(await refuse('outside', change(outside))).toContain('is no backup');
  });

  test('killed before any of its steps: what is there is the old or the new, whole, and a start finishes it', async () => {
    const { home: original, file, then, now } = await twoTimes();
    let seen = 0;
    for (let step = 1; seen !== then; step += rounds(10) === 10 ? 1 : 5) {
      const home = join(dir.path, `home-${step}`);
      const copied = start(['--version'], { before: `cp -a '${original}' '${home}';` });
      await copied.ended;
      const killer = join(dir.path, `kill-${step}.mjs`);
      writeFileSync(
        killer,
        `import fs from 'node:fs';
         import { syncBuiltinESMExports } from 'node:module';
         const rename = fs.renameSync;
         let left = ${step};
         fs.renameSync = (from, to) => {
           if (/restore/.test(String(from) + String(to)) && --left === 0) process.kill(process.pid, 'SIGKILL');
           return rename(from, to);
         };
         syncBuiltinESMExports();`,
      );
      const killed = await run(['restore', '--home', home, file], {
        input: PASSPHRASE,
        node: ['--import', killer],
      });
      const hasBegun = existsSync(join(home, 'restore.ready'));
      const gateway = await startGateway(home);
      gateway.child.kill('SIGTERM');
      await gateway.ended;
      // A start and a stop add two events and a checkpoint, the same as they did before.
      const found = eventsIn(join(home, 'sallyport.db'));
      expect(found, `step ${step}`).toBe((hasBegun || killed.code === 0 ? then : now) + (now - then));
      expect(existsSync(join(home, 'restore.ready'))).toBe(false);
      const verified = await runCommand(home, 'audit', 'verify');
      expect(verified, verified.stdout).toMatchObject({ code: 0 });
      if (hasBegun || killed.code === 0) {
        const [before = ''] = readdirSync(home).filter((entry) => entry.startsWith('before-restore-'));
        expect(eventsIn(join(home, before, 'sallyport.db'))).toBe(now);
      }
      if (killed.code === 0) seen = then;
    }
  });
});
