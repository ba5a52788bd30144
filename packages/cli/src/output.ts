import type { Readable } from 'node:stream';
import { styleText } from 'node:util';

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
