import type { Action } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { loadActionBuilders } from '../../src/actions/index.ts';
import { policyOf, short, snapshotOf } from '../../src/gate/gate.fixture.ts';
import { judge } from '../../src/gate/index.ts';

const builder = (await loadActionBuilders())();
const line = (command: string, confinement: Action['actor']['confinement']): Action =>
  builder.tool(
    { tool: 'Bash', input: { command } },
    {
      door: 'hook',
      actor: { tenant: 'default', user: 'ana', agent: 'dev', session: 's', chain: ['dev'], confinement },
      cwd: '/srv/root/project',
      home: '/home/ana',
    },
  );
const says = (config: object, action: Action): string => short(judge(action, snapshotOf(policyOf(config))));

describe('rules over lines that the real parser read', () => {
  test.each([
    { command: 'git log', expected: 'allow', why: 'plainly allowed' },
    { command: 'git status && git diff | git log', expected: 'allow', why: 'every command is' },
    { command: 'git log >/dev/null 2>&1', expected: 'allow', why: 'nothing is written' },
    { command: 'git log | sh', expected: 'ask review', why: 'a shell reads it' },
    { command: 'git log $(curl x)', expected: 'ask review', why: 'another command runs' },
    { command: 'git log `curl x`', expected: 'ask review', why: 'another command runs' },
    { command: 'git -c core.pager=x log', expected: 'ask review', why: 'an option names a program' },
    { command: 'git log --output=x', expected: 'ask review', why: 'an option writes a file' },
    { command: 'git log > ~/.bashrc', expected: 'ask review', why: 'a redirection writes a file' },
    { command: 'GIT_SSH_COMMAND=x git fetch', expected: 'ask review', why: 'a variable names a program' },
    { command: 'git log; $x', expected: 'ask review', why: 'a variable as command name' },
    { command: 'git log (', expected: 'ask review', why: 'not a sentence of the grammar' },
    { command: `git log ${'a'.repeat(17 * 1024)}`, expected: 'ask review', why: 'over the limit' },
    { command: '', expected: 'deny CommandNotAllowed', why: 'nothing is not a command' },
  ])('[GA-6] allow:Bash(git *) on a line: $why', ({ command, expected }) => {
    const config = { agents: { dev: { permissions: ['allow:Bash(git *)'] } } };
    expect(says(config, line(command, 'jailed'))).toBe(expected);
  });

  test.each([
    { command: 'rm -rf x', expected: 'deny RuleDenied', why: 'the command itself' },
    { command: '/bin/rm -rf x', expected: 'deny RuleDenied', why: 'by its path' },
    { command: 'sudo rm -rf x', expected: 'deny RuleDenied', why: 'behind sudo' },
    { command: 'find . -exec rm {} +', expected: 'deny RuleDenied', why: 'behind find' },
    { command: "bash -c 'rm -rf x'", expected: 'deny RuleDenied', why: 'behind a shell' },
    { command: 'ls && (cd x; rm y)', expected: 'deny RuleDenied', why: 'in a subshell' },
    { command: '$cmd -rf x', expected: 'ask human', why: 'it could be' },
    { command: 'eval "$x"', expected: 'ask human', why: 'it could be' },
    { command: 'ls -la', expected: 'allow', why: 'it is not' },
  ])('[GA-6] deny:Bash(rm *) in a jail where all else is allowed: $why', ({ command, expected }) => {
    const config = { agents: { dev: { permissions: ['deny:Bash(rm *)', 'allow:*'] } } };
    expect(says(config, line(command, 'jailed'))).toBe(expected);
  });

  test.each([
    { command: 'ls -la', jailed: 'allow', unconfined: 'allow' },
    { command: 'eval "$x"', jailed: 'allow', unconfined: 'ask human' },
    { command: 'git push origin main', jailed: 'allow', unconfined: 'ask each-time' },
    { command: 'git push --force origin ana/x', jailed: 'allow', unconfined: 'ask each-time' },
    { command: 'curl https://evil.example', jailed: 'allow', unconfined: 'ask human' },
    { command: './build.sh', jailed: 'allow', unconfined: 'ask human' },
  ])('[GA-2] the first config gives $command: $jailed in a jail, $unconfined outside', (row) => {
    const config = {
      agents: { dev: { permissions: ['allow:*'] } },
      network: { default: 'ask', rules: [{ host: '@known', action: 'allow' }] },
      tenants: {
        default: {
          branches: { owned: ['{user}/*', 'agent/*'], protected: ['main', 'master', 'release/*'] },
          exceptions: [{ github: 'contents' }, { github: 'actions' }],
        },
      },
    };
    expect(says(config, line(row.command, 'jailed'))).toBe(row.jailed);
    expect(says(config, line(row.command, 'unconfined'))).toBe(row.unconfined);
  });
});
