import type { Readable } from 'node:stream';
import { styleText } from 'node:util';
import { fitTable } from './fit-table.ts';

/** Where a command writes. One for each run, so that tests read what a person would see. */
export interface Output {
  /** data for people; nothing else goes here in `--json` mode */
  line(text?: string): void;
  /** the answer as JSON, when `--json` was given */
  json(value: unknown): void;
  /** remarks that are not data */
  note(text: string): void;
  /** colour on a terminal, plain text everywhere else */
  style(format: Style, text: string): string;
  /** rows as lines that fit the terminal; whole where there is none, and after `--wide` */
  table(rows: readonly (readonly string[])[], indent?: number): readonly string[];
  /** from now on nothing is cut */
  widen(): void;
  readonly isTerminal: boolean;
  /** columns of the terminal; a plain 100 where there is none */
  readonly columns: number;
}

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';

export interface Streams {
  readonly stdout: NodeJS.WriteStream | NodeJS.WritableStream;
  readonly stderr: NodeJS.WriteStream | NodeJS.WritableStream;
  /** the process's own when absent */
  readonly stdin?: NodeJS.ReadStream | Readable;
}

/** Wide enough to read, where nobody says how wide it is. */
const PLAIN = 100;

export function createOutput(streams: Streams, env: NodeJS.ProcessEnv): Output {
  const isTerminal = 'isTTY' in streams.stdout && streams.stdout.isTTY === true;
  const colors = isTerminal && env.NO_COLOR === undefined && env.TERM !== 'dumb';
  const columns = (): number =>
    (isTerminal && 'columns' in streams.stdout && streams.stdout.columns) || PLAIN;
  let isWide = !isTerminal;
  return {
    isTerminal,
    get columns() {
      return columns();
    },
    table: (rows, indent = 0) => fitTable(rows, isWide ? Number.POSITIVE_INFINITY : columns() - indent),
    widen() {
      isWide = true;
    },
    line: (text = '') => void streams.stdout.write(`${text}\n`),
    json: (value) =>
      void streams.stdout.write(`${JSON.stringify(value, null, isTerminal ? 2 : undefined)}\n`),
    note: (text) => void streams.stderr.write(`${text}\n`),
    style: (format, text) => (colors ? styleText(format, text, { validateStream: false }) : text),
  };
}

/** Rows as lines, however wide. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  return fitTable(rows, Number.POSITIVE_INFINITY);
}

/** `3 min ago`, `in 42 min`: how far a moment is from now, for people. */
export function relativeTime(iso: string, now: number = Date.now()): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000);
  const size = Math.abs(seconds);
  const text =
    size < 60
      ? `${size} s`
      : size < 3600
        ? `${Math.round(size / 60)} min`
        : size < 172_800
          ? `${Math.round(size / 3600)} h`
          : `${Math.round(size / 86_400)} days`;
  return seconds < 0 ? `${text} ago` : `in ${text}`;
}

/** Asks on a terminal; without one the answer is no. */
export async function askYes({ stdin, stderr }: Streams, question: string): Promise<boolean> {
  const input = stdin ?? process.stdin;
  if (!('isTTY' in input) || input.isTTY !== true) return false;
  const { createInterface } = await import('node:readline/promises');
  const asking = createInterface({ input, output: stderr });
  try {
    return /^y(?:es)?$/i.test((await asking.question(question)).trim());
  } finally {
    asking.close();
  }
}

export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

const HIDDEN =
  // Control, format, surrogate, private use, unassigned, odd blanks, and marks that draw nothing.
  /(?:[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029\u00a0\u115f\u1160\u2000-\u200a\u202f\u205f\u3000\u3164\uffa0\u2800]|\u034f|\u17b4|\u17b5|\u180f|\p{Variation_Selector})/gu;

/**
 * One line in which nothing is hidden.
 *
 * SECURITY: an agent chose some of these words; an escape sequence in them would draw over the question.
 */
export function visibleLine(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The lines of a text; tabs become blanks, as wide as a person expects. */
export function visibleLines(text: string): readonly string[] {
  return text.split('\n').map((line) => visibleLine(line.replace(/\t/g, '    ')));
}

/** Parts of at most `width` characters, between words where there is one near the end. Nothing is left out. */
export function wrapLine(line: string, width: number): readonly string[] {
  const characters = [...line];
  const parts: string[] = [];
  for (let at = 0; at < characters.length; ) {
    const blank = characters.lastIndexOf(' ', at + width - 1);
    const isNear = at + width < characters.length && blank > at + width / 2;
    const end = isNear ? blank + 1 : at + width;
    parts.push(characters.slice(at, end).join(''));
    at = end;
  }
  return parts.length === 0 ? [''] : parts;
}
