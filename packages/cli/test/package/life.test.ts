import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { type Ended, type InstalledPackage, installPackage, type StartOptions } from './installed-package.ts';

const NO_PORTS = ['--api-port', '0', '--proxy-port', '0', '--operator-port', '0', '--ssh-port', '0'];
const PASSPHRASE = { input: 'eight or more\n' };

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await installPackage();
});
afterAll(() => installed.remove());

/** Must end well. */
async function ok(argv: readonly string[], how?: StartOptions): Promise<Ended> {
  const ended = await installed.run(argv, how);
  expect(ended, `${argv.join(' ')}: ${ended.stdout}${ended.stderr}`).toMatchObject({ code: 0 });
  return ended;
}

const home = (): string => join(installed.userHome, '.sallyport');

function openDatabase(): DatabaseSync {
  return new DatabaseSync(join(home(), 'sallyport.db'));
}

test('a life: an older version with data in it, upgrade, backup, restore, and out again', async () => {
  // What the version before left: its own number, a database without the last migration, a config with a key that is gone.
  const manifest = join(installed.folder, 'package.json');
  const older = readFileSync(manifest, 'utf8').replace(
    `"version": "${packageJson.version}"`,
    '"version": "0.0.9"',
  );
  writeFileSync(manifest, older);
  expect((await ok(['--version'])).stdout).toBe('0.0.9\n');
  await ok(['start', '--detach', ...NO_PORTS]);
  await ok(['install', 'claude-code', '--yes']);
  await ok(['stop']);
  const settings = join(installed.userHome, '.claude/settings.json');
  const hook = readFileSync(settings, 'utf8');
  const db = openDatabase();
  const undone = '0012-counted-grants';
  db.exec(
    `ALTER TABLE grants DROP COLUMN uses_at_most; DELETE FROM kysely_migration WHERE name = '${undone}'`,
  );
  db.close();
  const config = join(home(), 'sallyport.yaml');
  const text = `${readFileSync(config, 'utf8')}\naudit:\n  checkpoint:\n    every_events: 500 # ours\n    every_seconds: 5\n`;
  writeFileSync(config, text);

  installed.install();
  expect((await ok(['--version'])).stdout).toBe(`${packageJson.version}\n`);
  const check = await installed.run(['version', '--check']);
  expect(check.code).toBe(1);
  expect(check.stdout).toContain(`is older: the next start brings it up to date (${undone})`);
  expect(check.stdout).toContain('`every_events` is gone');
  const refused = await installed.run(['start', '--detach', ...NO_PORTS]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('config migrate');
  await ok(['config', 'migrate', '--yes']);
  expect(readFileSync(config, 'utf8')).toContain('#     every_events: 500 # ours\n');
  await ok(['start', '--detach', ...NO_PORTS]);
  await ok(['version', '--check']);
  await ok(['audit', 'verify']);
  expect(readFileSync(settings, 'utf8')).toBe(hook);

  const file = join(installed.elsewhere, 'then.backup');
  await ok(['backup', '--keys', file], PASSPHRASE);
  const over = await installed.run(['restore', file], PASSPHRASE);
  expect(over).toMatchObject({ code: 1, stdout: '' });
  expect(over.stderr).toContain('another gateway');
  await ok(['stop']);
  await ok(['restore', file], PASSPHRASE);
  await ok(['start', '--detach', ...NO_PORTS]);
  await ok(['audit', 'verify']);

  const out = await ok(['uninstall', '--all', '--with-home', '--yes']);
  expect(out.stdout).toContain('left: the program itself');
  expect(existsSync(home())).toBe(false);
  execFileSync('npm', ['uninstall', '--global', '--prefix', installed.prefix, 'sallyport'], {
    env: { ...process.env, HOME: installed.elsewhere },
  });
  expect(readdirSync(join(installed.prefix, 'bin'))).toEqual([]);
  const left = readdirSync(installed.userHome, { recursive: true }).filter(
    (name) => !/^\.npm/.test(String(name)),
  );
  expect(left).toEqual([]);
});
