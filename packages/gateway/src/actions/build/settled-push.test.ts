import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Action, CommandFact } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { loadActionBuilders } from './action-builder.ts';

const builder = (await loadActionBuilders())();
const home = realpathSync(mkdtempSync(join(tmpdir(), 'home-')));

function workspace(url = 'git@github.com:acme/app.git'): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'work-')));
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/agent/x\n');
  writeFileSync(join(folder, '.git/config'), `[remote "origin"]\n\turl = ${url}\n`);
  return folder;
}

function run(command: string, cwd: string, confinement: 'jailed' | 'unconfined' = 'unconfined'): Action {
  const actor = {
    tenant: 'default',
    user: 'ana',
    agent: 'dev',
    session: 'sess_1',
    chain: ['dev'],
    confinement,
  };
  return builder.tool({ tool: 'Bash', input: { command } }, { door: 'hook', actor, cwd, home });
}

function pushOf({ target }: Action): CommandFact | undefined {
  return target.kind === 'command' ? target.commands.find(({ repo }) => repo !== undefined) : undefined;
}

describe('[GA-15] a push from a workspace', () => {
  test('names host, repository and branch', () => {
    expect(pushOf(run('git push', workspace()))).toMatchObject({
      hosts: [{ host: 'github.com', port: 22 }],
      repo: {
        repository: 'github.com/acme/app',
        refs: [{ ref: 'refs/heads/agent/x', change: 'update' }],
      },
    });
  });

  test('is another question once the config says something else', () => {
    const cwd = workspace();
    const before = run('git push origin agent/x', cwd);
    writeFileSync(join(cwd, '.git/config'), '[remote "origin"]\n\turl = git@github.com:evil/app.git\n');
    const after = run('git push origin agent/x', cwd);
    expect(after.fingerprint).not.toBe(before.fingerprint);
    expect(after.binding).not.toBe(before.binding);
    expect(pushOf(after)?.repo?.repository).toBe('github.com/evil/app');
  });

  test.each([
    'git add -A && git commit -m x && git push',
    'git status && git push origin agent/x',
    'git checkout -b agent/y && git push -u origin agent/y',
    'git switch main && git push origin HEAD:agent/z',
    'git pull --rebase && git push',
    'git fetch && git log -1 && git push -u origin HEAD',
  ])('is known behind what leaves the config alone: %s', (line) => {
    const fact = pushOf(run(line, workspace()));
    expect(fact?.repo?.repository).toBe('github.com/acme/app');
    expect(fact?.unknown).toBeUndefined();
  });

  test.each([
    'npm test && git push',
    'git checkout main && git push',
    'git checkout main && git push origin HEAD',
    'git switch main; git push origin',
    'printf x >> .git/config && git push origin agent/x',
    'cp evil .git/config && git push origin agent/x',
    './evil & git push origin agent/x',
    'git tag agent/x && git push origin agent/x',
    'git branch -u origin/main && git push origin agent/x',
    'git config remote.origin.url evil && git push origin agent/x',
    'sed -i s/acme/evil/ .git/config; git push origin agent/x',
    'git push origin agent/x | tee .git/config',
  ])('is unknown beside what may change where it goes: %s', (line) => {
    const action = run(line, workspace());
    expect(
      action.target.kind === 'command' && (action.target.unknown ?? pushOf(action)?.unknown),
    ).toBeTruthy();
  });

  test('is not looked up for what runs in a jail', () => {
    expect(pushOf(run('git push', workspace(), 'jailed'))).toBeUndefined();
  });
});
