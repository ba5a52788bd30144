import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';
import { type CursorQuestion, makeCursorQuestion } from './cursor-question.ts';

/** for a terminal to answer: on this machine, and at the other end of an SSH connection */
const ANSWER_MS = 500;
const FAR_ANSWER_MS = 2_000;
/** of silence after the answer: some look in a clipboard before they answer, and answer others meanwhile */
const QUIET_MS = 40;
/** whatever keeps coming in */
const LONGEST_MS = 15_000;
const KEPT_CHARACTERS = 4_096;

/**
 * Gives the terminal back as it was: in no mode in which it reports things, and with nothing in its input that it
 * answered to a jailed program, for the next program would take that for typed text [JA-8].
 *
 * What a person typed ahead is lost with it. Does nothing when this process does not have the terminal; never rejects.
 */
export async function settleTerminal(env: NodeJS.ProcessEnv): Promise<void> {
  if (!isInForeground()) return;
  let descriptor: number;
  try {
    descriptor = openSync('/dev/tty', constants.O_RDWR | constants.O_NOCTTY);
  } catch {
    return; // there is none
  }
  try {
    // One that says it knows no sequences would show ours: it is only listened to.
    const isDumb = ['', 'dumb'].includes(env.TERM ?? '');
    const isFar = env.SSH_CONNECTION !== undefined || env.SSH_TTY !== undefined;
    await drain(descriptor, { isDumb, answerMs: isFar ? FAR_ANSWER_MS : ANSWER_MS });
  } catch {
    // Hung up in the meantime.
  } finally {
    closeSync(descriptor);
  }
}

interface DrainOptions {
  readonly isDumb: boolean;
  readonly answerMs: number;
}

async function drain(descriptor: number, { isDumb, answerMs }: DrainOptions): Promise<void> {
  const input = new ReadStream(openSync('/dev/tty', constants.O_RDONLY | constants.O_NOCTTY));
  try {
    // Raw first: an answer that comes sooner would be shown, and wait for the end of a line.
    input.setRawMode(true);
    const cursor = makeCursorQuestion(windowOf());
    const silence = waitForSilence(input, cursor, isDumb ? QUIET_MS : answerMs);
    if (!isDumb) writeSync(descriptor, QUIET_MODES + cursor.question);
    await silence;
    input.setRawMode(false);
  } finally {
    input.destroy();
  }
}

function waitForSilence(input: ReadStream, cursor: CursorQuestion, answerMs: number): Promise<void> {
  return new Promise((resolve) => {
    let read = '';
    let isAnswered = false;
    const done = (): void => {
      clearTimeout(silent);
      clearTimeout(longest);
      resolve();
    };
    const longest = setTimeout(done, LONGEST_MS);
    let silent = setTimeout(done, answerMs);
    input.setEncoding('latin1');
    input.on('data', (text: string) => {
      read = (read + text).slice(-KEPT_CHARACTERS);
      isAnswered ||= cursor.isAnswered(read);
      clearTimeout(silent);
      silent = setTimeout(done, isAnswered ? QUIET_MS : answerMs);
    });
    input.once('error', done);
    input.once('end', done);
  });
}

function windowOf(): { readonly rows: number; readonly columns: number } {
  const stream = [process.stdout, process.stderr].find((one) => one instanceof WriteStream);
  const [columns, rows] = stream?.getWindowSize() ?? [0, 0];
  return { rows, columns };
}

/**
 * Whoever is not in the foreground is stopped when it touches the terminal.
 *
 * The fields of `stat` after the name, which ends with the last `)`: state, parent, group, session, terminal, group in
 * the foreground. macOS has no such file; there an agent is in the caller's own group.
 */
function isInForeground(): boolean {
  if (process.platform !== 'linux') return true;
  const [, , group, , , foreground] = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return group === foreground;
}

const modes = (...numbers: readonly number[]): string =>
  numbers.map((number) => `\u001b[?${number}l`).join('');

/**
 * Takes a terminal out of every mode in which it sends something that nobody typed, or keys that no shell knows.
 *
 * A program that ends as it should has done all of this itself. One that was killed, or means harm, has not.
 */
export const QUIET_MODES = [
  // Out of whatever sequence it is in the middle of, and out of VT52, which knows none of the others.
  '\u0018\u001b\\\u001b<',
  // Drawing again, and on the screen that the shell is on.
  modes(2026, 1047),
  // Mouse in every form, focus, pasted text in brackets, arrows for the wheel
  modes(9, 1000, 1001, 1002, 1003, 1005, 1006, 1015, 1016, 1004, 2004, 1007),
  // Reports of size and colours, of pasted files; keys of Windows; cursor and number keys of applications
  modes(2048, 2031, 5522, 9001, 1, 66),
  '\u001b>',
  // Keys of kitty, however often they were put on its stack; keys of xterm; a locked keyboard; Enter as two characters
  '\u001b[<99u\u001b[=0u\u001b[>4m\u001b[>4f\u001b[2l\u001b[20l',
  '\u001b[?25h',
].join('');
