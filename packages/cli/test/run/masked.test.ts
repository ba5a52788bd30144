import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireEngine, tempDir } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTown, type Town } from './town.ts';

const bwrap = requireEngine('bubblewrap');
const KEY = '-----BEGIN PRIVATE KEY-----\ncanary-key\n-----END PRIVATE KEY-----\n';

describe.skipIf(bwrap.missing)(`[JA-9] secrets in the workspace of a run (${bwrap.install})`, () => {
  let town: Town;
  beforeAll(async () => {
    town = await openTown();
    for (const folder of ['deploy', 'test/keys'])
      mkdirSync(join(town.workspace, folder), { recursive: true });
    writeFileSync(join(town.workspace, 'deploy/prod.env'), 'KEY=canary-env\n');
    writeFileSync(join(town.workspace, '.dev.vars'), 'KEY=canary-vars\n');
    writeFileSync(join(town.workspace, 'test/keys/server.pem'), KEY);
  });
  afterAll(() => town[Symbol.asyncDispose]());
  const ALL = 'cat deploy/prod.env .dev.vars test/keys/server.pem';

  test('read as empty files, which is no error', async () => {
    const { code, stdout, stderr } = await town.shell(`${ALL}; ls deploy test/keys`);
    expect({ code, stdout, stderr }).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: 'deploy:\nprod.env\n\ntest/keys:\nserver.pem\n',
    });
  });

  test('what is no secret is shown with `--show`, and only that', async () => {
    expect((await town.shell(ALL, ['--show', 'test/keys'])).stdout).toBe(KEY);
    expect((await town.shell(ALL, ['--show-env-files'])).stdout).toBe(
      `KEY=canary-env\nKEY=canary-vars\n${KEY}`,
    );
  });

  test('in another folder that may be written or read they are masked too', async () => {
    await using dir = await tempDir();
    writeFileSync(join(dir.path, 'prod.env'), 'KEY=canary-beside\n');
    for (const flag of ['--write', '--read'])
      expect((await town.shell(`cat "${dir.path}/prod.env"`, [flag, dir.path])).stdout).toBe('');
  });

  test('a folder that an agent moved away has nothing to tell in the next run either', async () => {
    const hiding = ['node_modules', '.git/objects', '.venv/lib', 'target'];
    for (const [index, place] of hiding.entries()) {
      mkdirSync(join(town.workspace, `config${index}`));
      writeFileSync(join(town.workspace, `config${index}/prod.env`), 'KEY=canary-moved\n');
      await town.shell(`mkdir -p ${place} && mv config${index} ${place}/ && ls ${place}/config${index}`);
      expect(readdirSync(join(town.workspace, place, `config${index}`))).toEqual(['prod.env']);
    }
    const { stdout } = await town.shell(
      `cat ${hiding.map((place, n) => `${place}/config${n}/prod.env`).join(' ')}`,
    );
    expect(stdout).toBe('');
  });

  test('what the agent writes itself it reads, whatever its name', async () => {
    expect((await town.shell('echo own > .env.test && cat .env.test')).stdout).toBe('own\n');
  });
});
