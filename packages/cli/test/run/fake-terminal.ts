import { type ChildProcess, spawn } from 'node:child_process';
import { vi } from 'vitest';

export interface TerminalOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** how long it takes to answer, for each question; it answers in their order */
  readonly answerMs?: (question: string) => number;
  /** one that answers nothing */
  readonly isMute?: boolean;
}

/** A terminal on a real pty (by `script`) that answers questions as xterm and kitty do, and late. */
export interface FakeTerminal extends Disposable {
  /** everything that was written to it */
  text(): string;
  type(text: string): void;
  /** modes that are on */
  modes(): readonly string[];
  shows(pattern: RegExp): Promise<RegExpExecArray>;
  readonly process: ChildProcess;
}

/** Three ways to the second screen. */
const ALTERNATE = ['47', '1047', '1049'];

const QUESTION = new RegExp(
  [
    // Where the cursor is put, kept and put back
    '\\u001b\\[(?<row>\\d+);(?<column>\\d+)H|\\u001b(?<saved>[78])',
    // Modes on and off
    '\\u001b\\[\\?(?<mode>\\d+)(?<on>[hl])|\\u001b\\[(?<kitty>[>=<])\\d+u',
    // Questions
    '\\u001b\\[>?0?c|\\u001b\\[[56]n|\\u001b\\[\\?u|\\u001b\\[21t|\\u001b\\[>0?q',
    '\\u001b\\](?:1[01]|52;c);\\?(?:\\u0007|\\u001b\\\\)|\\u001bP\\$q[^\\u001b]*\\u001b\\\\',
  ].join('|'),
  'g',
);

export function openFakeTerminal(command: string, options: TerminalOptions): FakeTerminal {
  const { answerMs = () => 50, isMute = false } = options;
  const child = spawn('/usr/bin/script', ['-qefc', command, '/dev/null'], {
    env: { SHELL: '/bin/bash', ...options.env },
    cwd: options.cwd,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  let read = 0;
  let [cursor, saved] = ['1;1', '1;1'];
  const modes = new Set<string>();
  const turn = (mode: string, isOn: boolean): void => void (isOn ? modes.add(mode) : modes.delete(mode));
  let answering = Promise.resolve();
  const answer = (question: string, reply: string): void => {
    if (isMute) return;
    const ready = new Promise((resolve) => {
      setTimeout(resolve, answerMs(question));
    });
    answering = answering.then(async () => {
      await ready;
      child.stdin.write(reply);
    });
  };
  child.stdin.on('error', () => undefined);
  child.stdout.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
    QUESTION.lastIndex = read;
    for (let found = QUESTION.exec(text); found !== null; found = QUESTION.exec(text)) {
      read = QUESTION.lastIndex;
      const { row, column, saved: save, mode, on, kitty } = found.groups ?? {};
      if (row !== undefined) cursor = `${row};${column}`;
      else if (save === '7') saved = cursor;
      else if (save === '8') cursor = saved;
      else if (mode !== undefined) turn(ALTERNATE.includes(mode) ? 'alternate' : mode, on === 'h');
      else if (kitty !== undefined) turn('kitty', kitty === '>');
      else answer(found[0], replyTo(found[0], cursor));
    }
  });
  return {
    process: child,
    text: () => text,
    modes: () => [...modes].sort(),
    type: (typed) => void child.stdin.write(typed),
    shows: (pattern) =>
      vi
        .waitUntil(() => pattern.exec(text), { timeout: 60_000, interval: 20 })
        .catch(() => {
          throw new Error(`the terminal never showed ${pattern}: ${JSON.stringify(text)}`);
        }),
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}

function replyTo(question: string, cursor: string): string {
  if (question.endsWith('5n')) return '\u001b[0n';
  if (question.endsWith('6n')) return `\u001b[${cursor}R`;
  if (question.startsWith('\u001b[>') && question.endsWith('c')) return '\u001b[>41;390;0c';
  if (question.endsWith('c')) return '\u001b[?64;1;2c';
  if (question.endsWith('?u')) return '\u001b[?1u';
  if (question.endsWith('21t')) return '\u001b]lrm -rf ~\u001b\\';
  if (question.endsWith('q')) return '\u001bP>|fake(1)\u001b\\';
  if (question.startsWith('\u001b]52')) return '\u001b]52;c;cm0gLXJmIH4K\u001b\\';
  if (question.startsWith('\u001b]')) return `${question.slice(0, 4)};rgb:0000/0000/0000\u001b\\`;
  return '\u001bP1$r0m\u001b\\';
}
