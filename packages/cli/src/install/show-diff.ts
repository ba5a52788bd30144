import type { FileChange } from './settings-file.ts';

const CONTEXT = 2;

/** A change as people read it: the lines that go, the lines that come, a few around them. */
export function showDiff({ path, before, after, isSecret }: FileChange): readonly string[] {
  const what = before === undefined ? 'new file' : after === undefined ? 'removed' : 'changed';
  if (isSecret === true) return [`${path} (${what}, for you alone; its content is a secret)`];
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < fresh.length - start &&
    old[old.length - 1 - end] === fresh[fresh.length - 1 - end]
  )
    end += 1;
  return [
    `${path} (${what})`,
    ...old.slice(Math.max(0, start - CONTEXT), start).map((line) => `    ${line}`),
    ...old.slice(start, old.length - end).map((line) => `  - ${line}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `  + ${line}`),
    ...old.slice(old.length - end, old.length - end + CONTEXT).map((line) => `    ${line}`),
  ];
}

function linesOf(text: string | undefined): readonly string[] {
  if (text === undefined || text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}
