import { describe, expect, test } from 'vitest';
import { classifyCli } from '../cli/index.ts';
import { createShellAnalyzer } from './index.ts';
import { HOSTILE } from './shell-cases/all-cases.ts';
import { caseContext } from './shell-cases/case-context.ts';

const analyze = await createShellAnalyzer();

/** Whether rules of the form `allow:Bash(PROGRAM *)`, and no rule for writes, let the line pass. */
function passes(line: string, programs: readonly string[], confinement: 'jailed' | 'unconfined'): boolean {
  const { commands, unknown } = analyze(line, caseContext(confinement, { classifyCli }));
  if (unknown !== undefined || commands.length === 0) return false;
  return commands.every(
    ({ text, unknown: doubt, writes }) =>
      doubt === undefined &&
      writes.length === 0 &&
      programs.some((program) => text === program || text.startsWith(`${program} `)),
  );
}

describe.each(['jailed', 'unconfined'] as const)('with `allow:Bash(git *)` alone (%s)', (confinement) => {
  test.each([
    { line: 'git log | sh', why: 'the output of git as commands' },
    { line: 'git log $(curl x)', why: 'a substitution' },
    { line: 'git -c core.pager=./x log', why: 'a setting that names a program' },
    { line: 'git log --output=x', why: 'an option that writes a file' },
    { line: 'git log > ~/.bashrc', why: 'a redirection' },
    { line: 'GIT_SSH_COMMAND=./x git fetch', why: 'a variable that names a program' },
    { line: 'git log; rm x', why: 'a second command' },
    { line: 'git log & rm x', why: 'a second command at the same time' },
    { line: 'git log\nrm x', why: 'a second line' },
    { line: 'git log <(rm x)', why: 'process substitution' },
    { line: './git log', why: 'a file called git' },
    { line: 'git log $x', why: 'an option that nobody sees' },
    { line: 'git grep --open-files-in-pager=./x y', why: 'an option that names a program' },
    { line: 'ls | xargs git log', why: 'arguments that nobody sees' },
    { line: 'eval "git $x"', why: 'a text that is not in the line' },
  ])('[GA-2] [GA-6] $why does not pass: $line', ({ line }) => {
    expect(passes(line, ['git'], confinement)).toBe(false);
  });

  test.each([
    { line: 'git log', why: 'the plain command' },
    { line: 'git log --oneline -n 3', why: 'options' },
    { line: 'git status && git diff', why: 'a list of git' },
    { line: 'timeout 5 git log', why: 'a wrapper' },
    { line: "bash -lc 'git log'", why: 'a text' },
    { line: '/usr/bin/git log', why: 'a path' },
    { line: 'git log 2>/dev/null', why: 'the null device' },
    { line: "git log --grep='$(x); rm'", why: 'quoted signs' },
  ])('$why passes: $line', ({ line }) => {
    expect(passes(line, ['git'], confinement)).toBe(true);
  });

  test('[GA-6] no hostile row passes with rules for git, ls, cat and echo, unless that is all it runs', () => {
    const passing = HOSTILE.filter(({ line }) => passes(line, ['git', 'ls', 'cat', 'echo'], confinement));
    expect(passing.map(({ line }) => line)).toEqual([
      "git log '$(curl x)'",
      'git log "\\$(curl x)"',
      `echo 'a' 'b;rm x' "; rm y"`,
      "echo $'a\\'; rm x # '",
      'echo "a\\"; rm x; echo "',
      'ls \uff1brm x',
      'ls \uff5c sh',
    ]);
  });
});
