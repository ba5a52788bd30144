import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireEngine } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRunFixture, type RunFixture } from '../run-fixture.ts';

const bwrap = requireEngine('bubblewrap');
const git = requireEngine('git');

describe.skipIf(bwrap.missing || git.missing)(
  `[JA-7] places where things run later (${bwrap.install}, ${git.install})`,
  () => {
    let fixture: RunFixture;
    const at = (path: string): string => join(fixture.workspace, path);
    const gitHere = (...argv: string[]): string =>
      execFileSync('git', argv, { cwd: fixture.workspace, encoding: 'utf8', env: fixture.env() });
    beforeAll(async () => {
      fixture = await openRunFixture();
      gitHere('init', '-q', '-b', 'main');
      gitHere('config', 'alias.mine', '!echo mine');
      mkdirSync(at('.vscode'));
      writeFileSync(at('.vscode/settings.json'), '{"mine":true}\n');
      writeFileSync(at('.envrc'), 'export MINE=1\nsource_env env/more\n');
      mkdirSync(at('env'));
      writeFileSync(at('env/more'), 'export MORE=1\n');
      writeFileSync(at('readme.md'), 'hello\n');
      gitHere('add', '-A');
      gitHere('commit', '-q', '-m', 'first');
    });
    afterAll(() => fixture[Symbol.asyncDispose]());

    test('what is planted is taken back, told, kept for the person, and in the trail', async () => {
      const { code, stderr } = await fixture.shell(
        `git config core.fsmonitor ./evil.sh; echo '#!/bin/sh' > .git/hooks/pre-commit; echo evil > .vscode/tasks.json
         echo evil >> .envrc; echo evil > env/more; mkdir -p sub/.idea && echo evil > sub/.idea/x.xml; rm -f .vscode/settings.json; true`,
      );
      expect(code).toBe(0);
      expect(stderr).toContain('taken back');
      expect(stderr).toContain('core.fsmonitor');
      expect(readFileSync(at('.git/config'), 'utf8')).not.toContain('fsmonitor');
      expect(readFileSync(at('.git/config'), 'utf8')).toContain('!echo mine');
      expect(existsSync(at('.git/hooks/pre-commit'))).toBe(false);
      expect(existsSync(at('.vscode/tasks.json'))).toBe(false);
      expect(readFileSync(at('.envrc'), 'utf8')).not.toContain('evil');
      expect(readFileSync(at('env/more'), 'utf8')).toBe('export MORE=1\n');
      expect(existsSync(at('sub/.idea/x.xml'))).toBe(false);
    });

    test('while the agent works, too', async () => {
      const { stdout } = await fixture.shell(
        `sleep 0.3; git config core.fsmonitor ./evil.sh; echo evil > .mcp.json; mkdir -p deep/er/.git; printf '[core]\\n\\tfsmonitor = ./evil\\n' > deep/er/.git/config
         mkdir bare bare/objects bare/refs; printf '[core]\\n\\tpager = ./evil\\n' > bare/config; echo 'ref: refs/heads/main' > bare/HEAD
         sleep 0.2; git config core.fsmonitor; cat .mcp.json deep/er/.git/config bare/config; true`,
      );
      expect(stdout).toBe('[core]\n[core]\n');
    });

    test('ordinary work of git goes on', async () => {
      const { code, stdout, stderr } = await fixture.shell(
        `set -e; git init -q --bare -b work remote.git; git remote add origin "$PWD/remote.git"; git checkout -q -b work
         echo more >> readme.md; git commit -qam second; git push -q -u origin work; git branch other; git branch -q --set-upstream-to=origin/work other
         git stash list; echo x >> readme.md; git stash -q; git stash pop -q; git commit -qam third; git rebase -q main
         git worktree add -q wt other; (cd wt && git status --short); git -c protocol.file.allow=always submodule add -q "$PWD/remote.git" sub2 2>&1; git commit -qm sub
         git config branch.other.remote; git config branch.work.merge; git config submodule.sub2.url; (cd sub2 && git log --oneline | wc -l)`,
      );

      expect({ code, stdout, stderr }).toEqual({
        ...{ code: 0, stderr: '' },
        stdout: `origin\nrefs/heads/work\n${at('remote.git')}\n2\n`,
      });
      expect(gitHere('config', 'branch.work.merge')).toBe('refs/heads/work\n');
    });
  },
);
