import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines, hunksOf, linesOf } from './line-diff.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });

test('what stays and goes is the old text, what stays and comes the new one', () => {
  const property = fc.property(lines, lines, (a, b) => {
    const changes = diffLines(a, b);
    expect(changes.filter(([kind]) => kind !== '+').map(([, line]) => line)).toEqual(a);
    expect(changes.filter(([kind]) => kind !== '-').map(([, line]) => line)).toEqual(b);
  });
  fc.assert(property, { numRuns: 500 });
});

test('finds the fewest changes, as the length of the longest common part says', () => {
  const property = fc.property(lines, lines, (a, b) => {
    const count = diffLines(a, b).filter(([kind]) => kind !== '=').length;
    expect(count).toBe(a.length + b.length - 2 * longestCommon(a, b));
  });
  fc.assert(property, { numRuns: 500 });
});

test('texts that have nothing in common cost no more than reading them', () => {
  const [a, b] = [0, 1].map((n) => Array.from({ length: 20_000 }, (_, line) => `${n} ${line}`));
  expect(diffLines(a ?? [], b ?? [])).toHaveLength(40_000);
});

test('shows a change with a few lines around it', () => {
  const a = Array.from({ length: 20 }, (_, n) => String(n));
  const b = a.with(10, 'ten');
  expect([...hunksOf(diffLines(a, b))]).toEqual([
    ...['@@ -8 +8 @@', ' 7', ' 8', ' 9', '-10', '+ten', ' 11', ' 12', ' 13'],
  ]);
});

test('what holds a zero byte is no text', () => {
  expect(linesOf(Buffer.from('a\0b'))).toBeUndefined();
  expect(linesOf(Buffer.from('a\nb\n'))).toEqual(['a', 'b']);
});

function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const line of a) {
    const next = [0];
    b.forEach((other, at) => {
      next.push(line === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    });
    row = next;
  }
  return row.at(-1) ?? 0;
}
