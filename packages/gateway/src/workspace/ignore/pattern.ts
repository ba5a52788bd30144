import type { Bytes } from '../tree/held-folder.ts';

/** One line of a `.gitignore`, read as git reads it. */
export interface IgnorePattern {
  /** `!`: what it matches counts again */
  readonly isNegated: boolean;
  /** a `/` at its end: folders only */
  readonly folderOnly: boolean;
  /** parts between `/`; one part alone is compared with the last name of a path, at any depth */
  readonly parts: readonly (Part | '**')[];
  readonly isAnchored: boolean;
}

/** What one character of a name is compared with; `star`: any number of any. */
type Piece =
  | { readonly kind: 'star' }
  | { readonly kind: 'any' }
  | { readonly kind: 'one'; readonly char: string }
  | {
      readonly kind: 'set';
      readonly isNegated: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    };
type Part = readonly Piece[];

/** The patterns of a `.gitignore`; lines that say nothing are left out. */
export function parsePatterns(text: Bytes): readonly IgnorePattern[] {
  const lines = text.replace(/^\xef\xbb\xbf/, '').split('\n');
  return lines.flatMap((line) => parseLine(line.replace(/\r$/, '')) ?? []);
}

function parseLine(line: Bytes): IgnorePattern | undefined {
  let text = trimEnd(line);
  if (text === '' || text.startsWith('#')) return undefined;
  const isNegated = text.startsWith('!');
  if (isNegated) text = text.slice(1);
  const folderOnly = text.endsWith('/') && text.length > 1;
  if (folderOnly) text = text.slice(0, -1);
  const isAnchored = text.includes('/');
  const parts = isAnchored ? splitParts(text.replace(/^\//, '')) : [text];
  const read = parts.map((part) => (isAnchored && ANY_DEPTH.test(part) ? '**' : parsePart(part)));
  // A pattern that git cannot read matches nothing.
  if (text === '' || read.includes(undefined)) return undefined;
  return { isNegated, folderOnly, isAnchored, parts: read as (Part | '**')[] };
}

const ANY_DEPTH = /^\*\*+$/;

/** The parts between slashes. One that is escaped is a slash too, but `**` before it stands for one folder or more. */
function splitParts(text: Bytes): readonly Bytes[] {
  const parts: Bytes[] = [];
  let part = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const isEscaped = char === '\\' && text[at + 1] === '/';
    if (char === '/' || isEscaped) {
      parts.push(part);
      if (isEscaped && ANY_DEPTH.test(part)) parts.push('*');
      part = '';
      if (isEscaped) at += 1;
    } else if (char === '\\') {
      part += char + text.charAt(at + 1);
      at += 1;
    } else part += char;
  }
  return [...parts, part];
}

/** Spaces at the end do not count, unless they were escaped. */
function trimEnd(line: Bytes): Bytes {
  const kept = line.replace(/ +$/, '');
  const backslashes = /\\*$/.exec(kept)?.[0].length ?? 0;
  return kept.length < line.length && backslashes % 2 === 1 ? `${kept} ` : kept;
}

function parsePart(text: Bytes): Part | undefined {
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '*') {
      if (pieces.at(-1)?.kind !== 'star') pieces.push({ kind: 'star' });
    } else if (char === '?') pieces.push({ kind: 'any' });
    else if (char === '\\') {
      at += 1;
      if (at === text.length) return undefined;
      pieces.push({ kind: 'one', char: text.charAt(at) });
    } else if (char === '[') {
      const set = parseSet(text, at + 1);
      if (set === undefined) return undefined;
      pieces.push(set.piece);
      at = set.end;
    } else pieces.push({ kind: 'one', char });
  }
  return pieces;
}

const CLASSES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  alnum: [
    ['0', '9'],
    ['A', 'Z'],
    ['a', 'z'],
  ],
  alpha: [
    ['A', 'Z'],
    ['a', 'z'],
  ],
  blank: [
    [' ', ' '],
    ['\t', '\t'],
  ],
  cntrl: [
    ['\0', '\x1f'],
    ['\x7f', '\x7f'],
  ],
  digit: [['0', '9']],
  graph: [['!', '~']],
  lower: [['a', 'z']],
  print: [[' ', '~']],
  punct: [
    ['!', '/'],
    [':', '@'],
    ['[', '`'],
    ['{', '~'],
  ],
  space: [
    ['\t', '\r'],
    [' ', ' '],
  ],
  upper: [['A', 'Z']],
  xdigit: [
    ['0', '9'],
    ['A', 'F'],
    ['a', 'f'],
  ],
};

function parseSet(text: Bytes, from: number): { readonly piece: Piece; readonly end: number } | undefined {
  let at = from;
  const isNegated = text[at] === '!' || text[at] === '^';
  if (isNegated) at += 1;
  const ranges: (readonly [string, string])[] = [];
  for (let isFirst = true; ; isFirst = false) {
    let char = text[at];
    if (char === undefined) return undefined;
    if (char === ']' && !isFirst) return { piece: { kind: 'set', isNegated, ranges }, end: at };
    const name = /^\[:([a-z]*):\]/.exec(text.slice(at, at + 12))?.[1];
    if (name !== undefined) {
      const known = Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
      if (known === undefined) return undefined;
      ranges.push(...known);
      at += name.length + 4;
      continue;
    }
    if (char === '\\') {
      at += 1;
      char = text[at];
    }
    at += 1;
    if (char === undefined) return undefined;
    let last = char;
    if (text[at] === '-' && text[at + 1] !== undefined && text[at + 1] !== ']') {
      at += text[at + 1] === '\\' ? 2 : 1;
      last = text.charAt(at);
      if (last === '') return undefined;
      at += 1;
    }
    ranges.push([char, last]);
  }
}

/** Whether a path below the folder of the `.gitignore` is matched. Takes linear time in path times pattern. */
export function matchesPattern(
  { parts, isAnchored, folderOnly }: IgnorePattern,
  names: readonly Bytes[],
  isFolder: boolean,
): boolean {
  if (folderOnly && !isFolder) return false;
  if (!isAnchored) {
    const [part] = parts;
    return part !== undefined && part !== '**' && matchesPart(part, names.at(-1) ?? '');
  }
  // Going back to the last `**` alone is enough: whatever an earlier one could take, the last can leave to it.
  let [part, name, again, from] = [0, 0, -1, 0];
  for (;;) {
    const want = parts[part];
    if (want === '**') {
      // At the end it stands for something, elsewhere also for nothing.
      if (part === parts.length - 1) return name < names.length;
      [again, from] = [part, name];
      part += 1;
    } else if (want !== undefined && name < names.length && matchesPart(want, names[name] ?? '')) {
      part += 1;
      name += 1;
      if (part === parts.length && name === names.length) return true;
    } else if (again !== -1 && from < names.length) {
      from += 1;
      [part, name] = [again + 1, from];
    } else return false;
  }
}

function matchesPart(part: Part, name: Bytes): boolean {
  let [piece, at, again, from] = [0, 0, -1, 0];
  for (;;) {
    const want = part[piece];
    if (want?.kind === 'star') {
      [again, from] = [piece, at];
      piece += 1;
    } else if (want === undefined && at === name.length) return true;
    else if (want !== undefined && at < name.length && matchesPiece(want, name.charAt(at))) {
      piece += 1;
      at += 1;
    } else if (again !== -1 && from < name.length) {
      from += 1;
      [piece, at] = [again + 1, from];
    } else return false;
  }
}

function matchesPiece(piece: Piece, char: string): boolean {
  switch (piece.kind) {
    case 'star':
    case 'any':
      return true;
    case 'one':
      return piece.char === char;
    case 'set':
      return piece.ranges.some(([first, last]) => first <= char && char <= last) !== piece.isNegated;
  }
}
