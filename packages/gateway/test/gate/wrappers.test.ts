import type { Actor } from '@sallyport/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ActionBuilder, loadActionBuilders } from '../../src/actions/index.ts';
import { policyOf, short, snapshotOf } from '../../src/gate/gate.fixture.ts';
import { judge } from '../../src/gate/index.ts';

let builder: ActionBuilder;
beforeAll(async () => {
  builder = (await loadActionBuilders())();
});

const actor: Actor = {
  tenant: 'default',
  user: 'ana',
  agent: 'dev',
  session: 's',
  chain: ['dev'],
  confinement: 'jailed',
};

function says(permissions: readonly string[], command: string): string {
  const action = builder.tool(
    { tool: 'Bash', input: { command } },
    { door: 'hook', actor, cwd: '/repo', home: '/home/ana' },
  );
  return short(judge(action, snapshotOf(policyOf({ agents: { dev: { permissions } } }))));
}

describe('[GA-6] a rule about a wrapper bites, and an allow of it says nothing of what it runs', () => {
  test.each([
    {
      rules: ['deny:Bash(sudo *)', 'allow:*'],
      line: 'sudo ls',
      expected: 'deny RuleDenied',
      why: 'the wrapper is named',
    },
    {
      rules: ['deny:Bash(sudo *)', 'allow:*'],
      line: 'true; /usr/bin/sudo ls',
      expected: 'deny RuleDenied',
      why: 'by its path',
    },
    {
      rules: ['deny:Bash(sudo *)', 'allow:*'],
      line: 'env sudo -n ls',
      expected: 'deny RuleDenied',
      why: 'inside another wrapper',
    },
    {
      rules: ['deny:Bash(sudo *)', 'allow:*'],
      line: "sh -c 'sudo ls'",
      expected: 'deny RuleDenied',
      why: 'inside a script',
    },
    {
      rules: ['deny:Bash(sh *)', 'allow:*'],
      line: "sh -c 'ls'",
      expected: 'deny RuleDenied',
      why: 'the shell is named',
    },
    {
      rules: ['deny:Bash(sh *)', 'allow:*'],
      line: "ls | xargs sh -c 'ls'",
      expected: 'deny RuleDenied',
      why: 'the shell behind xargs',
    },
    {
      rules: ['ask:Bash(timeout *)', 'allow:*'],
      line: 'timeout 5 ls',
      expected: 'ask review',
      why: 'an ask bites as well',
    },
    {
      rules: ['allow:Bash(sudo *)', 'deny:Bash(rm *)'],
      line: 'sudo rm -rf /',
      expected: 'deny RuleDenied',
      why: 'the command inside is judged',
    },
    {
      rules: ['allow:Bash(sudo *)'],
      line: 'sudo rm -rf /',
      expected: 'ask review',
      why: 'an allowed wrapper allows nothing',
    },
    {
      rules: ['allow:Bash(git *)', 'deny:*'],
      line: 'timeout 5 git log',
      expected: 'allow',
      why: 'a rule about everything is not about the wrapper',
    },
    {
      rules: ['allow:Bash(git *)', 'deny:Bash(*)'],
      line: 'timeout 5 git log',
      expected: 'allow',
      why: 'nor is a pattern about everything',
    },
    {
      rules: ['allow:*', 'deny:Bash(rm *)'],
      line: 'timeout 5 ls',
      expected: 'allow',
      why: 'no rule names the wrapper',
    },
  ])('$why: $line → $expected', ({ rules, line, expected }) => {
    expect(says(rules, line)).toBe(expected);
  });
});
