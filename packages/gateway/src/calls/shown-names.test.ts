import { expect, test } from 'vitest';
import { plainNames, ruleName, shownName } from './shown-names.ts';

test.each([
  { name: 'github/create_issue', rule: 'mcp:github/create_issue', why: 'as it is listed' },
  { name: 'mcp:github/create_issue', rule: 'mcp:github/create_issue', why: 'as rules write it' },
  { name: 'mcp__github__create_issue', rule: 'mcp:github/create_issue', why: 'as clients write it' },
  { name: 'fs.read', rule: 'fs.read', why: 'a tool of the gateway' },
  { name: 'github/a/b', rule: 'mcp:github/a/b', why: 'a slash in the tool itself' },
])('$name is $rule ($why)', ({ name, rule }) => {
  expect(ruleName(name)).toBe(rule);
  expect(ruleName(shownName(rule))).toBe(rule);
});

test('[TO-1] two tools never share a plain name, however alike their names are', () => {
  const tools = ['mcp:a/b_c', 'mcp:a/b.c', 'mcp:a__b/c', 'mcp:a/b__c', 'fs.read', `mcp:a/${'x'.repeat(100)}`];
  const names = plainNames(tools.map((tool) => ({ tool })));
  expect(names.size).toBe(tools.length);
  expect([...names.values()].toSorted()).toEqual(tools.toSorted());
  for (const name of names.keys()) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
});

test('a plain name does not depend on which other tools there are, unless they collide', () => {
  const alone = plainNames([{ tool: 'mcp:a/b' }]);
  const among = plainNames([{ tool: 'mcp:a/b' }, { tool: 'mcp:c/d' }]);
  expect(alone.get('a__b')).toBe('mcp:a/b');
  expect(among.get('a__b')).toBe('mcp:a/b');
});
