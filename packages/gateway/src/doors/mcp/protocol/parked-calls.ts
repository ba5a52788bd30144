import type { ToolOutcome } from '../../../calls/index.ts';

/** Calls of one gateway session that wait for people without their client. */
const PARKED_AT_MOST = 64;
/** How long an outcome waits to be fetched, in ms */
const KEPT_MS = 600_000;

/** A call that goes on although its client was told to come back for it. */
export interface ParkedCall {
  readonly outcome: Promise<ToolOutcome>;
  /** Ends it: nobody will fetch it. */
  abort(): void;
}

/** Calls that people are still asked about, by session and approval: `wait_for_approval` fetches what came of them. */
export class ParkedCalls {
  // process-local: calls that go on in this process; the approval behind each is in the store
  readonly #byOwner = new Map<string, Map<string, ParkedCall>>();

  /** False when the session has too many already. */
  park(owner: string, approval: string, call: ParkedCall): boolean {
    const own = this.#byOwner.get(owner) ?? new Map<string, ParkedCall>();
    if (own.size >= PARKED_AT_MOST || own.has(approval)) return false;
    this.#byOwner.set(owner, own);
    own.set(approval, call);
    const forget = (): void => this.#forget(owner, approval, call);
    void call.outcome.then(() => setTimeout(forget, KEPT_MS).unref());
    return true;
  }

  /** SECURITY: of the session that made it, and of nobody else. */
  find(owner: string, approval: string): ParkedCall | undefined {
    return this.#byOwner.get(owner)?.get(approval);
  }

  /** It was fetched. */
  take(owner: string, approval: string): void {
    const call = this.find(owner, approval);
    if (call !== undefined) this.#forget(owner, approval, call);
  }

  dropAllOf(owner: string): void {
    const own = this.#byOwner.get(owner);
    this.#byOwner.delete(owner);
    for (const call of own?.values() ?? []) call.abort();
  }

  #forget(owner: string, approval: string, call: ParkedCall): void {
    const own = this.#byOwner.get(owner);
    if (own?.get(approval) !== call) return;
    own.delete(approval);
    if (own.size === 0) this.#byOwner.delete(owner);
  }
}
