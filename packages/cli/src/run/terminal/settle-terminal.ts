import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';
import { type Fence, makeFence } from './fence.ts';
import { QUIET_MODES } from './quiet-modes.ts';

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

interface Patience {
  readonly isDumb: boolean;
  readonly answerMs: number;
}

async function drain(descriptor: number, { isDumb, answerMs }: Patience): Promise<void> {
  const input = new ReadStream(openSync('/dev/tty', constants.O_RDONLY | constants.O_NOCTTY));
  try {
    // Raw first: an answer that comes sooner would be shown, and wait for the end of a line.
    input.setRawMode(true);
    const fence = makeFence(windowOf());
    const silence = waitForSilence(input, fence, isDumb ? QUIET_MS : answerMs);
    if (!isDumb) writeSync(descriptor, QUIET_MODES + fence.question);
    await silence;
    input.setRawMode(false);
  } finally {
    input.destroy();
  }
}

function waitForSilence(input: ReadStream, fence: Fence, answerMs: number): Promise<void> {
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
      isAnswered ||= fence.isAnswered(read);
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
