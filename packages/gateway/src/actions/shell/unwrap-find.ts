import type { Unwrapped } from './unwrapped.ts';
import { literalWord, type Word } from './words/word.ts';

const RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir']);
/** Tests and actions with one argument. */
const ONE_ARGUMENT = new Set(
  `-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -perm -user
  -group -uid -gid -mtime -atime -ctime -mmin -amin -cmin -newer -anewer -cnewer -samefile -inum -links -maxdepth
  -mindepth -printf -regextype -fstype -used`.split(/\s+/),
);
const NO_ARGUMENT = new Set(
  `-print -print0 -prune -quit -ls -empty -true -false -not -and -or -a -o ! ( ) , -depth -d -mount -xdev
  -follow -readable -writable -executable -nouser -nogroup -noleaf -daystart -H -L -P -ignore_readdir_race`.split(
    /\s+/,
  ),
);
const WRITES_FILE: Readonly<Record<string, number>> = {
  '-fprint': 1,
  '-fprint0': 1,
  '-fls': 1,
  '-fprintf': 2,
};

const FOUND: Word = {
  text: '{}',
  literal: false,
  splits: false,
  patterns: false,
  prefix: '',
  quotedTilde: false,
  tilde: false,
  start: -1,
};
const RM = literalWord('rm', -1);

/** `find` stays, and what it starts is judged too; `-delete` counts as an `rm` of what was found. */
export function unwrapFind(args: readonly Word[]): Unwrapped {
  const commands: Word[][] = [];
  const writes: Word[] = [];
  let moves = false;
  let at = 0;
  const starts: string[] = [];
  for (; at < args.length; at += 1) {
    const arg = args[at];
    if (arg === undefined || /^(?:-[^HLP]|[(!])/.test(arg.prefix)) break;
    if (!arg.literal && (arg.prefix === '' || arg.splits))
      return { kind: 'unknown', reason: '`find` has an argument that is not known' };
    if (!/^-[HLP]$/.test(arg.text)) starts.push(arg.prefix);
  }
  // A path that was found begins with a starting point, so it is an option only if that is.
  const found: Word = {
    ...FOUND,
    prefix: starts.every((start) => start !== '' && !start.startsWith('-')) ? (starts[0] ?? './') : '',
  };
  for (; at < args.length; at += 1) {
    const arg = args[at];
    if (arg === undefined) break;
    if (!arg.literal) return { kind: 'unknown', reason: '`find` has an argument that is not known' };
    const { text } = arg;
    const files = WRITES_FILE[text];
    if (RUNS.has(text)) {
      const end = findEnd(args, at + 1);
      if (end === undefined) return { kind: 'unknown', reason: '`find -exec` has no end' };
      commands.push(
        args.slice(at + 1, end).map((word) => (word.text.includes('{}') ? placeFound(word, found) : word)),
      );
      if (text.endsWith('dir')) moves = true;
      at = end;
    } else if (text === '-delete') {
      commands.push([RM, found]);
    } else if (files !== undefined) {
      const file = args[at + 1];
      if (file === undefined) return { kind: 'unknown', reason: '`find` has an argument that is not known' };
      writes.push(file);
      at += files;
    } else if (ONE_ARGUMENT.has(text) || /^-newer[aBcm][aBcmt]$/.test(text)) {
      const value = args[at + 1];
      if (value === undefined || value.splits || value.patterns)
        return { kind: 'unknown', reason: '`find` has an argument that is not known' };
      at += 1;
    } else if (!NO_ARGUMENT.has(text)) {
      return { kind: 'unknown', reason: '`find` has an option that is not known' };
    }
  }
  return { kind: 'also', commands, writes, moves };
}

function placeFound(word: Word, found: Word): Word {
  const at = word.text.indexOf('{}');
  return at === 0
    ? { ...found, text: word.text }
    : { ...word, literal: false, prefix: word.text.slice(0, at) };
}

function findEnd(args: readonly Word[], from: number): number | undefined {
  for (let at = from; at < args.length; at += 1) {
    const word = args[at];
    if (word?.literal !== true) continue;
    if (word.text === ';') return at;
    if (word.text === '+' && args[at - 1]?.text === '{}') return at;
  }
  return undefined;
}
