import type { RepositoryFact } from '@sallyport/protocol';
import { isPlainTalk, onlyDescribe } from '../http/providers/plain-talk.ts';
import { optionValues, type ParsedArgv } from './argv-parser.ts';

/** Options with which each of these is talk in its repository and nothing else. */
const OPTIONS: Readonly<Record<string, ReadonlySet<string>>> = {
  'pr create': new Set(['--repo', '--title', '--body', '--head', '--base', '--draft']),
  'pr comment': new Set(['--repo', '--body']),
  'issue comment': new Set(['--repo', '--body']),
  'pr edit': new Set(['--repo', '--add-label']),
  'issue edit': new Set(['--repo', '--add-label']),
};

/**
 * What gh would say in a repository, where its words are all of it: the same that its requests would be known as at the
 * proxy. A text from a file, from commits or from an editor, other options, a branch that is not named: undefined.
 */
export function ghTalk(
  operation: string,
  parsed: ParsedArgv,
  repository: string,
): RepositoryFact | undefined {
  const options = Object.hasOwn(OPTIONS, operation) ? OPTIONS[operation] : undefined;
  if (options === undefined || parsed.doubts.length > 0) return undefined;
  if (!parsed.options.every(({ name }) => options.has(name))) return undefined;
  const talk = { repository, area: 'collaboration', refs: [] } as const;
  const only = (name: string): string | undefined => {
    const [value, ...more] = optionValues(parsed, name);
    return more.length === 0 ? value : undefined;
  };
  if (operation === 'pr create') {
    // Without it gh takes the branch that is checked out, and may push it first.
    const head = only('--head');
    const isSaid = isPlainTalk(only('--title')) && isPlainTalk(only('--body'));
    // SECURITY: `eve:x` is a branch of somebody else's repository [GA-15].
    const isBranch = head !== undefined && /^[\w.][\w./-]*$/.test(head) && parsed.positionals.length === 0;
    return isSaid && isBranch ? { ...talk, head: `refs/heads/${head}` } : undefined;
  }
  // A number, and not the address of another repository's; without one gh looks for the branch's own.
  const isNumber = parsed.positionals.length === 1 && /^\d+$/.test(parsed.positionals[0] ?? '');
  if (!isNumber) return undefined;
  if (operation.endsWith('edit')) {
    const labels = optionValues(parsed, '--add-label').flatMap((text) => text.split(','));
    return onlyDescribe(labels) ? talk : undefined;
  }
  return isPlainTalk(only('--body')) ? talk : undefined;
}
