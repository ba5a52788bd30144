import { posix } from 'node:path';
import type { NamedPath } from '@sallyport/protocol';
import type { Folders, Where } from '../words/cwd-scope.ts';
import { literalWord, type Word } from '../words/word.ts';
import { candidates, isText } from './candidates.ts';
import type { Known } from './expansions.ts';
import { ANY, readable } from './marks.ts';
import { putsInto, runsCode, searchesAlone, usesOf, type WordUse } from './program-uses.ts';
import { type Place, type ResolvePath, resolveOne, resolveValue } from './resolve-value.ts';
import { addPieces } from './text-pieces.ts';
import type { Variables } from './variables.ts';
import { valuesOf } from './word-values.ts';

/** A word and what is done with it, where that is known without asking the program. */
export interface NamedWord extends WordUse {
  readonly word: Word;
}

/** What the paths of one text are read with. */
export interface PathReading {
  readonly home: string;
  readonly variables: Variables;
  readonly resolvePath: ResolvePath;
  /** values that may still be made for the whole line */
  readonly budget: { left: number };
  /** where what looks like a path inside a text goes; undefined in a jail, where nobody asks */
  readonly mentions: Set<string> | undefined;
}

interface Command {
  readonly program: string;
  /** the program first */
  readonly words: readonly Word[];
  readonly where: Where;
  /** redirections, and words of wrappers that were taken off */
  readonly others: readonly NamedWord[];
}

/**
 * Every path that a command names, with what it does with it: words, options, redirections, and the folder that
 * a search goes through. Total: a word that leads where only the shell knows is there without a place.
 */
export function commandPaths(command: Command, reading: PathReading): readonly NamedPath[] {
  const { program, words, others } = command;
  // With CDPATH nobody sees where a `cd` led.
  const lost = command.where.lost || reading.variables.assigned('CDPATH').length > 0;
  const where = lost ? { ...command.where, lost } : command.where;
  const first = words[0];
  const args = words.slice(1);
  const isNamed = first !== undefined && (program === '' || program.includes('/'));
  if (args.length === 0 && others.length === 0 && !isNamed && !searchesAlone(program)) return NO_PATHS;
  const found = new Found();
  const folders = foldersOf(args, where, reading);
  const there = folders === where.likely ? where : { ...where, likely: folders };
  const code = runsCode(program);
  // A program that is named by its path is a file that is read.
  if (isNamed) addWord(first, RUN, there, false, reading, found);
  const uses = usesOf(program, args);
  const each = 'use' in uses.words ? undefined : uses.words;
  const alike = 'use' in uses.words ? uses.words : UNKNOWN;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    if (word !== undefined) addWord(word, each?.[at] ?? alike, there, code, reading, found);
  }
  for (const other of others) addWord(other.word, other, where, false, reading, found);
  const { here } = uses;
  if (here !== undefined) for (const real of folders) found.add({ below: true, given: '.', real, use: here });
  if (putsInto(program)) addInto(found);
  return found.paths;
}

/** The paths of words that belong to no program: a redirection of a group, a call of a function. */
export function wordPaths(
  words: readonly NamedWord[],
  where: Where,
  reading: PathReading,
): readonly NamedPath[] {
  const found = new Found();
  for (const named of words) addWord(named.word, named, where, false, reading, found);
  return found.paths;
}

/** Folders that a word may name, seen from some; undefined: nobody can say. */
export function folderValues(word: Word, from: readonly string[], reading: PathReading): Folders {
  const places = valuesOf(word, knownAt(from, reading)).flatMap((value) =>
    resolveValue(value, from, reading.resolvePath),
  );
  const found = places.flatMap(({ real, rest }) => (real === undefined || rest !== undefined ? [] : [real]));
  return found.length === 0 ? undefined : found;
}

/** Everything that a word may become, as people read it. */
export function wordTexts(word: Word, { likely }: Where, reading: PathReading): readonly string[] {
  return word.literal ? [word.text] : valuesOf(word, knownAt(likely, reading)).map(readable);
}

function knownAt(folders: readonly string[], { home, variables, budget }: PathReading): Known {
  return { home, folders, variables, budget, valuesOf, depth: 0 };
}

const NO_PATHS: readonly NamedPath[] = [];
const RUN: WordUse = { use: 'read' };
const UNKNOWN: WordUse = { use: 'both' };

class Found {
  readonly paths: NamedPath[] = [];
  #keys: Set<string> | undefined;

  add(path: NamedPath): void {
    // Most commands name two or three.
    if (this.paths.length > FEW) {
      this.#keys ??= new Set(this.paths.map(keyOf));
      if (this.#keys.size === this.#keys.add(keyOf(path)).size) return;
    } else if (this.paths.some((other) => isSame(other, path))) return;
    this.paths.push(path);
  }
}

const FEW = 8;

function isSame(a: NamedPath, b: NamedPath): boolean {
  return a.real === b.real && a.use === b.use && keyOf(a) === keyOf(b);
}

function keyOf({ given, real, rest, use, below, open }: NamedPath): string {
  return `${use} ${below ?? ''} ${open ?? ''} ${rest ?? ''}\n${real ?? given}`;
}

/** A word without anything to expand or to take apart: most are. */
const PLAIN = /^[A-Za-z0-9_./+][A-Za-z0-9_./+-]*$/;
/** Letters of an option, or a number. */
const NO_NAME = /^(?:--?[A-Za-z0-9-]*|\d+)$/;

function addWord(
  word: Word,
  use: WordUse,
  where: Where,
  code: boolean,
  reading: PathReading,
  found: Found,
): void {
  if (word.literal && NO_NAME.test(word.text)) return;
  if (word.literal && !where.lost && !word.tilde && PLAIN.test(word.text)) {
    if (use.text === true) addMentions(word.text, reading);
    else addPlain(word.text, use, where, reading, found);
    return;
  }
  if (use.text === true && !code && reading.mentions === undefined) return;
  for (const value of valuesOf(word, knownAt(where.likely, reading))) {
    const text = isText(value);
    if (text || use.text === true) addMentions(value, reading);
    else if (value.includes(ANY)) addMentions(`${readable(value)} ${word.text}`, reading);
    if (use.text === true && !code) continue;
    for (const candidate of candidates(value, text, code, reading.home))
      addCandidate(candidate, word, use, where, reading, found);
  }
  // SECURITY: with too many values, what the word says as it stands still counts.
  if (reading.budget.left < 0) addMentions(word.text, reading);
}

/** The short way of `addCandidate`. */
function addPlain(text: string, use: WordUse, where: Where, reading: PathReading, found: Found): void {
  if (text.startsWith('/') || use.also !== undefined || use.belowOutside === true) {
    addCandidate(text, literalWord(text, -1), use, where, reading, found);
    return;
  }
  for (const cwd of where.likely) {
    const place = resolveOne(text, cwd, false, reading.resolvePath);
    found.add(namedPath(text, place, use.use, use.below === true));
    if (place.real === undefined) addMentions(text, reading);
  }
}

function addCandidate(
  candidate: string,
  word: Word,
  use: WordUse,
  where: Where,
  reading: PathReading,
  found: Found,
): void {
  let isKnown = !where.lost || candidate.startsWith('/');
  for (const place of resolveValue(candidate, where.likely, reading.resolvePath)) {
    addPlace(place, word, candidate, use, where, found);
    if (place.real === undefined) isKnown = false;
  }
  if (!isKnown) addMentions(candidate, reading);
}

function addMentions(value: string, { mentions }: PathReading): void {
  if (mentions !== undefined) addPieces(readable(value), mentions);
}

function addPlace(
  place: Place,
  word: Word,
  candidate: string,
  { use, below, belowOutside, also }: WordUse,
  where: Where,
  found: Found,
): void {
  const given = word.literal && !word.tilde ? readable(candidate) : word.text;
  const { real } = place;
  const outside =
    belowOutside === true && real !== undefined && !where.likely.some((cwd) => real.startsWith(`${cwd}/`));
  found.add(namedPath(given, place, use, below === true || outside));
  if (also !== undefined) addPlace(place, word, candidate, also, where, found);
}

/** In the order of the alphabet: see `reach.ts`. */
function namedPath(
  given: string,
  { real, rest, open }: Place,
  use: NamedPath['use'],
  below: boolean,
): NamedPath {
  if (rest === undefined && open === undefined && real !== undefined)
    return below ? { below, given, real, use } : { given, real, use };
  return {
    ...(below ? { below } : undefined),
    given,
    ...(open === undefined ? undefined : { open }),
    ...(real === undefined ? undefined : { real }),
    ...(rest === undefined ? undefined : { rest }),
    use,
  };
}

/** `make -C dir`, `tar -C dir`, `git -C dir`: words are seen from there too. */
const ENTERS = /^(?:-C|-D|--directory|--chdir|--cwd|--prefix|--work-tree|--git-dir)$/;
const ENTERS_ATTACHED = /^(?:-C|--(?:directory|chdir|cwd|prefix|work-tree|git-dir)=)(?=.)/;

function foldersOf(args: readonly Word[], { likely }: Where, reading: PathReading): readonly string[] {
  let folders = likely;
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index];
    if (word === undefined || word.prefix.charCodeAt(0) !== 45) continue;
    const next = args[index + 1];
    let target: Word | undefined;
    if (ENTERS.test(word.text)) target = next;
    else if (ENTERS_ATTACHED.test(word.text) && word.literal)
      target = { ...word, text: word.text.replace(ENTERS_ATTACHED, ''), quotedTilde: false };
    if (target === undefined || /^\d+$/.test(target.text)) continue;
    folders = [...new Set([...folders, ...(folderValues(target, folders, reading) ?? [])])];
  }
  return folders;
}

/** `cp a b DIR` makes `DIR/a` and `DIR/b`. */
function addInto(found: Found): void {
  const read = found.paths.filter(
    ({ use, real, rest }) => use !== 'none' && real !== undefined && rest === undefined,
  );
  for (const { real: folder, use, given } of read) {
    if (use === 'read' || folder === undefined) continue;
    for (const { real: file } of read) {
      if (file === undefined || file === folder) continue;
      const real = posix.join(folder, posix.basename(file));
      found.add({ given, real, use: 'write' });
    }
  }
}
