import type { AuditEvent, StatsWire } from '@sallyport/protocol';
import { pathTemplate } from '../shared/path-template.ts';
import { isDecision } from './simulate.ts';

/** Kinds of questions, open questions and waiting times that are kept; a trail may hold millions. */
const KEPT_AT_MOST = 10_000;
const LISTED_AT_MOST = 20;

interface Asked {
  readonly askedAt: number;
  readonly kind: Kind;
}

interface Kind {
  readonly what: string;
  readonly agent: string;
  questions: number;
  yes: number;
}

interface Reason {
  readonly layer: string;
  readonly reason: string;
  readonly example: string;
  questions: number;
}

/** What a trail tells of people's attention: how often they were asked, why, how long it took, and what they said. */
export class Attention {
  readonly #open = new Map<string, Asked>();
  readonly #kinds = new Map<string, Kind>();
  readonly #reasons = new Map<string, Reason>();
  readonly #waits: number[] = [];
  readonly #answers = { yes: 0, no: 0, expired: 0, left: 0 };
  #actions = 0;
  #questions = 0;
  #standing = 0;
  #truncated = false;

  add(event: AuditEvent): void {
    if (isDecision(event)) {
      this.#actions += 1;
      if (event.data.by === 'grant') this.#standing += 1;
      return;
    }
    if (event.type === 'ApprovalEvent::Requested') this.#asked(event);
    else if (event.type === 'ApprovalEvent::Decided') this.#decided(event);
    else if (event.type === 'ApprovalEvent::Expired') this.#ended(event, 'expired');
    else if (event.type === 'ApprovalEvent::Cancelled') this.#ended(event, 'left');
  }

  get summary(): StatsWire {
    const kinds = [...this.#kinds.values()].filter(
      ({ questions, yes }) => questions > 1 && yes === questions,
    );
    return {
      actions: this.#actions,
      questions: this.#questions,
      per_100: this.#actions === 0 ? 0 : rounded((this.#questions / this.#actions) * 100),
      standing: this.#standing,
      answers: { ...this.#answers },
      median_answer_seconds: medianOf(this.#waits),
      by_reason: [...this.#reasons.values()].sort(mostFirst).slice(0, LISTED_AT_MOST),
      always_yes: kinds
        .sort(mostFirst)
        .slice(0, LISTED_AT_MOST)
        .map(({ what, agent, questions }) => ({ what, agent, questions })),
      truncated: this.#truncated,
    };
  }

  #asked(event: AuditEvent): void {
    // The same message, to a caller that came back: nobody was disturbed again.
    if (event.data.taken_over === true) return;
    this.#questions += 1;
    const title = String(event.data.title ?? '');
    const { layer, reason } = event.data.reason as { readonly layer: string; readonly reason: string };
    // Names differ from question to question, and the reason is the same.
    const worded = reason.replaceAll(/`[^`]*`/g, '`…`');
    const why = this.#keep(this.#reasons, `${layer} ${worded}`, () => ({
      ...{ layer, reason: worded, example: title },
      questions: 0,
    }));
    if (why !== undefined) why.questions += 1;
    const { agent = '', client = '' } = event.actor as { readonly agent?: string; readonly client?: string };
    const who = agent === '' ? client : agent;
    const what = kindOf(title);
    const kind = this.#keep(this.#kinds, `${who} ${what}`, () => ({
      what,
      agent: who,
      questions: 0,
      yes: 0,
    }));
    if (kind === undefined) return;
    kind.questions += 1;
    this.#keep(this.#open, event.approval_id ?? '', () => ({ askedAt: Date.parse(event.at), kind }));
  }

  #decided(event: AuditEvent): void {
    const isYes = event.data.status === 'approved';
    this.#answers[isYes ? 'yes' : 'no'] += 1;
    const asked = this.#open.get(event.approval_id ?? '');
    if (asked === undefined) return;
    this.#open.delete(event.approval_id ?? '');
    if (isYes) asked.kind.yes += 1;
    const waited = Date.parse(event.at) - asked.askedAt;
    if (this.#waits.length < KEPT_AT_MOST) this.#waits.push(waited);
  }

  #ended({ approval_id: id = '' }: AuditEvent, how: 'expired' | 'left'): void {
    this.#answers[how] += 1;
    this.#open.delete(id);
  }

  #keep<Value>(map: Map<string, Value>, key: string, make: () => Value): Value | undefined {
    const known = map.get(key);
    if (known !== undefined) return known;
    if (map.size >= KEPT_AT_MOST) {
      this.#truncated = true;
      return undefined;
    }
    const made = make();
    map.set(key, made);
    return made;
  }
}

/** Titles that differ by a number or an id only are one kind of question. */
function kindOf(title: string): string {
  return title.split(' ').map(pathTemplate).join(' ');
}

function mostFirst(a: { readonly questions: number }, b: { readonly questions: number }): number {
  return b.questions - a.questions;
}

function medianOf(waits: readonly number[]): number | null {
  if (waits.length === 0) return null;
  const sorted = waits.toSorted((a, b) => a - b);
  return rounded((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) / 1000);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
