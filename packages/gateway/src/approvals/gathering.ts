import { canonicalJson, sha256Hex } from '../shared/canonical-json.ts';
import type { ListedAction, Question } from './approval/approval.ts';
import type { AwaitedQuestion } from './waiting-callers.ts';

/** What is shown in one question at most; more is the next question's. */
export const LISTED_AT_MOST = 20;
const PREVIEWS_AT_MOST = 65_536;
const TITLE_AT_MOST = 200;

interface Group {
  readonly key: string;
  readonly questions: Question[];
  readonly timer: NodeJS.Timeout;
}

/**
 * Calls that an agent makes at the same moment, of one operation on one object: they wait a little for one another, and
 * people are asked about them together.
 */
export class Gathering {
  // process-local: callers of this process, for a part of a second
  readonly #waiting = new Map<AwaitedQuestion, Group>();
  // process-local: an index of the field before it; one that is full is found by nobody any more
  readonly #open = new Map<string, AwaitedQuestion>();
  readonly #ms: number;

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** The question that this one will be asked with, which it joins; undefined: nobody is waiting for it. */
  join(question: Question): AwaitedQuestion | undefined {
    const key = this.#keyOf(question);
    const awaited = key === undefined ? undefined : this.#open.get(key);
    const group = awaited && this.#waiting.get(awaited);
    if (group === undefined || !hasRoom(group, question)) return undefined;
    group.questions.push(question);
    return awaited;
  }

  /** Lets others join for a moment, then calls `ask` with all of them, in the order they came in. */
  begin(awaited: AwaitedQuestion, question: Question, ask: (questions: readonly Question[]) => void): void {
    const key = this.#keyOf(question);
    if (key === undefined) {
      ask([question]);
      return;
    }
    const questions = [question];
    const timer = setTimeout(() => {
      this.drop(awaited);
      ask(questions);
    }, this.#ms);
    this.#open.set(key, awaited);
    this.#waiting.set(awaited, { key, questions, timer });
  }

  /** Everyone left before people were asked: then they are not. False: they have been, or are about to be. */
  drop(awaited: AwaitedQuestion): boolean {
    const group = this.#waiting.get(awaited);
    if (group === undefined) return false;
    clearTimeout(group.timer);
    this.#waiting.delete(awaited);
    if (this.#open.get(group.key) === awaited) this.#open.delete(group.key);
    return true;
  }

  /** Ends the waiting; what was not asked yet. */
  stop(): readonly AwaitedQuestion[] {
    const unasked = [...this.#waiting.keys()];
    for (const awaited of unasked) this.drop(awaited);
    return unasked;
  }

  /**
   * What questions have in common that are asked together: whoever asks, and every word but those about the action itself.
   *
   * SECURITY: with the same offer they are about one operation, object, credential and risk; without one they are asked
   * each time, and by themselves [AP-7].
   */
  #keyOf(question: Question): string | undefined {
    const { offer, review, blocked, quorum } = question;
    if (this.#ms <= 0 || offer === undefined || review !== undefined || !blocked || quorum > 1)
      return undefined;
    const {
      actionId: _actionId,
      binding: _binding,
      fingerprint: _fingerprint,
      title: _title,
      preview: _preview,
      ...common
    } = question;
    return sha256Hex(JSON.stringify(common));
  }
}

function hasRoom({ questions }: Group, { preview }: Question): boolean {
  const shown = questions.reduce((sum, question) => sum + question.preview.length, preview.length);
  return questions.length < LISTED_AT_MOST && shown <= PREVIEWS_AT_MOST;
}

/** One question about all of them: what they have in common, and a list. */
export function listedTogether(questions: readonly [Question, ...Question[]]): Question {
  const [first] = questions;
  const count = questions.length;
  if (count === 1) return first;
  const title = `${count} at once: ${first.does ?? first.tool}`;
  return {
    ...first,
    binding: sha256Hex(canonicalJson(questions.map(({ binding }) => binding))),
    fingerprint: sha256Hex(canonicalJson(questions.map(({ fingerprint }) => fingerprint).toSorted())),
    title: title.length <= TITLE_AT_MOST ? title : `${title.slice(0, TITLE_AT_MOST - 1)}…`,
    preview: questions.map((question, index) => lines(question, index + 1, count)).join('\n\n'),
    listed: questions.map(asListed),
  };
}

function asListed({ actionId, binding, fingerprint, title }: Question): ListedAction {
  return { actionId, binding, fingerprint, title };
}

/** SECURITY: what an agent wrote is further in than the lines that are ours, so that it cannot begin one [AP-6]. */
function lines({ title, preview }: Question, index: number, count: number): string {
  const inner = preview
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
  return `${index} of ${count}: ${title}\n${inner}`;
}
