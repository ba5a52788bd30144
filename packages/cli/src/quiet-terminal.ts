import { appendFileSync } from 'node:fs';
import { type Output, visibleLine } from './output.ts';

interface LogLine {
  readonly level?: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string };
}

/**
 * The log of a gateway that runs in a person's terminal: what runs as it should is not news, a problem is said once in one
 * line and then counted (at 10, 100, 1,000 times), and everything goes to the log file as it is, stack traces too.
 */
export class QuietTerminal {
  readonly #output: Output;
  readonly #file: string;
  readonly #times = new Map<string, number>();

  constructor(output: Output, file: string) {
    this.#output = output;
    this.#file = file;
  }

  write(line: string): void {
    const isKept = this.#keep(line);
    const { level, msg, err } = parse(line);
    if (level === 'trace' || level === 'debug' || level === 'info') return;
    const why = err?.message === undefined || err.message === msg ? '' : `: ${err.message}`;
    const text = visibleLine(`${msg ?? line.trim()}${why}`);
    const times = (this.#times.get(text) ?? 0) + 1;
    this.#times.set(text, times);
    if (times === 1) this.#output.note(`${this.#output.style('yellow', 'problem:')} ${text}`);
    else if (/^10+$/.test(String(times))) this.#output.note(`  ${times} times now: ${text}`);
    if (times === 1 && this.#times.size === 1 && isKept) this.#output.note(`  all of it: ${this.#file}`);
  }

  /** False where there is no home yet, or no room: a gateway is not stopped for the sake of its log. */
  #keep(line: string): boolean {
    try {
      appendFileSync(this.#file, line, { mode: 0o600 });
      return true;
    } catch {
      return false;
    }
  }
}

function parse(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine; // our own logger wrote it
  } catch {
    return {};
  }
}
