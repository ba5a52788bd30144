import type { CommandFact } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { classifyCli } from '../cli/index.ts';
import { createShellAnalyzer } from './index.ts';
import { caseContext } from './shell-cases/case-context.ts';

const analyze = await createShellAnalyzer();
const ANYTHING = { effect: 'write', reach: 'remote', type: 'custom:cli', risk: 'critical' } as const;
const READ = { effect: 'read', reach: 'workspace', type: 'code:read', risk: 'low' } as const;
const WRITE = { effect: 'write', reach: 'workspace', type: 'code:write', risk: 'medium' } as const;
const TEST = { effect: 'write', reach: 'workspace', type: 'test:run', risk: 'medium' } as const;
const DELETE = { effect: 'write', reach: 'workspace', type: 'code:delete', risk: 'high' } as const;

function only(line: string, confinement: 'jailed' | 'unconfined'): CommandFact {
  const { commands } = analyze(line, caseContext(confinement, { classifyCli }));
  // A folder that is entered first, and what counts a number, are commands of their own.
  const others = commands.filter(({ program }) => program === 'cd' || program === 'nproc');
  expect(commands).toHaveLength(1 + others.length);
  return commands.find((command) => !others.includes(command))!;
}

describe('a command in an unconfined session', () => {
  test.each([
    { line: 'ls -la', kind: READ, why: 'a reader' },
    { line: 'cat x > y', kind: WRITE, why: 'a reader that is redirected' },
    { line: 'mkdir x', kind: WRITE, why: 'a writer' },
    { line: 'rm x', kind: DELETE, why: 'a deleter' },
    { line: 'tee x', kind: WRITE, why: 'a file by its operand' },
    { line: 'sort x', kind: READ, why: 'sort without options' },
    { line: 'sort --compress-program=./x y', kind: ANYTHING, why: 'sort runs a program' },
    { line: 'rg --pre ./x y', kind: ANYTHING, why: 'rg runs a program' },
    { line: 'rg --pre=./x y', kind: ANYTHING, why: 'rg runs a program' },
    { line: 'tar xf x.tar', kind: WRITE, why: 'tar that unpacks' },
    { line: 'tar xf x.tar --to-command=./x', kind: ANYTHING, why: 'tar runs a program' },
    {
      line: 'tar cf x.tar --checkpoint=1 --checkpoint-action=exec=./x y',
      kind: ANYTHING,
      why: 'tar runs a program',
    },
    { line: 'tar -I ./x -xf y', kind: ANYTHING, why: 'tar runs a program' },
    { line: 'tar xf host:x.tar', kind: ANYTHING, why: 'tar opens another host' },
    { line: "sed -n '1,5p' x", kind: READ, why: 'sed that prints' },
    { line: "sed 's/a/b/e' x", kind: ANYTHING, why: 'sed runs what it replaced' },
    { line: "sed '1e id' x", kind: ANYTHING, why: 'sed runs a program' },
    { line: "sed 'w /etc/passwd' x", kind: ANYTHING, why: 'sed writes a file' },
    { line: "sed 's/a/b/w out' x", kind: ANYTHING, why: 'sed writes a file' },
    { line: 'sed -i s/a/b/ x', kind: ANYTHING, why: 'sed changes a file' },
    { line: 'sed -f x y', kind: ANYTHING, why: 'sed reads its script from a file' },
    { line: "awk '{print $1}' x", kind: READ, why: 'awk that prints' },
    { line: `awk 'BEGIN{system("id")}'`, kind: ANYTHING, why: 'awk runs a program' },
    { line: `awk '{print | "sh"}' x`, kind: ANYTHING, why: 'awk runs a program by a pipe' },
    { line: `awk '{print > "x"}' y`, kind: ANYTHING, why: 'awk writes a file' },
    { line: 'awk -f x y', kind: ANYTHING, why: 'awk reads its program from a file' },
    { line: 'npm test', kind: TEST, why: 'tests of the workspace' },
    { line: 'pytest tests/test_*.py', kind: TEST, why: 'names of files in the workspace' },
    { line: 'make -j$(nproc) test', kind: TEST, why: 'a number' },
    { line: 'pytest $x', kind: ANYTHING, why: 'a word that may be an option' },
    { line: 'pytest *.py', kind: ANYTHING, why: 'a name that may begin with a dash' },
    { line: 'pytest tests/$x', kind: ANYTHING, why: 'a word that may lead out of the workspace' },
    { line: 'pytest tests/{a,../../x}', kind: ANYTHING, why: 'a brace that leads out of the workspace' },
    { line: 'npm install $x', kind: ANYTHING, why: 'any package' },
    { line: 'cd /etc && make', kind: ANYTHING, why: 'code of another folder' },
    { line: 'cd web && npm test', kind: TEST, why: 'a folder of the workspace' },
    {
      line: 'npm publish',
      kind: { effect: 'write', reach: 'remote', type: 'deploy:production' },
      why: 'by its table',
    },
    {
      line: 'docker rm x',
      kind: { effect: 'write', reach: 'host', risk: 'high' },
      why: 'this machine beyond it',
    },
    { line: 'python3 -c "print(1)"', kind: ANYTHING, why: 'an interpreter runs anything' },
    { line: 'make', kind: { ...TEST, type: 'code:write' }, why: 'a build of the workspace' },
    { line: 'less x', kind: ANYTHING, why: 'a pager starts programs' },
    {
      line: './ls',
      kind: { effect: 'write', reach: 'workspace', type: 'code:write', risk: 'medium' },
      why: 'a file of the workspace, called ls',
    },
    { line: '/tmp/ls', kind: ANYTHING, why: 'a file called ls' },
    { line: 'ssh host ls', kind: ANYTHING, why: 'another machine' },
    {
      line: 'git push origin main',
      kind: { effect: 'write', reach: 'remote', type: 'vcs:push' },
      why: 'by the classifier',
    },
    { line: 'git fetch', kind: { effect: 'read', reach: 'remote' }, why: 'by the classifier' },
    { line: 'git status', kind: { effect: 'read', reach: 'workspace' }, why: 'by the classifier' },
  ])('$why: $line', ({ line, kind }) => {
    expect(only(line, 'unconfined')).toMatchObject(kind);
  });
});

describe('a command in a jail', () => {
  test.each([
    { line: 'ls', kind: READ, why: 'a reader' },
    {
      line: 'npm test',
      kind: TEST,
      why: 'a test',
    },
    {
      line: 'frobnicate',
      kind: { effect: 'write', reach: 'workspace', type: 'custom:cli', risk: 'medium' },
      why: 'anything',
    },
    {
      line: 'docker rm x',
      kind: { effect: 'write', reach: 'workspace', type: 'custom:cli', risk: 'medium' },
      why: 'the machine',
    },
    {
      line: 'git push origin main',
      kind: { effect: 'write', reach: 'workspace', type: 'vcs:push' },
      why: 'a push',
    },
    {
      line: 'curl https://a.example/',
      kind: { reach: 'workspace', request: { method: 'GET', url: 'https://a.example/' } },
      why: 'a request',
    },
  ])('$why is local: $line', ({ line, kind }) => {
    const fact = only(line, 'jailed');
    expect(fact).toMatchObject(kind);
    expect(fact).not.toHaveProperty('host');
    expect(fact).not.toHaveProperty('repo');
  });
});

describe('files that a line writes', () => {
  test.each([
    { line: 'ls > ~/.bashrc', real: ['/home/ana/.bashrc'], why: 'a tilde' },
    { line: "ls > '~/x'", real: ['/repo/app/~/x'], why: 'a quoted tilde' },
    { line: 'ls > ../x', real: ['/repo/x'], why: 'a parent folder' },
    { line: 'cd /etc && ls > x', real: ['/etc/x'], why: 'a folder that was entered' },
    { line: 'cd /etc; ls > x', real: ['/repo/app/x', '/etc/x'], why: 'a folder that may have been entered' },
    { line: 'cd a && cd b && ls > x', real: ['/repo/app/a/b/x'], why: 'two folders' },
    { line: 'cd a || ls > x', real: ['/repo/app/x', '/repo/app/a/x'], why: 'a folder that was not entered' },
    { line: '(cd /etc); ls > x', real: ['/repo/app/x'], why: 'a folder of a subshell' },
    { line: '{ ls; pwd; } > x', real: ['/repo/app/x'], why: 'a group' },
    { line: 'ls > a 2> b &> c', real: ['/repo/app/a', '/repo/app/b', '/repo/app/c'], why: 'several' },
    { line: 'ls > /dev/null 2>&1 >&2 2> /dev/stderr', real: [], why: 'nothing' },
    { line: 'curl -o /etc/x https://a.example/', real: ['/etc/x'], why: 'a file of a classified command' },
  ])('[GA-6] $why: $line', ({ line, real }) => {
    const { commands } = analyze(line, caseContext('jailed', { classifyCli }));
    const writes = commands.flatMap((command) => command.writes);
    expect(writes.map((write) => write.real)).toEqual(real);
    expect(writes.every((write) => write.access === 'write')).toBe(true);
  });

  test('[GA-2] a folder that cannot be known makes a relative file unknown, not an absolute one', () => {
    const doubts = (line: string): readonly unknown[] =>
      analyze(line, caseContext()).commands.map((command) => command.unknown === undefined);
    expect(doubts('cd "$x"; ls > y')).toEqual([true, false]);
    expect(doubts('cd "$x"; ls > /y')).toEqual([true, true]);
  });
});
