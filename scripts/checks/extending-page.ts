import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One step of a page: what happens to one file. */
export interface Step {
  /** as the heading counts it */
  readonly number: number;
  /** from the root */
  readonly path: string;
  /** `ts`: the whole new file. `diff`: lines that are there (` `), go (`-`) and come (`+`); `@@` begins the next place */
  readonly kind: 'ts' | 'diff';
  readonly text: string;
}

const HEADING = /^## (\d+)\. .*`([^`]+\.ts)`\s*$/;

/** The steps of a page of docs/extending: a heading `## 1. … `path`` and the block of code below it. */
export function readSteps(page: string): readonly Step[] {
  const steps: Step[] = [];
  let heading: { readonly number: number; readonly path: string } | undefined;
  let block: { readonly kind: Step['kind']; readonly lines: string[] } | undefined;
  for (const line of page.split('\n')) {
    if (block !== undefined) {
      if (line !== '```') block.lines.push(line);
      else {
        if (heading !== undefined) steps.push({ ...heading, kind: block.kind, text: block.lines.join('\n') });
        block = undefined;
      }
      continue;
    }
    const [, number, path] = HEADING.exec(line) ?? [];
    if (number !== undefined && path !== undefined) heading = { number: Number(number), path };
    else if (line.startsWith('## ')) heading = undefined;
    else if (heading !== undefined && (line === '```ts' || line === '```diff'))
      block = { kind: line === '```ts' ? 'ts' : 'diff', lines: [] };
  }
  return steps;
}

/** Does what a step says. Returns what is wrong with it: lines that are not in the file, or are there twice. */
export function applyStep(root: string, { path, kind, text }: Step): string | undefined {
  const file = join(root, path);
  if (kind === 'ts') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${text}\n`);
    return undefined;
  }
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch {
    return `\`${path}\` does not exist`;
  }
  for (const place of text.split(/^@@.*\n/m).filter((part) => part.trim() !== '')) {
    const lines = place.split('\n').filter((line) => line !== '');
    const before = linesOf(lines, '-');
    const parts = content.split(before);
    if (parts.length !== 2)
      return `\`${path}\` has these lines ${parts.length - 1} times: ${before.trim().split('\n')[0]}`;
    content = parts.join(linesOf(lines, '+'));
  }
  writeFileSync(file, content);
  return undefined;
}

/** The lines of one side. */
function linesOf(lines: readonly string[], side: '-' | '+'): string {
  return lines
    .filter((line) => line.startsWith(' ') || line.startsWith(side))
    .map((line) => `${line.slice(1)}\n`)
    .join('');
}
