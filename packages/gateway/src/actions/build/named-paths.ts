import type { CommandFact, PathFact } from '@sallyport/protocol';
import { canonicalizePath } from '../paths/index.ts';
import type { ActionContext } from './action-context.ts';

const WORDS_AT_MOST = 64;
/** Programs that go through everything below a folder, whatever their options are. */
const RECURSIVE = new Set(['find', 'tar', 'zip', 'rsync', 'rg', 'mv', 'chown', 'tree']);
const RECURSIVE_OPTION = /^(?:-[A-Za-z]*[rR][A-Za-z]*|--recursive|--archive|-a)$/;

/**
 * The paths that a command names, with where they lead: every word that may be one, also behind `--option=`.
 *
 * Only folders that no tool may ever reach are judged by these; rules judge the command's text. A word that an
 * expansion makes (`$x`, `*`) leads where only the shell knows, so it is missing: the jail is the boundary.
 */
export function namedPaths(command: CommandFact, context: ActionContext): readonly PathFact[] {
  const words = command.argv.slice(1, 1 + WORDS_AT_MOST);
  const takesAll = RECURSIVE.has(command.program) || words.some((word) => RECURSIVE_OPTION.test(word));
  const deletes = command.type === 'code:delete' || command.program === 'mv';
  // `delete` stands for "and everything below": that is how a closed folder is protected from its parents.
  const access = deletes || takesAll ? 'delete' : command.effect;
  const found: PathFact[] = [];
  for (const word of words) {
    const given = pathIn(word);
    if (given === undefined) continue;
    const result = canonicalizePath(expandHome(given, context.home), {
      cwd: context.cwd,
      home: context.home,
      foldCase: context.foldCase,
      links: context.links,
    });
    if (result.kind === 'path') found.push({ access, given, real: result.real });
  }
  return found;
}

/** `if=/dev/zero`, `--file=/x`, `-o/x`: the path behind the border. */
function pathIn(word: string): string | undefined {
  const border = word.indexOf('=');
  if (border > 0) return word.slice(border + 1) || undefined;
  if (!word.startsWith('-')) return word === '' ? undefined : word;
  const slash = word.indexOf('/');
  return slash === -1 ? undefined : word.slice(slash);
}

function expandHome(path: string, home: string): string {
  // A word with an expansion is kept as it was written, quotes included.
  const bare = path.replace(/^"(.*)"$/, '$1');
  return bare.replace(/^(?:\$HOME|\$\{HOME\})(?=\/|$)/, home);
}
