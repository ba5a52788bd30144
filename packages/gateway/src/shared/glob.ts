import { SallyportError } from '@sallyport/protocol';

/**
 * `command`: `*` spans everything, spaces and slashes included.
 * `path`: `*` stays inside one component, `**` is any number of whole components, none included.
 */
export type GlobMode = 'command' | 'path';

/** A compiled pattern. Matching takes time in proportion to text × pattern at most, on any input. */
export interface Glob {
  readonly source: string;
  readonly mode: GlobMode;
  /** what every match starts with; all of the pattern when it has no wildcard */
  readonly prefix: string;
  readonly isLiteral: boolean;
  matches(text: string): boolean;
  /** every text that `other` matches, this one matches too; may say no where the truth is yes, never the reverse */
  covers(other: Glob): boolean;
  /**
   * some path is matched by this and by a shell's pattern, in which a `*` that begins a name stands for no dot; may
   * say yes where the truth is no, never the reverse. Only for paths
   */
  meetsShellPattern(pattern: Glob): boolean;
}

/** Stands for a wildcard while one pattern is held against another. No pattern may contain it. */
const WILD = '\0';

/** One run of text and `*`: the literal pieces between the stars. */
type Pieces = readonly [string, ...string[]];
/** A component of a path pattern. */
type Component = Pieces | '**';

/**
 * Reads a pattern. `\` makes the next character literal; every other character but `*` stands for itself
 * (`?`, `[` and `{` too), dots at the start of a name included.
 *
 * Throws `ConfigInvalid` for an empty pattern, a `\` at the end, a NUL, and for `**` beside other characters
 * in path mode.
 */
export function compileGlob(source: string, mode: GlobMode): Glob {
  if (source === '') throw bad(source, 'a pattern cannot be empty', 'write `*` for anything');
  if (source.includes(WILD)) throw bad(source, 'a pattern cannot contain a NUL character');
  return mode === 'command' ? new CommandGlob(source) : new PathGlob(source);
}

/** The text as a pattern that matches exactly it. */
export function escapeGlob(text: string): string {
  return text.replace(/[\\*]/g, '\\$&');
}

function bad(source: string, what: string, hint?: string): SallyportError {
  const message = source === '' ? what : `${what}: \`${source}\``;
  return new SallyportError('ConfigInvalid', { message, ...(hint === undefined ? {} : { hint }) });
}

function readPieces(source: string, whole: string): Pieces {
  const pieces: [string, ...string[]] = [''];
  let last = 0;
  for (let i = 0; i < source.length; i += 1) {
    const char = source.charAt(i);
    if (char === '*') {
      if (pieces[last] !== '' || last === 0) last = pieces.push('') - 1;
      continue;
    }
    if (char === '\\') {
      i += 1;
      if (i >= source.length)
        throw bad(whole, 'a pattern cannot end in `\\`', 'write `\\\\` for a backslash');
    }
    pieces[last] += source.charAt(i);
  }
  return pieces;
}

/** Leftmost placing of each piece is enough: a later placing never leaves more room for the next one. */
function matchPieces(pieces: Pieces, text: string): boolean {
  const count = pieces.length;
  const first = pieces[0];
  if (count === 1) return text === first;
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (let i = 1; i < count - 1; i += 1) {
    const piece = pieces[i] ?? '';
    const found = text.indexOf(piece, from);
    if (found === -1) return false;
    from = found + piece.length;
  }
  const end = pieces[count - 1] ?? '';
  return text.length - end.length >= from && text.endsWith(end);
}

class CommandGlob implements Glob {
  readonly mode = 'command';
  readonly source: string;
  readonly prefix: string;
  readonly isLiteral: boolean;
  readonly #pieces: Pieces;

  constructor(source: string) {
    this.source = source;
    this.#pieces = readPieces(source, source);
    this.prefix = this.#pieces[0];
    this.isLiteral = this.#pieces.length === 1;
  }

  matches(text: string): boolean {
    return matchPieces(this.#pieces, text);
  }

  covers(other: Glob): boolean {
    return other instanceof CommandGlob && this.matches(other.#pieces.join(WILD));
  }

  meetsShellPattern(): boolean {
    return false;
  }
}

class PathGlob implements Glob {
  readonly mode = 'path';
  readonly source: string;
  readonly prefix: string;
  readonly isLiteral: boolean;
  readonly #components: readonly Component[];
  /** `/a/b/**`: the folder itself and everything below it, by far the most common form */
  readonly #below: boolean;

  constructor(source: string) {
    this.source = source;
    const components = source
      .split('/')
      .map((part) => readComponent(part, source))
      // `**/**` is `**`; kept apart, the second one would hide that `/a/**/**` matches `/a`.
      .filter((part, i, all) => part !== '**' || all[i - 1] !== '**');
    this.#components = components;
    const wild = components.findIndex((part) => part === '**' || part.length > 1);
    this.isLiteral = wild === -1;
    this.#below = wild === components.length - 1 && components[wild] === '**' && wild > 0;
    const literal = components
      .slice(0, wild === -1 ? components.length : wild)
      .map((part) => part[0])
      .join('/');
    const first = components[wild];
    if (this.isLiteral || this.#below) this.prefix = literal;
    // `/a/**/b` matches `/a/b`: the slash after `a` is certain, and nothing behind it is.
    else this.prefix = wild === 0 ? lead(first) : `${literal}/${lead(first)}`;
  }

  matches(text: string): boolean {
    const { prefix } = this;
    if (!text.startsWith(prefix)) return false;
    if (this.isLiteral) return text.length === prefix.length;
    if (this.#below) return text.length === prefix.length || text.charCodeAt(prefix.length) === 47;
    return matchComponents(this.#components, text.split('/'));
  }

  covers(other: Glob): boolean {
    if (!(other instanceof PathGlob)) return false;
    const deepest = other.#components.includes('**') ? this.#components.length + 1 : 0;
    for (let depth = 0; depth <= deepest; depth += 1) {
      const sample = other.#components.flatMap((part) =>
        part === '**' ? Array.from<string>({ length: depth }).fill(WILD) : [part.join(WILD)],
      );
      if (!matchComponents(this.#components, sample)) return false;
    }
    return true;
  }

  meetsShellPattern(pattern: Glob): boolean {
    if (!(pattern instanceof PathGlob)) return false;
    const [a, b] = [this.#components, pattern.#components];
    // Row by row: which ends of `b` are reached when `a` is used up to here. `**` on either side stands for none or more.
    let reached = b.map(() => false);
    reached.unshift(true);
    reached = overStars(reached, b);
    for (const part of a) {
      const next = reached.map(() => false);
      for (let at = 0; at <= b.length; at += 1) {
        if (reached[at] !== true) continue;
        if (part === '**') next[at] = true;
        const there = b[at];
        if (there === '**') next[at] = true;
        else if (there !== undefined && (part === '**' || piecesMeet(part, there))) next[at + 1] = true;
      }
      // `**` of this side may take any number of the other's.
      if (part === '**') for (let at = 1; at < next.length; at += 1) next[at] ||= next[at - 1] === true;
      reached = overStars(next, b);
    }
    return reached[b.length] === true;
  }
}

/** Both start and end as the other may: what stands between is taken to fit. `b` is the shell's. */
function piecesMeet(a: Pieces, b: Pieces): boolean {
  if (b.length > 1 && b[0] === '' && a[0].startsWith('.')) return false;
  if (a.length === 1) return matchPieces(b, a[0]);
  if (b.length === 1) return matchPieces(a, b[0]);
  const [startA, startB] = [a[0], b[0]];
  const [endA, endB] = [a.at(-1) ?? '', b.at(-1) ?? ''];
  return (
    (startA.startsWith(startB) || startB.startsWith(startA)) && (endA.endsWith(endB) || endB.endsWith(endA))
  );
}

/** A `**` that stands for nothing. */
function overStars(reached: readonly boolean[], pattern: readonly Component[]): boolean[] {
  const next = [...reached];
  for (const [at, part] of pattern.entries()) if (part === '**' && next[at] === true) next[at + 1] = true;
  return next;
}

function lead(component: Component | undefined): string {
  return component === undefined || component === '**' ? '' : component[0];
}

function readComponent(part: string, whole: string): Component {
  if (part === '**') return '**';
  if (/(?<!\\)(?:\\\\)*\*\*/.test(part)) {
    throw bad(whole, '`**` must be a whole path component', 'write `/a/**`, or `*` inside a name');
  }
  return readPieces(part, whole);
}

/** Greedy with one way back, to the last `**`: no pattern makes it worse than components × components. */
function matchComponents(pattern: readonly Component[], text: readonly string[]): boolean {
  let p = 0;
  let t = 0;
  let backPattern = -1;
  let backText = 0;
  while (t < text.length) {
    const part = pattern[p];
    if (part === '**') {
      backPattern = p;
      backText = t;
      p += 1;
    } else if (part !== undefined && matchPieces(part, text[t] ?? '')) {
      p += 1;
      t += 1;
    } else if (backPattern !== -1) {
      backText += 1;
      t = backText;
      p = backPattern + 1;
    } else return false;
  }
  while (pattern[p] === '**') p += 1;
  return p === pattern.length;
}
