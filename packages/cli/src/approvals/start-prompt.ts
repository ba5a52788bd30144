import { emitKeypressEvents } from 'node:readline';
import type { ReadStream } from 'node:tty';
import type { OperatorClient } from '../operator-client.ts';
import type { Output } from '../output.ts';
import { type Choice, decide, describeDecision, KEY_CHOICES } from './decide.ts';
import { KEYS, questionLines } from './describe-question.ts';
import { followFeed } from './live-feed.ts';
import { answerable, EMPTY, type WatchState, withQuestions, withSending } from './watch-state.ts';

const PAUSE_MS = 1_000;

export interface StartPromptOptions {
  readonly operator: OperatorClient;
  readonly output: Output;
  readonly stdin: ReadStream;
  readonly width: () => number;
  readonly signal: AbortSignal;
  /** Ctrl-C: raw mode keeps it from the terminal, so it is ours to pass on */
  readonly onInterrupt: () => void;
}

/**
 * Asks in the gateway's own terminal: the question that waits longest, one key to decide. It scrolls by like any other
 * output; whoever wants a screen uses `sallyport watch`.
 */
export async function promptWhileRunning(options: StartPromptOptions): Promise<void> {
  const { operator, output, stdin, signal } = options;
  let state: WatchState = EMPTY;
  const show = (before: string | undefined): void => {
    const question = state.questions.find(({ id }) => id === state.selected);
    if (question === undefined || question.id === before) return;
    const more = state.questions.length - 1;
    output.line('');
    for (const line of questionLines(question, options.width(), Date.now())) output.line(line);
    output.line(output.style('bold', `${KEYS}${more > 0 ? `   (${more} more wait)` : ''}`));
  };
  const answer = async (choice: Choice): Promise<void> => {
    const question = answerable(state, Date.now());
    if (typeof question === 'string') {
      if (state.questions.length > 0) output.note(question);
      return;
    }
    state = withSending(state, question.id, true);
    const said = await decide(operator, question, choice).then(
      describeDecision,
      (error: unknown) => `nothing was decided: ${error instanceof Error ? error.message : String(error)}`,
    );
    state = withSending(state, question.id, false);
    output.line(said);
  };
  const onKey = (
    _text: string | undefined,
    key: { sequence?: string; name?: string; ctrl?: boolean },
  ): void => {
    const choice = KEY_CHOICES[key.sequence ?? ''];
    if (choice !== undefined) void answer(choice);
    else if (key.ctrl === true && key.name === 'c') options.onInterrupt();
  };
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.on('keypress', onKey);
  stdin.resume();
  try {
    await followFeed({
      operator,
      signal,
      pauseMs: PAUSE_MS,
      onQuestions: ({ items, next_cursor: next }) => {
        const before = state.selected;
        state = { ...withQuestions(state, items, Date.now()), hasMore: next !== null };
        show(before);
      },
      onEvent: () => {},
      onTrouble: () => {},
    });
  } finally {
    stdin.off('keypress', onKey);
    stdin.setRawMode(false);
    stdin.pause();
  }
}
