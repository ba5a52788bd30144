import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { applyStep, readSteps } from './extending-page.ts';
import { PLUG_INS } from './plug-in-cases.ts';
import { findForgotten } from './plug-ins.ts';

const root = resolve(import.meta.dirname, '../..');

function folderWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'a.ts'), text);
  return folder;
}

const edit = (text: string) => ({ number: 1, path: 'a.ts', kind: 'diff', text }) as const;

test('a page is read step by step; blocks without a numbered heading are only shown', () => {
  const page = [
    ...['# T', '```ts', 'shown();', '```', '## 1. The name, in `a.ts`', 'words', '```diff', '+one', '```'],
    ...['## 2. The rest, in `b/c.ts`', '```ts', 'two();', '```', '## Then', '```ts', 'shown();', '```'],
  ].join('\n');
  expect(readSteps(page)).toEqual([
    { number: 1, path: 'a.ts', kind: 'diff', text: '+one' },
    { number: 2, path: 'b/c.ts', kind: 'ts', text: 'two();' },
  ]);
});

test('lines come, go and stay, in several places', () => {
  const folder = folderWith('one\ntwo\nthree\nfour\n');
  expect(applyStep(folder, edit(' one\n+and a half\n@@\n-four\n+five\n'))).toBeUndefined();
  expect(readFileSync(join(folder, 'a.ts'), 'utf8')).toBe('one\nand a half\ntwo\nthree\nfive\n');
});

test.each([
  ['one\n', ' two\n+three\n', 'has these lines 0 times', 'the page is older than the file'],
  ['one\none\n', ' one\n+two\n', 'has these lines 2 times', 'nobody can tell which place is meant'],
])('a step that does not fit is refused: %j, %j', (text, diff, message, _why) => {
  expect(applyStep(folderWith(text), edit(diff))).toContain(message);
});

test('a page that touches more wiring than is allowed is found, before anything is compiled', async () => {
  const [first] = PLUG_INS.filter(({ page }) => page === 'channel.md');
  if (first === undefined) throw new Error('there is no such case');
  const found = await findForgotten(root, [{ ...first, wiring: 0 }]);
  expect(found.map(({ message }) => message)).toEqual([expect.stringContaining('at most 0')]);
});
