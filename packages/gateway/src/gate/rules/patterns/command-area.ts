import type { CommandFact, NamedPath } from '@sallyport/protocol';
import { compileGlob, escapeGlob, type Glob } from '../../../shared/glob.ts';
import { belowFolder, type PathBases } from './path-pattern.ts';

/** The part of a command pattern that is a path: `./*` of `cat ./*`. */
interface PathPiece {
  /** what the canonical path is matched with; below the agent's folder when `belowCwd` */
  readonly glob: Glob;
  readonly belowCwd: boolean;
}

/** What a rule about commands says about paths. */
export interface CommandArea {
  readonly pieces: readonly PathPiece[];
  /** the pattern's other words: `log` and `-n` of `git log -n * ./src` */
  readonly words: readonly Glob[];
  /** a `*` that stands alone: any words, and so any paths */
  readonly any: boolean;
  /** the one path is the program itself: `./scripts/*` says nothing about its arguments */
  readonly programOnly: boolean;
  /** the words before the first path, and anything */
  readonly head: Glob | undefined;
}

const PATH = /^(?:\.{1,2}(?:\/|$)|~(?:\/|$)|\/)/;
const OPTION = /^--?[A-Za-z][A-Za-z0-9-]*=/;

/** Undefined: the pattern names no path. `arguments`: the pattern begins behind the program. */
export function commandArea(
  source: string,
  kind: 'command' | 'arguments',
  bases: PathBases,
): CommandArea | undefined {
  const words = source.split(' ').filter((word) => word !== '');
  const first = words.findIndex(isPath);
  if (first === -1) return undefined;
  const head = words.slice(0, first).join(' ');
  return {
    pieces: words.filter(isPath).map((word) => pieceOf(word.replace(OPTION, ''), bases)),
    words: words.filter((word) => !isPath(word)).map((word) => compileGlob(word, 'command')),
    any: words.includes('*'),
    programOnly: kind === 'command' && first === 0 && words.filter(isPath).length === 1,
    head: head === '' ? undefined : compileGlob(`${head} *`, 'command'),
  };
}

/** `./x`, `~/x`, `/x`, and `src/x`; not an address, not `host:path`. */
function isPath(word: string): boolean {
  const bare = word.replace(OPTION, '');
  return PATH.test(bare) || (bare.includes('/') && !/[:@]/.test(bare));
}

/** A `*` in a command spans slashes, so it does here; what is matched has no `..` left. */
function pieceOf(word: string, bases: PathBases): PathPiece {
  const text = word.replaceAll(/\/(?:\.?\/)+/g, '/').replace(/(?<=.)\/\.?$/, '');
  if (text === '~' || text.startsWith('~/'))
    return { glob: compileGlob(`${escapeGlob(bases.home)}${text.slice(1)}`, 'command'), belowCwd: false };
  if (text.startsWith('/')) return { glob: compileGlob(text, 'command'), belowCwd: false };
  const below = text.replace(/^\.(?:\/|$)/, '');
  return { glob: compileGlob(below === '' ? '*' : below, 'command'), belowCwd: true };
}

/** Whether every path that a command names lies where the pattern allows. What cannot be resolved does not. */
export function areaCovers(area: CommandArea, fact: CommandFact, cwd: string): boolean {
  if (area.any) return true;
  if (fact.paths === undefined) return area.programOnly && !/\s|\.\./.test(fact.argv[0] ?? '..');
  const [program] = fact.argv;
  return fact.paths.every((path) => {
    if (area.programOnly && path.given !== program) return true;
    return area.pieces.some((piece) => contains(piece, path, cwd)) || isShown(area, path, cwd);
  });
}

/** A word that the pattern has as it stands, and that leads nowhere else than it says. */
function isShown({ words }: CommandArea, { given, real, open }: NamedPath, cwd: string): boolean {
  return (
    real !== undefined &&
    open !== true &&
    belowFolder(real, cwd) !== undefined &&
    words.some((word) => word.matches(given))
  );
}

/** Whether a deny or ask of this pattern is about a path that the command names, however it is written. */
export function areaHits(area: CommandArea, fact: CommandFact, text: string, cwd: string): boolean {
  if (fact.paths === undefined || area.head?.matches(text) === false) return false;
  const [program] = fact.argv;
  return fact.paths.some(
    (path) =>
      (area.programOnly ? path.given === program : true) &&
      area.pieces.some((piece) => contains(piece, path, cwd)),
  );
}

function contains({ glob, belowCwd }: PathPiece, { real, rest, open }: NamedPath, cwd: string): boolean {
  if (real === undefined || open === true) return false;
  const path = belowCwd ? belowFolder(real, cwd) : real;
  if (path === undefined) return false;
  // A wildcard stays below the folder that it starts from.
  return glob.matches(
    rest === undefined ? path : path === '' || path === '/' ? `${path}${rest}` : `${path}/${rest}`,
  );
}
