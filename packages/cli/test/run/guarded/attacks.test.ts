import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { requireEngine } from '@sallyport/testkit';
import { sample } from '@sallyport/testkit/rounds';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRunFixture, type RunFixture } from '../run-fixture.ts';
import { type Attack, scriptOf } from './attack.ts';
import { GIT_ATTACKS } from './git-attacks.ts';
import { OTHER_ATTACKS, UNREAD_FILES } from './other-attacks.ts';

const needs = requireEngine('bubblewrap', 'git', 'make', 'direnv', 'python-venv');
const ATTACKS = [...GIT_ATTACKS, ...OTHER_ATTACKS];

describe.skipIf(needs.missing)(
  `[JA-7] planted in a jail, and then used on the host (${needs.install})`,
  () => {
    let fixture: RunFixture;
    let above = '';
    const env = (): Record<string, string> => ({ ...fixture.env(), WAIT: '1', GIT_TERMINAL_PROMPT: '0' });
    const shell = (cwd: string, script: string): string => {
      const { stdout, stderr } = spawnSync('/bin/bash', ['-c', script], {
        ...{ cwd, env: env(), encoding: 'utf8', timeout: 30_000, input: '' },
      });
      return `${stdout}${stderr}`;
    };

    beforeAll(async () => {
      fixture = await openRunFixture();
      above = dirname(fixture.workspace);
      const work = join(above, 'template');
      execFileSync('/bin/bash', ['-ec', MAKE_TEMPLATE], { cwd: above, env: env(), stdio: 'pipe' });
      writeFileSync(
        join(work, 'Makefile'),
        'VERSION := $(shell git status --short)\nall:\n\t@echo $(VERSION)\n',
      );
      writeFileSync(
        join(work, 'package.json'),
        '{"name":"mine","version":"1.0.0","scripts":{"hello":"node -e 0"}}\n',
      );
    });
    afterAll(() => fixture[Symbol.asyncDispose]());

    /** A workspace of the person's, with the payload in it: a file like any. */
    function workspace(name: string): { readonly work: string; readonly mark: string } {
      const work = join(above, name);
      const mark = join(above, `${name}.ran`);
      execFileSync('cp', ['-a', join(above, 'template'), work]);
      // The host's marker is outside of everything that a jail can write.
      writeFileSync(join(work, 'evil.sh'), `#!/bin/sh\ntouch '${mark}'\nexit 0\n`);
      chmodSync(join(work, 'evil.sh'), 0o755);
      shell(work, 'direnv allow .');
      return { work, mark };
    }
    const used = (attack: Attack, work: string): string => shell(work, scriptOf(attack));

    test('there are enough of them, and each is another one', () => {
      const names = ATTACKS.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      expect(names.length + UNREAD_FILES.length).toBeGreaterThanOrEqual(120);
    });

    test.each(sample(ATTACKS).map((attack, index) => [attack.name, index, attack] as const))(
      '%s',
      async (_name, index, attack) => {
        // It is an attack: without a jail it runs.
        const open = workspace(`open-${index}`);
        shell(open.work, attack.plant);
        const said = used(attack, open.work);
        expect(existsSync(open.mark), said).toBe(true);
        const jailed = workspace(`jailed-${index}`);
        await fixture.run(['--workspace', jailed.work, '--', '/bin/bash', '-c', attack.plant]);
        expect(existsSync(jailed.mark), 'ran while the agent worked').toBe(false);
        const after = used(attack, jailed.work);
        expect(existsSync(jailed.mark), after).toBe(false);
      },
      120_000,
    );

    test('files of programs that are not at hand are what the person had', async () => {
      const { work } = workspace('unread');
      const had = UNREAD_FILES.filter((_, index) => index % 2 === 0);
      for (const path of had) {
        mkdirSync(dirname(join(work, path)), { recursive: true });
        if (!existsSync(join(work, path))) writeFileSync(join(work, path), `# path of mine ${path}\n`);
      }
      const read = (): Record<string, string> =>
        Object.fromEntries(
          UNREAD_FILES.map((path) => {
            const at = join(work, path);
            return [path, existsSync(at) ? readFileSync(at, 'utf8') : ''];
          }),
        );
      cpSync(work, join(above, 'unread-open'), { recursive: true });
      const before = read();
      const plant = UNREAD_FILES.map(
        (path) => `mkdir -p "${dirname(path)}"; echo 'path = "./evil"' >> "${path}"`,
      );
      const { stderr } = await fixture.run(['--workspace', work, '--', '/bin/bash', '-c', plant.join('\n')]);
      expect(stderr).toContain('taken back');
      expect(read()).toEqual(before);
    });
  },
);

/** A project as people have them: a remote, a submodule, an environment, settings. */
const MAKE_TEMPLATE = `
git init -q --bare -b main remote.git
git init -q -b main library; cd library; echo lib > lib.txt; git add -A; git commit -qm lib; cd ..
git init -q -b main template; cd template
git -c protocol.file.allow=always submodule --quiet add ../library lib
git remote add origin ../remote.git
mkdir .vscode env; echo '{"mine":true}' > .vscode/settings.json
printf 'export MINE=1\\nsource_env env/more\\n. env/dotted\\nsource_env_if_exists env/later\\n' > .envrc
echo 'export MORE=1' > env/more; echo 'export DOTTED=1' > env/dotted
echo 'fund=false' > .npmrc; echo hello > readme.md; printf '.venv\\nnode_modules\\n' > .gitignore
git add -A; git commit -qm first; echo more >> readme.md; git commit -qam second
git branch other; git push -q origin main
python3 -m venv --without-pip .venv
`;
