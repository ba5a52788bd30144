import type { Action } from '@sallyport/protocol';
import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bash, file, http, mcp, OPTIONS } from '../gate.fixture.ts';
import type { RuleSource } from './compile-rule.ts';
import { judgeList } from './judge-list.ts';
import { TypeRegistry } from './patterns/action-types.ts';
import { PrefixIndex } from './patterns/prefix-index.ts';
import { RuleList } from './rule-list.ts';
import { parseRule } from './selector.ts';

const types = new TypeRegistry();
const source = (text: string): RuleSource => {
  const parsed = parseRule(text, types);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.message}`);
  return { text, rule: parsed.value };
};
const listOf = (texts: readonly string[]) => new RuleList(texts.map(source), OPTIONS, OPTIONS.lists);

const RULES = [
  'allow:*',
  'deny:Write',
  'allow:Bash',
  'allow:Bash(git *)',
  'deny:Bash(git push *)',
  'ask:Bash(rm *)',
  'allow:Bash(* --help)',
  'deny:git(push *)',
  'allow:git',
  'deny:Write(/repo/**)',
  'allow:Write(./src/**)',
  'ask:Read(~/**)',
  'allow:Edit(//tmp/*)',
  'ask:mcp:github/*',
  'deny:mcp:github/delete_repo',
  'allow:mcp:*',
  'allow:http(GET api.github.com/repos/**)',
  'deny:http(* *.github.com/orgs/**)',
  'allow:http(GET,HEAD @known)',
  'ask:http(POST)',
  'deny:http',
  'allow:@vcs',
  'deny:@vcs:push',
  'ask:@custom:http',
  'allow:fs.*',
];

const ACTIONS: readonly Action[] = [
  bash('git status'),
  bash('git push origin main', { type: 'vcs:push' }),
  bash('rm -rf x'),
  bash('rm'),
  bash('cargo --help'),
  file('Write', '/srv/root/project/src/a.ts'),
  file('Edit', '/tmp/x'),
  file('Read', '/home/ana/.ssh/id'),
  file('Grep', '/srv/root/project'),
  file('fs.write', '/srv/root/project/a'),
  mcp('github', 'get_me'),
  mcp('github', 'delete_repo'),
  mcp('other', 'x'),
  http('GET api.github.com/repos/a/b'),
  http('GET api.github.com/orgs/x'),
  http('HEAD www.docs.example/'),
  http('POST evil.example/'),
];

describe('RuleList', () => {
  test('the index finds the rule that reading the list from the top finds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...RULES), { minLength: 1, maxLength: 12 }),
        fc.constantFrom(...ACTIONS),
        (texts, action) => {
          const byIndex = judgeList(listOf(texts), action);
          const byReading = texts
            .map((text) => judgeList(listOf([text]), action))
            .find((opinion) => opinion !== undefined);
          expect(byIndex).toEqual(byReading);
        },
      ),
      { numRuns: rounds(3_000) },
    );
  });
});

describe('PrefixIndex', () => {
  test('finds every item whose prefix the text has, and no other', () => {
    const word = fc.array(fc.constantFrom('a', 'b'), { maxLength: 5 }).map((chars) => chars.join(''));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), word, (prefixes, text) => {
        const index = new PrefixIndex<{ order: number; prefix: string }>();
        for (const [order, prefix] of prefixes.entries()) index.insert(prefix, { order, prefix });
        const found = index.all(text).map(({ order }) => order);
        const expected = prefixes.flatMap((prefix, order) => (text.startsWith(prefix) ? [order] : []));
        expect(found.toSorted((a, b) => a - b)).toEqual(expected);
        const first = index.first(text, Number.POSITIVE_INFINITY, () => true, undefined);
        expect(first?.order).toBe(expected[0]);
      }),
      { numRuns: rounds(2_000) },
    );
  });
});
