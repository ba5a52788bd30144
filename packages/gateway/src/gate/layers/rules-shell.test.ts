import { describe, expect, test } from 'vitest';
import { actionOf, bash, CWD, fact, judged, pathFact } from '../gate.fixture.ts';

const dev = (...permissions: string[]) => ({ agents: { dev: { permissions } } });
const unconfined = { actor: { confinement: 'unconfined' } } as const;

describe('shell lines', () => {
  const unknown = fact('$x', { program: '', unknown: 'a variable as command name' });
  test.each([
    { rules: ['allow:Bash(git *)'], line: bash('git log'), expected: 'allow', why: 'one command' },
    {
      rules: ['allow:Bash(git *)'],
      line: bash('git log ; git status'),
      expected: 'allow',
      why: 'both match',
    },
    {
      rules: ['allow:Bash(git *)'],
      line: bash('git log ; sh'),
      expected: 'ask review',
      why: 'one is unmatched',
    },
    {
      rules: ['allow:Bash(git *)'],
      line: bash('git log ; curl x'),
      expected: 'ask review',
      why: 'a substitution',
    },
    {
      rules: ['deny:Bash(curl *)', 'allow:Bash'],
      line: bash('git log ; curl x'),
      expected: 'deny RuleDenied',
      why: 'the strictest wins',
    },
    {
      rules: ['ask:Bash(curl *)', 'allow:Bash(git *)'],
      line: bash('git log ; curl x ; sh'),
      expected: 'ask review',
      why: 'ask beats unmatched',
    },
    {
      rules: ['allow:Bash(git *)'],
      line: bash([fact('git -c x=y log', { unknown: 'an option that runs code' })]),
      expected: 'ask review',
      why: 'unknown never matches a pattern',
    },
    {
      rules: ['allow:Bash(*)'],
      line: bash([unknown]),
      expected: 'ask review',
      why: 'also not `*` as a pattern',
    },
    {
      rules: ['allow:@custom:cli'],
      line: bash([unknown]),
      expected: 'ask review',
      why: 'also not by its type',
    },
    {
      rules: ['allow:git'],
      line: bash([fact('git x', { unknown: 'alias' })]),
      expected: 'ask review',
      why: 'also not by its program',
    },
    { rules: ['allow:*'], line: bash([unknown]), expected: 'allow', why: 'a bare allow covers it in a jail' },
    {
      rules: ['allow:Bash'],
      line: bash([unknown]),
      expected: 'allow',
      why: 'a bare allow covers it in a jail',
    },
    {
      rules: ['allow:*'],
      line: bash([unknown], unconfined),
      expected: 'ask review',
      why: 'and nowhere else',
    },
    {
      rules: ['allow:Bash'],
      line: bash([unknown], unconfined),
      expected: 'ask review',
      why: 'and nowhere else',
    },
    {
      rules: ['deny:Bash'],
      line: bash([unknown]),
      expected: 'deny RuleDenied',
      why: 'a bare deny needs no knowledge',
    },
    {
      rules: ['deny:Bash(rm *)', 'allow:*'],
      line: bash([unknown]),
      expected: 'ask human',
      why: 'it could be that command',
    },
    {
      rules: ['deny:gh(pr merge *)', 'allow:*'],
      line: bash([unknown]),
      expected: 'ask human',
      why: 'it could be that CLI',
    },
    {
      rules: ['deny:@custom:destroy', 'allow:*'],
      line: bash([unknown]),
      expected: 'ask human',
      why: 'it could be of that type',
    },
    {
      rules: ['deny:@deploy', 'allow:*'],
      line: bash([unknown]),
      expected: 'allow',
      why: 'in a jail a deployment is judged where it leaves it',
    },
    {
      rules: ['deny:@deploy', 'allow:*'],
      line: bash([fact('x $y', { unknown: 'z', type: 'deploy:staging' })]),
      expected: 'deny RuleDenied',
      why: 'it is of that type',
    },
    {
      rules: ['deny:Bash(rm *)', 'allow:*'],
      line: bash([fact('rm $x', { unknown: 'a variable' })]),
      expected: 'deny RuleDenied',
      why: 'what is known matches',
    },
    {
      rules: ['deny:Bash(rm *)', 'allow:*'],
      line: bash([fact('eval $x', { unknown: 'a variable' })]),
      expected: 'ask human',
      why: 'a known first word rules nothing out: `eval` is one',
    },
    {
      rules: ['deny:Bash(* --force)', 'allow:*'],
      line: bash([fact('echo $x', { unknown: 'a variable' })]),
      expected: 'ask human',
      why: 'the pattern leaves the program open',
    },
    {
      rules: ['allow:Bash(git *)'],
      line: bash('sh ; git log'),
      expected: 'ask review',
      why: 'an unmatched one before a matched one',
    },
    {
      rules: ['deny:Bash(curl *)', 'allow:Bash'],
      line: bash('curl x ; git log'),
      expected: 'deny RuleDenied',
      why: 'a denied one before an allowed one',
    },
    {
      rules: ['deny:Bash(rm *)', 'deny:Bash'],
      line: bash([unknown]),
      expected: 'deny RuleDenied',
      why: 'a doubt hides no certain deny behind it',
    },
    {
      rules: ['allow:Bash(git *)'],
      line: bash([]),
      expected: 'ask review',
      why: 'no command is not all commands',
    },
  ])('[GA-6] $rules: $why', ({ rules, line, expected }) => {
    expect(judged(dev(...rules), line)).toBe(expected);
  });

  test('[GA-2] a line that cannot be read is allowed by a bare allow in a jail only', () => {
    const target = {
      kind: 'command',
      form: 'shell',
      cwd: CWD,
      commands: [fact('git log')],
      unknown: 'syntax error',
    } as const;
    expect(judged(dev('allow:Bash(git *)'), actionOf('Bash', target))).toBe('ask review');
    expect(judged(dev('allow:Bash'), actionOf('Bash', target))).toBe('allow');
    expect(judged(dev('allow:Bash'), actionOf('Bash', target, unconfined))).toBe('ask review');
  });

  test.each([
    {
      rules: ['allow:Bash(git *)'],
      path: '/home/ana/.bashrc',
      over: {},
      expected: 'ask review',
      why: 'no rule for the file',
    },
    {
      rules: ['allow:Bash(git *)', 'allow:Write(~/**)'],
      path: '/home/ana/x',
      over: {},
      expected: 'allow',
      why: 'both match',
    },
    {
      rules: ['allow:Bash', 'deny:Write(~/**)'],
      path: '/home/ana/x',
      over: {},
      expected: 'deny RuleDenied',
      why: 'a Write, also after a bare allow',
    },
    {
      rules: ['allow:Bash'],
      path: '/srv/root/project/x',
      over: {},
      expected: 'allow',
      why: 'a bare allow in a jail',
    },
    {
      rules: ['allow:Bash'],
      path: '/srv/root/project/x',
      over: unconfined,
      expected: 'ask review',
      why: 'not outside one',
    },
    {
      rules: ['allow:*'],
      path: '/srv/root/project/x',
      over: unconfined,
      expected: 'allow',
      why: '`*` allows the Write too',
    },
  ])(
    '[GA-6] an output redirection is a Write of that path: $rules, $why',
    ({ rules, path, over, expected }) => {
      const line = bash([fact('git log', { writes: [pathFact(path)] })], over);
      expect(judged(dev(...rules), line)).toBe(expected);
    },
  );
});
