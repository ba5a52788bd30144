import type { Approval } from './approval.ts';
import type { Answer } from './approval-port.ts';

/** One caller on an open connection. */
export interface Waiter {
  readonly answer: (answer: Answer) => void;
  readonly checkOverride: ((text: string) => string | undefined) | undefined;
}

/** A question that callers of this process wait for. Holds no preview: there may be thousands. */
export interface Room {
  readonly key: string;
  readonly binding: string;
  readonly waiters: Set<Waiter>;
  /** resolves with the approval's id once people are asked; rejects when they could not be */
  readonly stored: PromiseWithResolvers<string>;
}

/** Callers that wait, by question. */
export class WaitingRoom {
  // process-local: connections that callers hold to this process; a decision elsewhere wakes them
  readonly #byKey = new Map<string, Room>();
  // process-local: an index of the field before it
  readonly #byId = new Map<string, Room>();

  get size(): number {
    return Math.max(this.#byId.size, this.#byKey.size);
  }

  ids(): readonly string[] {
    return [...this.#byId.keys()];
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** The open question that is the same in every byte that counts. */
  find(key: string, binding: string): Room | undefined {
    return this.#byKey.get(`${key}/${binding}`);
  }

  open(key: string, binding: string): Room {
    const room: Room = { key, binding, waiters: new Set(), stored: Promise.withResolvers() };
    this.#byKey.set(`${key}/${binding}`, room);
    return room;
  }

  /**
   * Gives a question its id.
   *
   * INVARIANT: called before the approval is in the database: whoever decides it finds its callers here.
   */
  name(room: Room, id: string): void {
    this.#byId.set(id, room);
  }

  /** The id is somebody else's after all. */
  unname(id: string): void {
    this.#byId.delete(id);
  }

  /** It could not be asked after all. */
  fail(room: Room, id: string | undefined, error: unknown): void {
    this.#forget(room);
    if (id !== undefined) this.#byId.delete(id);
    room.stored.reject(error);
  }

  /** What is wrong with a replacement, as the callers' door sees it; undefined when it fits all of them. */
  checkOverride(id: string, text: string): string | undefined {
    const room = this.#byId.get(id);
    if (room === undefined || room.waiters.size === 0) return 'nobody waits for this any more';
    for (const { checkOverride } of room.waiters) {
      if (checkOverride === undefined) return 'this cannot be changed, only allowed or denied';
      const problem = checkOverride(text);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** No further caller may join. */
  close(room: Room): void {
    this.#forget(room);
  }

  /**
   * Tells every caller how it ended.
   *
   * SECURITY: consent is for one execution: the caller that waited longest has it, all others look for a grant
   * and ask again.
   */
  release(approval: Approval): void {
    const room = this.#byId.get(approval.id);
    if (room === undefined) return;
    this.#byId.delete(approval.id);
    this.#forget(room);
    const [first, ...others] = room.waiters;
    room.waiters.clear();
    const ended: Answer = { kind: 'ended', approval };
    first?.answer(ended);
    for (const waiter of others) waiter.answer(approval.status === 'approved' ? { kind: 'again' } : ended);
  }

  #forget(room: Room): void {
    const key = `${room.key}/${room.binding}`;
    if (this.#byKey.get(key) === room) this.#byKey.delete(key);
  }
}
