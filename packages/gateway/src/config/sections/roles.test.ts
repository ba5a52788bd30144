import { expect, test } from 'vitest';
import { parseSelector } from './roles.ts';

test.each([
  { text: 'agent:*', selector: { kind: 'agent', pattern: '*' } },
  { text: 'agent:dev-*', selector: { kind: 'agent', pattern: 'dev-*' } },
  { text: 'tool:Bash', selector: { kind: 'tool', tool: 'Bash' } },
  { text: 'tool:*', selector: { kind: 'tool', tool: '*' } },
  { text: 'tool:Bash(git *)', selector: { kind: 'tool', tool: 'Bash', pattern: 'git *' } },
  { text: 'tool:Bash(echo (x))', selector: { kind: 'tool', tool: 'Bash', pattern: 'echo (x)' } },
  { text: 'tool:mcp:github/*', selector: { kind: 'tool', tool: 'mcp:github/*' } },
  { text: 'approve:*', selector: { kind: 'approve', type: '*' } },
  { text: 'approve:vcs', selector: { kind: 'approve', type: 'vcs' } },
  { text: 'approve:vcs:push', selector: { kind: 'approve', type: 'vcs:push' } },
  { text: 'approve:exec_cmd', selector: { kind: 'approve', type: 'exec_cmd' } },
  { text: 'approve:custom:deploy-x', selector: { kind: 'approve', type: 'custom:deploy-x' } },
])('reads $text', ({ text, selector }) => {
  expect(parseSelector(text)).toEqual({ kind: 'selector', selector });
});

test.each([
  { text: '', hint: /for example/, why: 'empty' },
  { text: '*', hint: /for example/, why: 'everything of every kind is nothing in particular' },
  { text: 'tools:Bash', hint: /`tool:Bash`/, why: 'misspelt kind' },
  { text: 'Agent:x', hint: /`agent:x`/, why: 'wrong case' },
  { text: 'agent:', hint: undefined, why: 'no name' },
  { text: 'agent: dev', hint: undefined, why: 'a blank' },
  { text: 'agent:../x', hint: undefined, why: 'a path' },
  { text: 'tool:', hint: /tool:Bash/, why: 'no tool' },
  { text: 'tool:Bash()', hint: /tool:Bash/, why: 'an empty pattern is not no pattern' },
  { text: 'tool:Bash(git', hint: /tool:Bash/, why: 'an open bracket' },
  { text: 'tool:Bash(git) x', hint: /tool:Bash/, why: 'text after the pattern' },
  { text: 'tool:Bash(a\nb)', hint: /tool:Bash/, why: 'two lines' },
  { text: 'approve:', hint: /approve:vcs:push/, why: 'no type' },
  { text: 'approve:vcs:psh', hint: /`vcs:push`/, why: 'misspelt type' },
  { text: 'approve:vcs:*', hint: /vcs/, why: 'a category alone stands for all of its types' },
  { text: 'approve:custom:', hint: /./, why: 'a custom type without name' },
])('refuses $text: $why', ({ text, hint }) => {
  const result = parseSelector(text);
  expect(result.kind).toBe('problem');
  if (result.kind !== 'problem') return;
  if (hint === undefined) expect(result.hint).toBeUndefined();
  else expect(result.hint).toMatch(hint);
});
