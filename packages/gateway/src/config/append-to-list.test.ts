import { SallyportError } from '@sallyport/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { appendToList } from './append-to-list.ts';
import { firstConfigText } from './first-config.ts';

const HOST = { host: 'docs.example.com', method: ['GET', 'HEAD'], action: 'allow' };

describe('a list of the config gets one more item', () => {
  it('in the first config, where everything else stays as it was written', () => {
    const before = firstConfigText({ osUser: 'ana' });
    const after = appendToList(before, ['network', 'rules'], HOST);
    expect(added(before, after)).toEqual([
      '    - { host: docs.example.com, method: [GET, HEAD], action: allow }',
    ]);
    const twice = appendToList(after, ['tenants', 'default', 'exceptions'], 'Bash(gh pr create *)');
    expect(added(after, twice)).toEqual(['      - "Bash(gh pr create *)"']);
  });

  const cases: readonly (readonly [why: string, text: string, path: string[], wanted: string])[] = [
    ['a list in brackets', 'a: ["x"] # why\n', ['a'], 'a: ["x", y] # why\n'],
    ['an empty list in brackets', 'a: []\n', ['a'], 'a: [y]\n'],
    ['brackets over several lines', 'a: [\n  x,\n  z\n]\n', ['a'], 'a: [\n  x,\n  z, y\n]\n'],
    ['a trailing comma', 'a: [\n  x,\n]\n', ['a'], 'a: [\n  x, y\n]\n'],
    ['no list yet', 'a:\n  b: 1 # one\nc: 2\n', ['a', 'd'], 'a:\n  b: 1 # one\n  d:\n    - y\nc: 2\n'],
    [
      'a key without a value',
      'a:\n  d: # none yet\nc: 2\n',
      ['a', 'd'],
      'a:\n  d: # none yet\n    - y\nc: 2\n',
    ],
    ['no parent either', 'c: 2\n', ['a', 'd'], 'c: 2\na:\n  d:\n    - y\n'],
    ['a map in braces', 'a: { b: 1 }\n', ['a', 'd'], 'a: { b: 1, d: [y] }\n'],
    ['an empty map in braces', 'a: {}\n', ['a', 'd'], 'a: {d: [y]}\n'],
    ['an empty file', '', ['a'], '\na:\n  - y\n'],
    ['comments alone', '# mine\n', ['a'], '# mine\na:\n  - y\n'],
    [
      'a comment behind the last item',
      'a:\n  - x # here\n# and here\nb: 1\n',
      ['a'],
      'a:\n  - x # here\n  - y\n# and here\nb: 1\n',
    ],
    ['a list that is not indented', 'a:\n- x\nb: 1\n', ['a'], 'a:\n- x\n- y\nb: 1\n'],
    [
      'items over several lines',
      'a:\n  - b: 1\n    c: 2\nd: 1\n',
      ['a'],
      'a:\n  - b: 1\n    c: 2\n  - y\nd: 1\n',
    ],
    ['no line break at the end', 'a:\n  - x', ['a'], 'a:\n  - x\n  - y\n'],
  ];
  it.each(cases)('%s', (_why, text, path, wanted) => {
    expect(appendToList(text, path, 'y')).toBe(wanted);
  });

  const refused: readonly (readonly [why: string, text: string, path: string[]])[] = [
    ['a text where a list should be', 'a: x\n', ['a']],
    ['a list where a map should be', 'a: [x]\n', ['a', 'b']],
    ['a list that is an alias of another', 'b: &b [x]\na: *b\n', ['a']],
    ['a file that is no YAML', 'a: [\n', ['a']],
    ['a comment that would swallow the item', 'a: [x # why\n]\n', ['a']],
  ];
  it.each(refused)('and refuses %s', (_why, text, path) => {
    expect(() => appendToList(text, path, 'y')).toThrow(SallyportError);
  });

  it('never expands what an agent put into a name', () => {
    const after = appendToList('a: []\n', ['a'], 'http(POST x.example/${HOME})');
    expect(after).toContain('$${HOME}');
  });

  it('is the old config and the item, for any config and any item', () => {
    const leaf = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.integer(), fc.boolean());
    const shape = fc.record({
      network: fc.option(fc.record({ rules: fc.array(leaf, { maxLength: 3 }) }), { nil: undefined }),
      other: fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.array(leaf, { maxLength: 2 }), {
        maxKeys: 3,
      }),
    });
    fc.assert(
      fc.property(shape, fc.string({ unit: 'grapheme', maxLength: 20 }), (config, item) => {
        const text = `# first\n${JSON.stringify(config, undefined, 2)}\n`;
        const after = appendToList(text, ['network', 'rules'], item);
        const { network, other } = parse(after) as { network: { rules: unknown[] }; other: unknown };
        expect(other).toEqual(config.other);
        expect(network.rules.slice(0, -1)).toEqual(config.network?.rules ?? []);
        expect(String(network.rules.at(-1)).replaceAll('$${', '${')).toBe(item);
        expect(after.startsWith('# first\n')).toBe(true);
      }),
    );
  });
});

/** Lines of the second text that the first has not; fails when the first has lines that the second has not. */
function added(before: string, after: string): string[] {
  const rest = before.split('\n');
  const found = after.split('\n').filter((line) => {
    if (line !== rest[0]) return true;
    rest.shift();
    return false;
  });
  expect(rest).toEqual([]);
  return found;
}
