import type { DeliveryRef, Recipient } from '../channels/channel.ts';

/** Messages of one person on one channel that may be open at once */
const SHOWN_AT_MOST = 10;

/** One person on one channel: what they see one by one, and what waits behind it. */
export class RecipientQueue {
  readonly tenant: string;
  readonly recipient: Recipient;
  digestRef: DeliveryRef | undefined;
  /** the number that the digest shows */
  digestHeld = 0;
  digestQueued = false;
  // process-local: messages that this process has sent; the store has them too
  readonly #shown = new Set<string>();
  // process-local: messages that this process has not sent yet
  readonly #held = new Set<string>();

  constructor(tenant: string, recipient: Recipient) {
    this.tenant = tenant;
    this.recipient = recipient;
  }

  get shown(): number {
    return this.#shown.size;
  }

  get held(): number {
    return this.#held.size;
  }

  has(id: string): boolean {
    return this.#shown.has(id) || this.#held.has(id);
  }

  /** `deliver` now, or `held` until there is room. */
  add(id: string): 'deliver' | 'held' {
    if (this.#shown.size < SHOWN_AT_MOST) {
      this.#shown.add(id);
      return 'deliver';
    }
    this.#held.add(id);
    return 'held';
  }

  /** The person has its message already. */
  show(id: string): void {
    this.#shown.add(id);
  }

  /** It was not delivered, and what waits behind it will not be either: all of it is asked anew, or not at all. */
  drop(id: string): void {
    this.#shown.delete(id);
    this.#held.clear();
  }

  /** It has ended, or could not be delivered. Returns the one whose turn it is then. */
  remove(id: string): string | undefined {
    this.#held.delete(id);
    if (!this.#shown.delete(id) || this.#shown.size >= SHOWN_AT_MOST) return undefined;
    const next = this.#held.values().next();
    if (next.done) return undefined;
    this.#held.delete(next.value);
    this.#shown.add(next.value);
    return next.value;
  }
}
