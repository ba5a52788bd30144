import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireEngine, tempDir } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRunFixture, type RunFixture } from './run-fixture.ts';

const bwrap = requireEngine('bubblewrap');
const KEY = '-----BEGIN PRIVATE KEY-----\ncanary-key\n-----END PRIVATE KEY-----\n';

describe.skipIf(bwrap.missing)(`[JA-9] secrets in the workspace of a run (${bwrap.install})`, () => {
  let fixture: RunFixture;
  beforeAll(async () => {
    fixture = await openRunFixture();
    for (const folder of ['deploy', 'test/keys'])
      mkdirSync(join(fixture.workspace, folder), { recursive: true });
    writeFileSync(join(fixture.workspace, 'deploy/prod.env'), 'KEY=canary-env\n');
    writeFileSync(join(fixture.workspace, '.dev.vars'), 'KEY=canary-vars\n');
    writeFileSync(join(fixture.workspace, 'test/keys/server.pem'), KEY);
  });
  afterAll(() => fixture[Symbol.asyncDispose]());
  const ALL = 'cat deploy/prod.env .dev.vars test/keys/server.pem';

  test('read as empty files, which is no error', async () => {
    const { code, stdout, stderr } = await fixture.shell(`${ALL}; ls deploy test/keys`);
    expect({ code, stdout, stderr }).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: 'deploy:\nprod.env\n\ntest/keys:\nserver.pem\n',
    });
  });

  test('what is no secret is shown with `--show`, and only that', async () => {
    expect((await fixture.shell(ALL, ['--show', 'test/keys'])).stdout).toBe(KEY);
    expect((await fixture.shell(ALL, ['--show-env-files'])).stdout).toBe(
      `KEY=canary-env\nKEY=canary-vars\n${KEY}`,
    );
  });

  test('in another folder that may be written or read they are masked too', async () => {
    await using dir = await tempDir();
    writeFileSync(join(dir.path, 'prod.env'), 'KEY=canary-beside\n');
    for (const flag of ['--write', '--read'])
      expect((await fixture.shell(`cat "${dir.path}/prod.env"`, [flag, dir.path])).stdout).toBe('');
  });

  test('a folder that an agent moved away has nothing to tell in the next run either', async () => {
    const hiding = ['node_modules', '.git/objects', '.venv/lib', 'target'];
    for (const [index, place] of hiding.entries()) {
      mkdirSync(join(fixture.workspace, `config${index}`));
      writeFileSync(join(fixture.workspace, `config${index}/prod.env`), 'KEY=canary-moved\n');
      await fixture.shell(`mkdir -p ${place} && mv config${index} ${place}/ && ls ${place}/config${index}`);
      expect(readdirSync(join(fixture.workspace, place, `config${index}`))).toEqual(['prod.env']);
    }
    const { stdout } = await fixture.shell(
      `cat ${hiding.map((place, n) => `${place}/config${n}/prod.env`).join(' ')}`,
    );
    expect(stdout).toBe('');
  });

  test('what the agent writes itself it reads, whatever its name', async () => {
    expect((await fixture.shell('echo own > .env.test && cat .env.test')).stdout).toBe('own\n');
  });
});
