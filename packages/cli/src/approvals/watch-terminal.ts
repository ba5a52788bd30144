import { emitKeypressEvents } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { EventLines } from '../describe-event.ts';
import type { OperatorClient } from '../operator-client.ts';
import type { Output } from '../output.ts';
import { type Choice, decide, describeDecision, KEY_CHOICES } from './decide.ts';
import { followFeed } from './live-feed.ts';
import { watchScreen } from './watch-screen.ts';
import {
  answerable,
  EMPTY,
  moved,
  scrolled,
  type WatchState,
  withEvent,
  withNotice,
  withQuestions,
  withSending,
} from './watch-state.ts';

const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const TO_END_OF_LINE = '\u001b[K';
const REFRESH_MS = 1_000;
const PAUSE_MS = 1_000;

export interface WatchTerminalOptions {
  readonly operator: OperatorClient;
  readonly output: Output;
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
  readonly signal: AbortSignal;
}

/** The live view: draws the state, turns keys into decisions, and leaves the terminal as it was. */
export async function watchTerminal({
  operator,
  output,
  stdin,
  stdout,
  signal,
}: WatchTerminalOptions): Promise<void> {
  const quit = new AbortController();
  const either = AbortSignal.any([signal, quit.signal]);
  const lines = new EventLines({ ...output, style: (_, text) => text });
  let state: WatchState = EMPTY;
  const draw = (): void => {
    const size = { rows: stdout.rows, columns: stdout.columns };
    const lines = watchScreen(state, size, Date.now(), output.style);
    stdout.write(HOME + lines.map((line) => line + TO_END_OF_LINE).join('\r\n'));
  };
  const change = (next: WatchState): void => {
    state = next;
    draw();
  };
  const answer = async (choice: Choice): Promise<void> => {
    const question = answerable(state, Date.now());
    if (typeof question === 'string') return change(withNotice(state, question));
    change(withSending(state, question.id, true));
    const said = await decide(operator, question, choice).then(
      describeDecision,
      (error: unknown) => `nothing was decided: ${error instanceof Error ? error.message : String(error)}`,
    );
    change(withNotice(withSending(state, question.id, false), said));
  };
  const onKey = (
    _text: string | undefined,
    key: { name?: string; sequence?: string; ctrl?: boolean },
  ): void => {
    const choice = KEY_CHOICES[key.sequence ?? ''];
    if (choice !== undefined) void answer(choice);
    else if (key.name === 'q' || (key.ctrl === true && key.name === 'c')) quit.abort();
    else if (key.name === 'up' || key.name === 'k') change(moved(state, -1));
    else if (key.name === 'down' || key.name === 'j') change(moved(state, 1));
    else if (key.name === 'space' || key.name === 'pagedown') change(scrolled(state, 8));
    else if (key.name === 'b' || key.name === 'pageup') change(scrolled(state, -8));
  };

  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.on('keypress', onKey);
  stdin.resume();
  stdout.on('resize', draw);
  stdout.write(ENTER);
  const clock = setInterval(draw, REFRESH_MS);
  try {
    draw();
    await followFeed({
      operator,
      signal: either,
      pauseMs: PAUSE_MS,
      onQuestions: ({ items, next_cursor: next }) =>
        change({ ...withQuestions(state, items, Date.now()), hasMore: next !== null }),
      onEvent: (event) => change(withEvent(state, lines.line(event, { isWhole: true }))),
      onTrouble: (text) =>
        change(withNotice(state, text === undefined ? '' : `no connection: ${text}; trying again`)),
    });
  } finally {
    clearInterval(clock);
    stdout.off('resize', draw);
    stdin.off('keypress', onKey);
    stdin.setRawMode(false);
    stdin.pause();
    stdout.write(LEAVE);
  }
}
