import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startTestGateway, type TempDir, tempDir } from '@sallyport/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { runCommand } from '../run-command.ts';

let dir: TempDir;
beforeEach(async () => {
  dir = await tempDir();
});
afterEach(() => dir.remove());

const OLD = `# ours
include: [more/*.yaml]
tenants:
  default: {}
audit:
  # signed often
  checkpoint:
    every_events: 500 # not too many
    every_seconds: 5
`;

test('an old config: the error names what became of a key, and migrate rewrites it, comments and mode kept', async () => {
  const config = join(dir.path, 'sallyport.yaml');
  writeFileSync(config, OLD);
  chmodSync(config, 0o640);
  mkdirSync(join(dir.path, 'more'));
  writeFileSync(join(dir.path, 'more/a.yaml'), 'log:\n  level: info # quiet\n');

  const refused = await runCommand(dir.path, 'config', 'check');
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain(
    '`every_events` is gone: the trail is signed after 1,000 events in any case',
  );
  expect(refused.stdout).toContain('`sallyport config migrate` takes it out');
  const asked = await runCommand(dir.path, 'version', '--check');
  expect(asked.code).toBe(1);
  expect(asked.stdout).toContain('`every_events` is gone');

  const unsure = await runCommand(dir.path, 'config', 'migrate');
  expect(unsure.code).toBe(1);
  expect(readFileSync(config, 'utf8')).toBe(OLD);
  const done = await runCommand(dir.path, 'config', 'migrate', '--yes');
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect(done.stdout).toContain('  - ');
  expect(readFileSync(config, 'utf8')).toBe(OLD.replace('    every_events', '#     every_events'));
  expect(statSync(config).mode & 0o777).toBe(0o640);
  expect((await runCommand(dir.path, 'config', 'check')).code).toBe(0);
  expect((await runCommand(dir.path, 'config', 'migrate')).stdout).toContain('nothing to change');
});

test('a home that fits, an older database, a newer one: each is said in one line', async () => {
  const empty = await runCommand(dir.path, 'version', '--check', '--json');
  expect(empty.json()).toMatchObject({ ok: true, version: packageJson.version });
  await using gateway = await startTestGateway();
  const fits = await runCommand(gateway.home, 'version', '--check');
  expect(fits, fits.stderr).toMatchObject({ code: 0 });
  expect(fits.stdout).toContain('runs, and is of this version');
  expect(fits.stdout).toContain('database  is of this version');

  const home = join(dir.path, 'other');
  mkdirSync(home);
  const source = new DatabaseSync(join(gateway.home, 'sallyport.db'), { readOnly: true });
  source.exec(`VACUUM INTO '${join(home, 'sallyport.db')}'`);
  source.close();
  const db = new DatabaseSync(join(home, 'sallyport.db'));
  const [last] = db.prepare('SELECT name FROM kysely_migration ORDER BY name DESC LIMIT 1').all();
  db.exec(`DELETE FROM kysely_migration WHERE name = '${last?.name}'`);
  const older = await runCommand(home, 'version', '--check');
  expect(older).toMatchObject({ code: 0 });
  expect(older.stdout).toContain(`is older: the next start brings it up to date (${last?.name})`);
  db.exec("INSERT INTO kysely_migration VALUES ('9999-later', '2030')");
  db.close();
  const newer = await runCommand(home, 'version', '--check');
  expect(newer.code).toBe(1);
  expect(newer.stdout).toContain('was written by a newer Sallyport (it has `9999-later`)');
});

test('a gateway of another version: one sentence, whatever the answer was', async () => {
  const home = join(dir.path, 'home');
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, 'operator.token'), 'spo_token', { mode: 0o600 });
  const server = createServer((_request, response) => response.end('{"version":"9.9.9","new_key":1}'));
  await new Promise<void>((resolve) => server.listen(join(home, 'operator.sock'), resolve));
  try {
    for (const argv of [['status'], ['pending'], ['config', 'show']]) {
      const said = await runCommand(home, ...argv);
      expect(said, said.stdout).toMatchObject({ code: 1, stdout: '' });
      expect(said.stderr).toContain(
        `the gateway that runs is of version 9.9.9, this command is of version ${packageJson.version}\n`,
      );
      expect(said.stderr).toContain(
        'use the same one: `sallyport stop`, then start it again with this version\n',
      );
      expect(said.stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(3);
    }
    const checked = await runCommand(home, 'version', '--check');
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain('runs, and is of version 9.9.9');
  } finally {
    server.close();
  }
});
