import type { ApprovalDetail } from '@sallyport/protocol';

/** Keys are held this long after another question came under the cursor by itself. */
export const HOLD_MS = 1_000;
const KEPT_EVENTS = 50;

/** What the live view knows. Each change gives a new one. */
export interface WatchState {
  /** oldest first: the longest wait is on top */
  readonly questions: readonly ApprovalDetail[];
  /** more wait than are listed */
  readonly hasMore: boolean;
  readonly selected: string | undefined;
  /** ms since epoch; until then no key decides */
  readonly heldUntil: number;
  /** first line of the question that is shown */
  readonly scroll: number;
  readonly events: readonly string[];
  readonly notice: string;
  /** answers on their way */
  readonly sending: ReadonlySet<string>;
}

export const EMPTY: WatchState = {
  questions: [],
  hasMore: false,
  selected: undefined,
  heldUntil: 0,
  scroll: 0,
  events: [],
  notice: '',
  sending: new Set(),
};

/**
 * SECURITY: when the question under the cursor ends, the next one takes its place by itself, and a key that was
 * meant for the old one would answer the new one: keys are held for a moment, and the binding goes along.
 */
export function withQuestions(state: WatchState, found: readonly ApprovalDetail[], now: number): WatchState {
  const questions = found.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
  const before = state.questions.find(({ id }) => id === state.selected);
  const same = questions.find(({ id }) => id === state.selected);
  if (same !== undefined && same.binding === before?.binding) return { ...state, questions };
  const at = state.questions.findIndex(({ id }) => id === state.selected);
  const next = same ?? questions[Math.min(Math.max(0, at), questions.length - 1)];
  return {
    ...state,
    questions,
    selected: next?.id,
    scroll: 0,
    heldUntil: next === undefined ? 0 : now + HOLD_MS,
  };
}

export function moved(state: WatchState, by: 1 | -1): WatchState {
  const at = state.questions.findIndex(({ id }) => id === state.selected);
  const next = state.questions[Math.min(Math.max(0, at + by), state.questions.length - 1)];
  return next === undefined || next.id === state.selected
    ? state
    : { ...state, selected: next.id, scroll: 0, notice: '' };
}

export function scrolled(state: WatchState, by: number): WatchState {
  return { ...state, scroll: Math.max(0, state.scroll + by) };
}

export function withEvent(state: WatchState, line: string): WatchState {
  return { ...state, events: [...state.events, line].slice(-KEPT_EVENTS) };
}

export function withNotice(state: WatchState, notice: string): WatchState {
  return { ...state, notice };
}

export function withSending(state: WatchState, id: string, isSending: boolean): WatchState {
  const sending = new Set(state.sending);
  if (isSending) sending.add(id);
  else sending.delete(id);
  return { ...state, sending };
}

/** The question that a key would answer now; a text when it would answer none. */
export function answerable(state: WatchState, now: number): ApprovalDetail | string {
  const question = state.questions.find(({ id }) => id === state.selected);
  if (question === undefined) return 'nothing waits';
  if (state.sending.has(question.id)) return 'your answer is on its way';
  if (now < state.heldUntil) return 'another question came up: read it, then press again';
  return question;
}
