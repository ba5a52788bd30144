import { posix } from 'node:path';
import type { PathFact } from '@sallyport/protocol';
import type { NamedWord } from './paths/command-paths.ts';
import type { Redirect } from './reading.ts';
import type { Folders, ShellContext } from './words/cwd-scope.ts';
import type { Word } from './words/word.ts';

interface Writes {
  readonly writes: readonly PathFact[];
  readonly problem?: string;
}

const NO_NAMES: readonly NamedWord[] = [];
const NOTHING: Writes = { writes: [] };
const NOT_FILES = /^\/dev\/(?:null|stdout|stderr|fd\/\d+)$/;
const NETWORK = /^\/dev\/(?:tcp|udp)(?:\/|$)/;
const OUTPUT = new Set(['>', '>>', '>|', '&>', '&>>', '>&']);
const INPUT = new Set(['<', '<&', '<<<', '<&-', '>&-']);

/** The files that redirections write. A target that cannot be known is a `problem`. */
export function redirectWrites(
  redirects: readonly Redirect[],
  folders: Folders,
  context: ShellContext,
): Writes {
  if (redirects.length === 0) return NOTHING;
  const targets: Word[] = [];
  for (const { operator, target } of redirects) {
    const duplicates =
      (operator === '>&' || operator === '<&') && target.literal && /^\d*-?$/.test(target.text);
    if (duplicates || operator === '<<<') continue;
    if (OUTPUT.has(operator)) {
      targets.push(target);
    } else if (!INPUT.has(operator)) {
      return { writes: [], problem: `the redirection \`${operator}\` is not known` };
    } else if (!target.literal ? !isLocalPrefix(target.prefix) : opensNetwork(target.text)) {
      return { writes: [], problem: 'a redirection may open a network connection' };
    }
  }
  return writesTo(targets, folders, context);
}

/** What redirections name beside the files that `redirectWrites` has found: files that are read, and texts. */
export function redirectNames(redirects: readonly Redirect[], folders: Folders): readonly NamedWord[] {
  if (redirects.length === 0) return NO_NAMES;
  return redirects.flatMap(({ operator, target }): readonly NamedWord[] => {
    if (/^\d*-?$/.test(target.text) && operator.includes('&')) return NO_NAMES;
    if (operator === '<<<') return [{ word: target, use: 'none' }];
    if (!OUTPUT.has(operator)) return [{ word: target, use: operator === '<' ? 'read' : 'both' }];
    return target.literal && folders !== undefined ? NO_NAMES : [{ word: target, use: 'write' }];
  });
}

/** The files behind `targets`, for every folder that the command may run in. */
export function writesTo(targets: readonly Word[], folders: Folders, context: ShellContext): Writes {
  const writes: PathFact[] = [];
  for (const target of targets) {
    // zsh reads `>! x` as a forced write to `x`.
    if (!target.literal || target.text === '' || target.text === '!')
      return { writes, problem: 'an output file is not known' };
    if (opensNetwork(target.text)) return { writes, problem: 'an output goes to a network connection' };
    if (NOT_FILES.test(target.text)) continue;
    const path = target.tilde ? context.home + target.text.slice(1) : target.text;
    const from = path.startsWith('/') ? ['/'] : folders;
    if (from === undefined)
      return { writes, problem: 'an output file depends on a folder that is not known' };
    for (const cwd of from)
      writes.push({ given: target.text, real: context.resolvePath(path, cwd), access: 'write' });
  }
  return { writes };
}

function opensNetwork(path: string): boolean {
  return NETWORK.test(path) || NETWORK.test(posix.normalize(path));
}

function isLocalPrefix(prefix: string): boolean {
  return prefix.startsWith('/')
    ? !'/dev/tcp'.startsWith(prefix.slice(0, 8)) && !prefix.startsWith('/dev/')
    : prefix !== '';
}
