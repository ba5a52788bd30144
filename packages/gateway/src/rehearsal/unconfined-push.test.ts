import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CreateBuilder, loadActionBuilders } from '../actions/index.ts';
import { firstConfigText } from '../config/first-config.ts';
import { loadConfig } from '../config/index.ts';
import { OPTIONS } from '../gate/gate.fixture.ts';
import { PolicySet } from '../gate/index.ts';
import { operationsOf } from '../targets/index.ts';
import { Rehearsal } from './rehearse.ts';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'home-')));

function workspace(config: string, branch = 'agent/x'): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'work-')));
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.git/HEAD'), `ref: refs/heads/${branch}\n`);
  writeFileSync(join(folder, '.git/config'), config);
  // What the other side has already changes nothing there.
  for (const ref of [`heads/${branch}`, 'heads/main', `remotes/origin/${branch}`]) {
    mkdirSync(join(folder, '.git/refs', ref, '..'), { recursive: true });
    writeFileSync(join(folder, '.git/refs', ref), `${'1'.repeat(40)}\n`);
  }
  return folder;
}

const OURS = '[remote "origin"]\n\turl = git@github.com:acme/app.git\n';

let createBuilder: CreateBuilder;
let policies: PolicySet;
beforeAll(async () => {
  createBuilder = await loadActionBuilders();
  const file = join(home, 'sallyport.yaml');
  writeFileSync(file, firstConfigText({ osUser: 'ana' }));
  policies = new PolicySet(loadConfig({ file, env: {} }), OPTIONS);
});

/** `repositories`: what the remotes of the workspace named before the agent started. */
function push(line: string, cwd: string, repositories = ['github.com/acme/app']) {
  const parts = { policies, createBuilder, telemetry: [], registries: [], cwd, home };
  return new Rehearsal(parts).ask({
    form: 'tool',
    text: `Bash(${line})`,
    confinement: 'unconfined',
    repositories,
  });
}

describe('[GA-15] a push without a jail, with the first config', () => {
  test.each([
    'git push',
    'git push origin agent/x',
    'git push -u origin HEAD',
    'git add -A && git commit -m x && git push',
  ])('to an owned branch of the own repository asks nobody: %s', (line) => {
    expect(push(line, workspace(OURS)).judgement).toMatchObject({ outcome: 'allow' });
  });

  test.each([
    ['another repository', 'git push', OURS.replace('acme', 'evil')],
    ['another host', 'git push', `${OURS}[url "https://evil.test/"]\n\tinsteadOf = git@github.com:\n`],
    [
      'another address for pushes',
      'git push origin agent/x',
      `${OURS}\tpushurl = git@github.com:evil/app.git\n`,
    ],
    ['a file that is included', 'git push', `${OURS}[include]\n\tpath = x\n`],
    ['a branch that is not owned', 'git push origin feature', OURS],
    ['a protected branch', 'git push origin HEAD:main', OURS],
    ['a push by force', 'git push -f', OURS],
    ['another branch', 'git checkout main && git push', OURS],
  ])('asks: %s', (_, line, config) => {
    expect(push(line, workspace(config)).judgement.outcome).toBe('ask');
  });

  test('asks when a pipeline may have changed', () => {
    const folder = workspace(OURS);
    mkdirSync(join(folder, '.github/workflows'), { recursive: true });
    writeFileSync(join(folder, '.github/workflows/ci.yml'), 'on: push\n');
    expect(push('git push', folder).judgement).toMatchObject({
      outcome: 'ask',
      reason: 'it changes, or may change, a file that says what pipelines run',
    });
  });

  test('the question names repository and branch, and the operation is bound to them', () => {
    const { action } = push('git push', workspace(OURS, 'feature'));
    expect(operationsOf(action)).toEqual([{ operation: 'git push', object: 'github.com/acme/app feature' }]);
  });
});
