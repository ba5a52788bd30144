import type { Approval } from './approval/approval.ts';
import type { Answer } from './approval-port.ts';

/** One caller on an open connection. */
export interface Waiter {
  readonly answer: (answer: Answer) => void;
  readonly checkOverride: ((text: string) => string | undefined) | undefined;
}

/** One action that callers of this process wait for. Holds no preview: there may be thousands. */
export interface AwaitedCall {
  readonly key: string;
  readonly binding: string;
  readonly waiters: Set<Waiter>;
  readonly question: AwaitedQuestion;
}

/** A question that callers wait for: one action, or several that are asked about together. */
export interface AwaitedQuestion {
  /** `questionKey` of what people are asked; of the first action, until that is known */
  key: string;
  readonly calls: AwaitedCall[];
  /** resolves with the approval's id once people are asked; rejects when they could not be */
  readonly stored: PromiseWithResolvers<string>;
}

/** Callers that wait, by question. */
export class WaitingCallers {
  // process-local: connections that callers hold to this process; a decision elsewhere wakes them
  readonly #byKey = new Map<string, AwaitedCall>();
  // process-local: an index of the field before it
  readonly #byId = new Map<string, AwaitedQuestion>();

  get size(): number {
    return Math.max(this.#byId.size, this.#byKey.size);
  }

  ids(): readonly string[] {
    return [...this.#byId.keys()];
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** The open call that is the same in every byte that counts. */
  find(key: string, binding: string): AwaitedCall | undefined {
    return this.#byKey.get(`${key}/${binding}`);
  }

  /** A call that is asked about by a question of its own, or by one that others are in. */
  open(
    key: string,
    binding: string,
    question: AwaitedQuestion = { key, calls: [], stored: Promise.withResolvers() },
  ): AwaitedCall {
    const call: AwaitedCall = { key, binding, waiters: new Set(), question };
    question.calls.push(call);
    this.#byKey.set(`${key}/${binding}`, call);
    return call;
  }

  /** The calls of a question that is about to be asked; those that everybody left are not in it any more. */
  keepWaited(awaited: AwaitedQuestion): readonly AwaitedCall[] {
    const { calls } = awaited;
    const waited = calls.filter(({ waiters }) => waiters.size > 0);
    // One that nobody joined yet is asked in this very moment.
    if (waited.length === 0) return calls;
    for (const call of calls) if (call.waiters.size === 0) this.#forget(call);
    calls.splice(0, calls.length, ...waited);
    return waited;
  }

  /**
   * Gives a question its id.
   *
   * INVARIANT: called before the approval is in the database: whoever decides it finds its callers here.
   */
  name(awaited: AwaitedQuestion, id: string): void {
    this.#byId.set(id, awaited);
  }

  /** The id is somebody else's after all. */
  unname(id: string): void {
    this.#byId.delete(id);
  }

  /** It could not be asked after all. */
  fail(awaited: AwaitedQuestion, id: string | undefined, error: unknown): void {
    this.close(awaited);
    if (id !== undefined) this.#byId.delete(id);
    awaited.stored.reject(error);
  }

  /** What is wrong with a replacement, as the callers' door sees it; undefined when it fits all of them. */
  checkOverride(id: string, text: string): string | undefined {
    const waiters = this.#byId.get(id)?.calls.flatMap((call) => [...call.waiters]) ?? [];
    if (waiters.length === 0) return 'nobody waits for this any more';
    for (const { checkOverride } of waiters) {
      if (checkOverride === undefined) return 'this cannot be changed, only allowed or denied';
      const problem = checkOverride(text);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** No further caller may join. */
  close(awaited: AwaitedQuestion): void {
    for (const call of awaited.calls) this.#forget(call);
  }

  #forget(call: AwaitedCall): void {
    const key = `${call.key}/${call.binding}`;
    if (this.#byKey.get(key) === call) this.#byKey.delete(key);
  }

  /**
   * Tells every caller how it ended.
   *
   * SECURITY: consent is for one execution of each action that was shown: the caller that waited longest for it has it, all
   * others look for a grant and ask again.
   */
  release(approval: Approval): void {
    const awaited = this.#byId.get(approval.id);
    if (awaited === undefined) return;
    this.#byId.delete(approval.id);
    this.close(awaited);
    for (const { binding, waiters } of awaited.calls) {
      const [first, ...others] = waiters;
      waiters.clear();
      const own = partOf(approval, binding);
      const again: Answer = { kind: 'again' };
      first?.answer(own === undefined ? again : { kind: 'ended', approval: own });
      for (const waiter of others)
        waiter.answer(
          approval.status === 'approved' || own === undefined ? again : { kind: 'ended', approval: own },
        );
    }
  }
}

/** The answer to one listed action, bound to that action alone; undefined: it was not among what was shown [AP-1]. */
function partOf(approval: Approval, binding: string): Approval | undefined {
  const { listed } = approval;
  if (listed === undefined) return approval;
  const own = listed.find((action) => action.binding === binding);
  return own && { ...approval, ...own };
}
