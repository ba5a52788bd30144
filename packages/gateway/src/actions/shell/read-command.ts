import type { PathFact } from '@sallyport/protocol';
import { builtinReason, changesMeaning, isReservedWord } from './builtins.ts';
import type { CommandParts } from './command-parts.ts';
import { folderValues, type NamedWord, wordPaths } from './paths/command-paths.ts';
import { describeCommand, withPaths, withWrites } from './reach.ts';
import type { Reading, Redirect, Setting, SimpleCommand } from './reading.ts';
import { redirectNames, redirectWrites, writesTo } from './redirect-writes.ts';
import { unwrap } from './unwrap.ts';
import type { Unwrapped } from './unwrapped.ts';
import { isHarmlessVariable } from './variable-names.ts';
import type { CwdScope, Follow } from './words/cwd-scope.ts';
import { literalWord, type Word } from './words/word.ts';

const MAX_WRAPPERS = 12;
const MAX_SCRIPT_DEPTH = 6;
/** Folders whose programs are what their name says. Elsewhere anyone may have put a file called `git`. */
const SYSTEM_FOLDER = /^(?:\/usr(?:\/local)?\/s?bin|\/s?bin|\/opt\/homebrew\/bin)\/([^/]+)$/;
const PRINTABLE_ASCII = /^[\u0021-\u007e]+$/;

/** Adds the facts of one simple command, and of every command that it starts, to the reading. */
export function readCommand(command: SimpleCommand, reading: Reading, scope: CwdScope): void {
  reading.starts.push(command.start);
  for (const word of command.words) reading.wordStarts.push(word.start);
  const redirects = redirectWrites(command.redirects, scope.now.known, reading.context);
  const variable = command.variables.find((name) => !isHarmlessVariable(name));
  const doubt =
    redirects.problem ?? (variable === undefined ? undefined : `\`${variable}\` is set for the command`);
  const words = command.words.length === 0 ? [literalWord(':', command.start)] : command.words;
  const files = redirectNames(command.redirects, scope.now.known);
  const named: readonly NamedWord[] =
    command.values.length === 0
      ? files
      : [...files, ...command.values.map(({ word }) => ({ word, use: 'none' as const }))];
  const opened = openedBy(command.redirects, redirects.problem !== undefined);
  const { values } = command;
  peel(
    { words, named, writes: redirects.writes, doubt, wrapped: false, via: [], values, opened },
    reading,
    scope,
    0,
  );
}

/** What may be a network connection, and what a program is told by `<<<`. */
function openedBy(redirects: readonly Redirect[], isUnknown: boolean): readonly Word[] {
  if (redirects.length === 0) return NO_WORDS;
  return redirects.filter(({ operator }) => isUnknown || operator === '<<<').map(({ target }) => target);
}

interface Layer {
  readonly words: readonly Word[];
  /** what it names beside its words */
  readonly named: readonly NamedWord[];
  readonly writes: readonly PathFact[];
  readonly doubt: string | undefined;
  /** started by another program: functions and builtins of this shell do not count */
  readonly wrapped: boolean;
  /** the command as it stood with each wrapper that was taken off, outermost first */
  readonly via: readonly string[];
  /** variables that are set for it */
  readonly values: readonly Setting[];
  /** see `openedBy` */
  readonly opened: readonly Word[];
}

const NO_WORDS: readonly Word[] = [];
const NO_VALUES: readonly Setting[] = [];

function peel(layer: Layer, reading: Reading, scope: CwdScope, wrappers: number): void {
  const first = layer.words[0];
  if (first === undefined) return;
  const args = layer.words.slice(1);
  const program = programName(first);
  const doubt =
    layer.doubt ??
    nameReason(first, program) ??
    wordReason(layer.words) ??
    builtinReason(program, args, reading.numbers);
  if (changesMeaning(program) && (program !== 'hash' || args.length > 0))
    reading.doubt(`\`${program}\` changes what the shell does`);
  if (program === 'unset' && args.some((arg) => reading.functions.has(arg.text)))
    reading.doubt('the line removes a function');
  const unwrapped: Unwrapped =
    wrappers > MAX_WRAPPERS ? { kind: 'unknown', reason: 'too many wrappers' } : unwrap(program, layer.words);
  const parts: CommandParts = {
    program,
    words: layer.words,
    named: layer.named,
    writes: layer.writes,
    where: scope.now,
    unknown: doubt,
    via: layer.via,
    values: layer.values,
    opened: layer.opened,
  };
  switch (unwrapped.kind) {
    case 'plain':
      // The body was judged where it was defined; what is said about the call itself still counts.
      if (
        !layer.wrapped &&
        reading.functions.has(program) &&
        layer.writes.length === 0 &&
        doubt === undefined
      ) {
        nameInLast(
          [...layer.named, ...args.map((word): NamedWord => ({ word, use: 'both' }))],
          reading,
          scope,
        );
        return;
      }
      reading.facts.push(describeCommand(parts, reading));
      follow(program, args, reading, scope);
      return;
    case 'unknown':
      reading.facts.push(describeCommand({ ...parts, unknown: doubt ?? unwrapped.reason }, reading));
      return;
    case 'command': {
      const variable = unwrapped.variables?.find((name) => !isHarmlessVariable(name));
      const inner = doubt ?? (variable === undefined ? undefined : `\`${variable}\` is set for the command`);
      const inside = unwrapped.folder === undefined ? scope : entered(unwrapped.folder, reading, scope);
      // SECURITY: only the bare keyword `time` runs functions; `\time` and `/usr/bin/time` start a program.
      const keyword =
        program === 'time' && /^time\s/.test(reading.source.slice(first.start, first.start + 5));
      const wrapped = layer.wrapped || !keyword;
      const via = [...layer.via, textOf(layer.words)];
      // `xargs -a FILE` reads it; other wrappers open none of their own words.
      const use = program === 'xargs' ? 'read' : 'none';
      const named = [...layer.named, ...unwrapped.own.map((word): NamedWord => ({ word, use }))];
      const values = variable === undefined ? layer.values : [...layer.values, ...settingsIn(unwrapped.own)];
      const next: Layer = { ...layer, words: unwrapped.words, named, doubt: inner, wrapped, via, values };
      peel(next, reading, inside, wrappers + 1);
      return;
    }
    case 'also': {
      const files = writesTo(unwrapped.writes, scope.now.known, reading.context);
      const unknown = doubt ?? files.problem;
      reading.facts.push(
        describeCommand({ ...parts, writes: [...layer.writes, ...files.writes], unknown }, reading),
      );
      const inside = unwrapped.moves ? lost(scope) : scope;
      for (const words of unwrapped.commands)
        peel(
          {
            words,
            named: [],
            writes: [],
            doubt,
            wrapped: true,
            via: layer.via,
            values: NO_VALUES,
            opened: NO_WORDS,
          },
          reading,
          inside,
          wrappers + 1,
        );
      return;
    }
    case 'script':
      readInnerScript(unwrapped, parts, reading, scope);
  }
}

function readInnerScript(
  script: { readonly text: string; readonly same: boolean },
  parts: CommandParts,
  reading: Reading,
  scope: CwdScope,
): void {
  const before = reading.facts.length;
  const problem =
    reading.depth >= MAX_SCRIPT_DEPTH
      ? 'shell code is nested too deeply'
      : reading.readScript(script.text, script.same ? scope : scope.fork(), reading.depth + 1);
  const unknown = parts.unknown ?? problem;
  // SECURITY: `deny:Bash(sh *)` is about what the shell is given, too.
  const via = [...parts.via, textOf(parts.words)];
  for (let index = before; index < reading.facts.length; index += 1) {
    const fact = reading.facts[index];
    if (fact !== undefined) reading.facts[index] = { ...fact, via: [...via, ...(fact.via ?? [])] };
  }
  // The shell that runs the text is no command of its own; its redirections count for the first one inside.
  const first = reading.facts[before];
  if (unknown === undefined && first !== undefined) {
    const named = [...parts.named, ...parts.words.slice(1).map((word): NamedWord => ({ word, use: 'none' }))];
    reading.facts[before] = withPaths(
      withWrites(first, parts.writes),
      wordPaths(named, parts.where, reading.paths),
    );
    return;
  }
  reading.facts.push(describeCommand({ ...parts, unknown: unknown ?? 'the text has no command' }, reading));
}

function follow(program: string, args: readonly Word[], reading: Reading, scope: CwdScope): void {
  if (program === 'cd' || program === 'pushd')
    scope.move(
      args.filter((arg) => arg.text !== '--'),
      follower(reading),
    );
  else if (program === 'popd' || program === 'chdir') scope.goBack();
  else scope.stay();
}

function follower(reading: Reading): Follow {
  return {
    context: reading.context,
    folders: (word, from) => folderValues(word, from, reading.paths),
    doubt: reading.doubt,
  };
}

/** `env -C dir`: the command runs there or not at all. What it writes is not known for certain. */
function entered(folder: Word, reading: Reading, scope: CwdScope): CwdScope {
  const fork = scope.fork();
  fork.move([folder], follower(reading));
  fork.now = fork.onSuccess;
  fork.lose();
  return fork;
}

/** A call of a function: its body was judged where it was defined, what it is handed counts here. */
function nameInLast(named: readonly NamedWord[], reading: Reading, scope: CwdScope): void {
  const last = reading.facts.at(-1);
  if (last === undefined || named.length === 0) return;
  reading.facts[reading.facts.length - 1] = withPaths(last, wordPaths(named, scope.now, reading.paths));
}

function lost(scope: CwdScope): CwdScope {
  const fork = scope.fork();
  fork.lose();
  return fork;
}

/** `env NAME=value`: what is given by a wrapper. */
function settingsIn(words: readonly Word[]): readonly Setting[] {
  return words.flatMap((word) => {
    const name = /^([A-Za-z_]\w*)=/.exec(word.prefix)?.[1];
    return name === undefined ? [] : [{ name, word }];
  });
}

function textOf(words: readonly Word[]): string {
  return words.map((word) => word.text).join(' ');
}

function programName(first: Word): string {
  if (!first.literal || first.tilde) return '';
  return SYSTEM_FOLDER.exec(first.text)?.[1] ?? first.text;
}

function nameReason(first: Word, program: string): string | undefined {
  if (program === '')
    return first.literal && !first.tilde ? 'the program has no name' : 'the program is named by an expansion';
  // SECURITY: `gіt` with a Cyrillic letter must not pass for git in anybody's eyes.
  if (!PRINTABLE_ASCII.test(program)) return 'the program name has characters outside printable ASCII';
  if (isReservedWord(program) && program !== 'time' && program !== '[[')
    return `\`${program}\` is not a command`;
  return undefined;
}

function wordReason(words: readonly Word[]): string | undefined {
  for (const word of words) if (word.problem !== undefined) return word.problem;
  return undefined;
}
