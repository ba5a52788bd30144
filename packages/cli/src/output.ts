import type { Readable } from 'node:stream';
import { styleText } from 'node:util';
import { SallyportError } from '@sallyport/protocol/error';

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
  readonly isTerminal: boolean;
}

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';

export interface Streams {
  readonly stdout: NodeJS.WriteStream | NodeJS.WritableStream;
  readonly stderr: NodeJS.WriteStream | NodeJS.WritableStream;
  /** the process's own when absent */
  readonly stdin?: NodeJS.ReadStream | Readable;
}

export function createOutput(streams: Streams, env: NodeJS.ProcessEnv): Output {
  const isTerminal = 'isTTY' in streams.stdout && streams.stdout.isTTY === true;
  const colors = isTerminal && env.NO_COLOR === undefined && env.TERM !== 'dumb';
  return {
    isTerminal,
    line: (text = '') => void streams.stdout.write(`${text}\n`),
    json: (value) =>
      void streams.stdout.write(`${JSON.stringify(value, null, isTerminal ? 2 : undefined)}\n`),
    note: (text) => void streams.stderr.write(`${text}\n`),
    style: (format, text) => (colors ? styleText(format, text, { validateStream: false }) : text),
  };
}

/** Columns as wide as their widest cell; the last one is left as it is. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  '),
  );
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

/** Prints what went wrong in words: what happened, then what to do. Never a stack trace. */
export function printError(error: unknown, output: Output, asJson: boolean): void {
  const known =
    error instanceof SallyportError
      ? error
      : new SallyportError('Internal', { message: error instanceof Error ? error.message : String(error) });
  if (asJson) {
    output.json(known.toBody());
    return;
  }
  output.note(`${output.style('red', 'error')}  ${known.message}`);
  if (known.hint !== undefined) output.note(`       ${known.hint}`);
}

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

/** Parts of at most `width` characters. */
export function wrapLine(line: string, width: number): readonly string[] {
  const characters = [...line];
  const parts: string[] = [];
  for (let at = 0; at < characters.length; at += width) parts.push(characters.slice(at, at + width).join(''));
  return parts.length === 0 ? [''] : parts;
}
