import type { Action } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import {
  actionOf,
  bash,
  CWD,
  fact,
  file,
  http,
  judged,
  mcp,
  pathFact,
  policyOf,
  short,
  snapshotOf,
} from '../gate.fixture.ts';
import { judge } from '../judge.ts';

const BASE = {
  permissions: ['allow:*'],
  network: { default: 'allow', rules: [{ host: '@known', action: 'allow' }] },
};
const EXCEEDED = 'deny AccessLevelExceeded';
const at = (level: unknown, action: Action, extra: object = {}, agent: object = {}) =>
  judged({ ...BASE, ...extra, agents: { dev: { level, ...agent } } }, action);
const everything = {
  base: 'custom',
  categories: [
    'file_system',
    'terminal',
    'web',
    'version_control',
    'code_execution',
    'deployment',
    'mcp',
    'database',
  ],
  file_system: 'full',
  code_execution: 'full',
  network: 'open',
  git: 'full',
  terminal: 'full',
  deployment: true,
};
const fetch = bash([
  fact('git fetch', { type: 'vcs:read', reach: 'remote', hosts: [{ host: 'github.com' }] }),
]);
const push = bash([fact('git push origin a', { type: 'vcs:push', effect: 'write' })]);
const runCode = (over = {}) => bash([fact('make', { runsCode: true })], over);
const deploy = actionOf('Bash', bash([fact('kubectl rollout', { type: 'deploy:staging' })]).target);
const mutate = mcp('pg', 'exec', { type: 'db:mutate' });

describe('level', () => {
  test('a level gates tools by category', () => {
    expect(at('sandboxed', file('Read', `${CWD}/a`))).toBe('allow');
    expect(at('sandboxed', bash('ls'))).toBe(EXCEEDED);
    expect(at('standard', bash('ls'))).toBe('allow');
    expect(at('restricted', mcp('x', 'y'))).toBe(EXCEEDED);
    expect(at('standard', mcp('x', 'y'))).toBe('allow');
    expect(at('custom', file('Read', `${CWD}/a`))).toBe(EXCEEDED);
    expect(at('elevated', actionOf('never.heard', { kind: 'plain' }))).toBe(EXCEEDED);
    expect(at('custom', actionOf('TodoWrite', { kind: 'plain' }))).toBe('allow');
  });

  test('the category gate is silent for a tool that the agent’s tools name, the limits are not', () => {
    expect(at('sandboxed', mcp('x', 'y'), {}, { tools: ['mcp:x/*'] })).toBe('allow');
    expect(at('sandboxed', bash('ls'), {}, { tools: ['Bash'] })).toBe(EXCEEDED);
  });

  test('tool_access changes the categories of a level', () => {
    const tool_access = { levels: { standard: { categories: ['file_system'] } } };
    expect(at('standard', bash('ls'), { tool_access })).toBe(EXCEEDED);
    expect(at({ base: 'standard', categories: ['file_system'] }, bash('ls'))).toBe(EXCEEDED);
  });

  test('file_system limits paths to the workspace, the project, or not at all', () => {
    const inProject = file('Read', '/srv/root/other/a');
    const outside = file('Read', '/etc/passwd');
    expect(at({ ...everything, file_system: 'workspace_only' }, file('Read', `${CWD}/a`))).toBe('allow');
    expect(at({ ...everything, file_system: 'workspace_only' }, file('Read', `${CWD}x/a`))).toBe(EXCEEDED);
    expect(at({ ...everything, file_system: 'workspace_only' }, inProject)).toBe(EXCEEDED);
    expect(at({ ...everything, file_system: 'project_directory' }, inProject)).toBe('allow');
    expect(at({ ...everything, file_system: 'project_directory' }, outside)).toBe(EXCEEDED);
    expect(at(everything, outside)).toBe('allow');
    const redirect = bash([fact('ls', { writes: [pathFact('/etc/x')] })]);
    expect(at({ ...everything, file_system: 'project_directory' }, redirect)).toBe(EXCEEDED);
  });

  test('file_system refuses when the workspace is not known', () => {
    const policy = policyOf({ ...BASE, agents: { dev: { level: 'sandboxed' } } });
    const identity = { kind: 'session', alive: true, expiresAt: 2_000, rights: { permitted: true } } as const;
    const judgement = judge(file('Read', `${CWD}/a`), snapshotOf(policy, { identity }));
    expect(short(judgement)).toBe(EXCEEDED);
  });

  test('code_execution runs code nowhere, in a jail, or anywhere', () => {
    const policy = (code_execution: string) =>
      policyOf({ ...BASE, agents: { dev: { level: { ...everything, code_execution } } } });
    const run = (value: string, over = {}) => short(judge(runCode(over), snapshotOf(policy(value))));
    const unconfined = { actor: { confinement: 'unconfined' } };
    expect(run('none')).toBe(EXCEEDED);
    expect(run('containerized')).toBe('allow');
    expect(run('containerized', unconfined)).toBe(EXCEEDED);
    expect(run('full', unconfined)).toBe('allow');
    // A command that runs what nobody knows is code as well, whichever tool starts it.
    const shell = (value: string, over: object, confinement: 'jailed' | 'unconfined' = 'jailed') =>
      short(judge(bash([fact('make', over)], { actor: { confinement } }), snapshotOf(policy(value))));
    for (const over of [{ runsCode: true }, { unknown: 'why' }] as const) {
      expect(shell('none', over)).toBe(EXCEEDED);
      expect(shell('containerized', over, 'unconfined')).toBe(EXCEEDED);
    }
    expect(shell('containerized', { runsCode: true })).toBe('allow');
    expect(shell('full', { runsCode: true }, 'unconfined')).toBe('allow');
    expect(shell('none', {})).toBe('allow');
  });

  test('network is closed, open to named hosts, or open', () => {
    const known = http('GET api.github.com/');
    const other = http('GET other.example/');
    expect(at({ ...everything, network: 'none' }, known)).toBe(EXCEEDED);
    expect(at({ ...everything, network: 'allowlist_only' }, known)).toBe('allow');
    expect(at({ ...everything, network: 'allowlist_only' }, other)).toBe(EXCEEDED);
    expect(at({ ...everything, network: 'open' }, other)).toBe('allow');
    const blind = bash([fact('nc x 1', { reach: 'remote' })]);
    expect(at({ ...everything, network: 'allowlist_only' }, blind)).toBe(EXCEEDED);
    expect(at({ ...everything, network: 'none' }, bash('ls'))).toBe('allow');
  });

  test('git stays local, reads and branches, or does all', () => {
    const git = (value: string, action: Action) => at({ ...everything, git: value }, action);
    expect(git('local_only', fetch)).toBe(EXCEEDED);
    expect(git('local_only', push)).toBe(EXCEEDED);
    expect(git('local_only', bash([fact('git commit', { type: 'vcs:commit' })]))).toBe('allow');
    expect(git('read_and_branch', fetch)).toBe('allow');
    expect(git('read_and_branch', push)).toBe(EXCEEDED);
    expect(git('full', push)).toBe('allow');
    const contents = http(
      'PUT api.github.com/repos/a/b/contents/x',
      { repo: { repository: 'github.com/a/b', area: 'contents', refs: [] } },
      { type: 'code:write' },
    );
    expect(git('read_and_branch', contents)).toBe(EXCEEDED);
  });

  test('terminal runs nothing, the restricted commands, or all', () => {
    const terminal = (value: string, action: Action) => at({ ...everything, terminal: value }, action);
    expect(terminal('none', bash('ls'))).toBe(EXCEEDED);
    expect(terminal('restricted_commands', bash('ls ; git status'))).toBe('allow');
    expect(terminal('restricted_commands', bash('ls ; nc x 1'))).toBe(EXCEEDED);
    expect(terminal('restricted_commands', bash([fact('ls $x', { unknown: 'a variable' })]))).toBe(EXCEEDED);
    expect(terminal('restricted_commands', bash([]))).toBe(EXCEEDED);
    expect(terminal('full', bash('nc x 1'))).toBe('allow');
  });

  test('deployment is within reach, or not', () => {
    expect(at(everything, deploy)).toBe('allow');
    expect(at({ ...everything, deployment: false }, deploy)).toBe(EXCEEDED);
  });

  test('requires_approval puts a person before deployments and database writes', () => {
    const asks = (name: string, action: Action) =>
      at({ ...everything, deployment: false, requires_approval: [name] }, action);
    expect(asks('deployment', deploy)).toBe('ask human');
    expect(asks('database_write', deploy)).toBe(EXCEEDED);
    expect(asks('database_write', mutate)).toBe('ask human');
    expect(asks('database_write', mcp('pg', 'exec', { type: 'db:admin' }))).toBe('ask human');
    expect(asks('database_write', mcp('pg', 'exec', { type: 'db:query' }))).toBe('allow');
  });

  test('tool_access changes every dimension of a built-in level', () => {
    const changed = { ...everything, base: undefined, requires_approval: ['database_write'] };
    const { base: _base, ...dimensions } = changed;
    const tool_access = { levels: { sandboxed: dimensions } };
    const level = (action: Action) => at('sandboxed', action, { tool_access });
    expect(level(file('Read', '/etc/passwd'))).toBe('allow');
    expect(level(http('GET other.example/'))).toBe('allow');
    expect(level(push)).toBe('allow');
    expect(level(bash('nc x 1'))).toBe('allow');
    expect(level(deploy)).toBe('allow');
    expect(level(mutate)).toBe('ask human');
    expect(at('sandboxed', push)).toBe(EXCEEDED);
    const policy = policyOf({ ...BASE, tool_access, agents: { dev: { level: 'sandboxed' } } });
    const unconfined = runCode({ actor: { confinement: 'unconfined' } });
    expect(short(judge(unconfined, snapshotOf(policy)))).toBe('allow');
  });

  test('the description of a level is in the reason that people read', () => {
    const tool_access = { levels: { sandboxed: { description: 'interns only' } } };
    const policy = policyOf({ ...BASE, tool_access, agents: { dev: { level: 'sandboxed' } } });
    const judgement = judge(bash('ls'), snapshotOf(policy));
    expect(judgement).toMatchObject({ reason: expect.stringContaining('interns only') });
  });

  test('the level of an agent that delegates limits the agent that it asks', () => {
    const agents = { main: { level: { ...everything, network: 'none' } }, dev: { level: everything } };
    const chained = http('GET api.github.com/', {}, { actor: { chain: ['main', 'dev'] } });
    expect(judged({ ...BASE, agents }, chained)).toBe(EXCEEDED);
  });
});
