import type { GitChangeWire, RunChanges } from '@sallyport/protocol';
import { visibleLine } from '../output.ts';

const MOST_REFS = 4;

/** What became of a workspace, and the one command that takes it back. */
export function describeChanges({ files, lines, git }: RunChanges, run: string): readonly string[] {
  const { added, removed, changed } = files;
  const count = added + removed + changed;
  if (count === 0 && git.length === 0) return ['  changed  nothing'];
  const parts = [
    count === 0 ? 'no files' : `${count} ${count === 1 ? 'file' : 'files'} (${describeCounts(files)})`,
    ...(lines.added + lines.removed === 0 ? [] : [`+${lines.added} -${lines.removed} lines`]),
  ];
  return [
    `  changed  ${parts.join(', ')}`,
    ...git.map((one) => `  git      ${describeGit(one)}`),
    `  undo     sallyport undo ${run}`,
  ];
}

export function describeCounts({ added, removed, changed }: RunChanges['files']): string {
  const words = [
    ...(changed === 0 ? [] : [`${changed} changed`]),
    ...(added === 0 ? [] : [`${added} new`]),
    ...(removed === 0 ? [] : [`${removed} gone`]),
  ];
  return words.length === 0 ? 'nothing' : words.join(', ');
}

/** What became of a repository, in one line. */
export function describeGit({ folder, commits, head, refs, stashed }: GitChangeWire): string {
  const where = folder === '.git' ? '' : `${visibleLine(folder)}: `;
  if (head.now === null) return `${where}the repository is gone`;
  if (head.was === null) return `${where}a new repository`;
  const shown = refs.slice(0, MOST_REFS).map(({ name, was, now }) => {
    const how = was === null ? 'new' : now === null ? 'gone' : 'moved';
    return `${shortName(name)} ${how}`;
  });
  const more = refs.length - shown.length;
  const parts = [
    ...(commits === 0 ? [] : [`${commits} ${commits === 1 ? 'commit' : 'commits'}`]),
    ...shown,
    ...(more > 0 ? [`${more} more`] : []),
    ...(head.was === head.now ? [] : [`on ${shortName(head.now)} instead of ${shortName(head.was)}`]),
    ...(stashed.was === stashed.now ? [] : [`${stashed.now} stashed instead of ${stashed.was}`]),
  ];
  return `${where}${parts.length === 0 ? 'its own files' : parts.join(', ')}`;
}

function shortName(ref: string): string {
  if (/^[0-9a-f]{40,64}$/.test(ref)) return ref.slice(0, 10);
  return visibleLine(ref.replace(/^refs\/(?:heads|tags|remotes)\//, '').replace(/^refs\//, ''));
}
