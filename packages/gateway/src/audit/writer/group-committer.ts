import { SallyportError } from '@sallyport/protocol';
import type { Checkpoint } from '../chain/checkpoint.ts';
import type { PendingEvent } from '../chain/event-line.ts';
import type { ChainWriter, CommitResult } from './chain-writer.ts';

/** An event is committed alone with at most this many others, … */
const BATCH_EVENTS = 1_024;
/** … and this many characters. */
const BATCH_CHARS = 4 * 1_048_576;
/** How long a note may wait for company; half of what the trail promises, in `ms` */
const NOTE_DELAY_MS = 20;
/** A commit that follows another so soon waits a moment for company, unless it has some: a commit costs the disk. In `ms` */
const SOON_MS = 2;
const COMPANY = 24;
/** How long after a failure notes that wait are tried again, in `ms` */
const RETRY_MS = 500;

/** How much may wait. Beyond it notes are refused, and at four times as much appends too. */
export interface QueueLimits {
  readonly events: number;
  readonly chars: number;
}

export const DEFAULT_LIMITS: QueueLimits = { events: 16_384, chars: 32 * 1_048_576 };

export interface Committed {
  readonly event: PendingEvent;
  readonly seq: number;
}

/** An event whose last words may still come. */
export interface LateEvent {
  readonly isOpen: boolean;
  /** it may be numbered after events that came later and cannot wait */
  readonly mayYield: boolean;
  /** Called once: nothing is added any more. */
  close(): PendingEvent;
  /** Called once, when it is in the chain. */
  stored(): void;
}

/** What one is taken to be as long as nobody knows. */
const LATE_CHARS = 2_048;

interface Waiting {
  readonly event: PendingEvent | LateEvent;
  /** told when the event is in the chain */
  readonly late: LateEvent | undefined;
  readonly chars: number;
  /** moment of the call, in `ms` */
  readonly since: number;
  /** undefined for a note */
  readonly settle: { resolve(seq: number): void; reject(error: SallyportError): void } | undefined;
}

/** A member of a batch. */
interface Taken {
  readonly event: PendingEvent;
  readonly waiting: Waiting;
}

type Outcome =
  | { readonly ok: true; readonly value: CommitResult }
  | { readonly ok: false; readonly problem: string };

interface Sent {
  readonly batch: readonly Taken[];
  readonly outcome: Promise<Outcome>;
}

export interface CommitterOptions {
  readonly writer: ChainWriter;
  readonly limits: QueueLimits;
  /** Asked after each batch, before anybody hears that it is stored: why it cannot be promised all the same [TR-7]. */
  refusal?(): string | undefined;
  onCommitted(committed: readonly Committed[]): void;
  onCheckpoints(checkpoints: readonly Checkpoint[]): void;
  onHealth(problem: string | undefined): void;
}

/**
 * Collects events while a batch is being written, and writes them as the next one.
 *
 * When a batch fails, its appends are rejected, so that their callers refuse; its notes, whose callers have
 * gone on, stay at the head of the queue until they are stored, and new notes are refused meanwhile.
 */
export class GroupCommitter {
  readonly #options: CommitterOptions;
  #queue: Waiting[] = [];
  #chars = 0;
  /** how many of the queue somebody waits for */
  #appends = 0;
  #busy = false;
  /** moment of the last commit, in `ms` */
  #sentAt = 0;
  #sentEvents = 0;
  /** set after a failure: events that are sent again may have been stored already */
  #again = false;
  #problem: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #soon = false;
  #idle: (() => void)[] = [];
  #closed = false;

  constructor(options: CommitterOptions) {
    this.#options = options;
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** Resolves with the event's number once it is durable. */
  append(event: PendingEvent): Promise<number> {
    if (this.#closed || this.#isOver(4)) return Promise.reject(this.#unavailable());
    return new Promise((resolve, reject) => {
      this.#push(event, event.tail.length, { resolve, reject });
      this.#schedule(0);
    });
  }

  /** Takes the event; it will be durable within 50 ms. */
  note(event: PendingEvent): void {
    this.#take(event, event.tail.length);
  }

  /** Likewise; whatever is added to it before then is part of it. */
  hold(event: LateEvent): void {
    this.#take(event, LATE_CHARS);
  }

  /** Whether notes are being taken. */
  get isTaking(): boolean {
    return !this.#closed && this.#problem === undefined && !this.#isOver(1);
  }

  /** `hold`, for what is on disk by other means: it is never refused, and waits until it can be stored. */
  holdKept(event: LateEvent): void {
    this.#push(event, LATE_CHARS, undefined);
    this.#schedule(NOTE_DELAY_MS);
  }

  #take(event: PendingEvent | LateEvent, chars: number): void {
    // SECURITY: while nothing can be written, a note is an unrecorded action: the caller must hear of it.
    if (!this.isTaking) throw this.#unavailable();
    this.#push(event, chars, undefined);
    this.#schedule(this.#queue.length >= BATCH_EVENTS ? 0 : NOTE_DELAY_MS);
  }

  /** Resolves when nothing waits any more, or when what waits cannot be written. */
  async drain(): Promise<void> {
    while (this.#busy || (this.#queue.length > 0 && this.#problem === undefined)) {
      this.#schedule(0);
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.drain();
    // One last try for what a failure has left behind.
    if (this.#queue.length > 0) await this.#commitNext();
    clearTimeout(this.#timer);
  }

  #isOver(times: number): boolean {
    const { events, chars } = this.#options.limits;
    return this.#queue.length >= events * times || this.#chars >= chars * times;
  }

  #push(event: Waiting['event'], chars: number, settle: Waiting['settle']): void {
    const late = isLate(event) ? event : undefined;
    this.#queue.push({ event, late, chars, since: performance.now(), settle });
    this.#chars += chars;
    if (settle !== undefined) this.#appends += 1;
  }

  #schedule(delayMs: number): void {
    if (this.#busy || this.#soon) return;
    if (delayMs > 0) {
      this.#timer ??= setTimeout(() => this.#run(), delayMs);
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#soon = true;
    // Not at once: what the same turn of the event loop appends goes into the same batch.
    setImmediate(() => this.#gather());
  }

  #gather(): void {
    if (this.#mayGather()) this.#timer = setTimeout(() => this.#run(), 1);
    else this.#run();
  }

  /** Whether a commit may wait for company: the last one had some, and was a moment ago. A single caller waits for none. */
  #mayGather(): boolean {
    const isSoon = this.#sentEvents > 1 && performance.now() - this.#sentAt < SOON_MS;
    return isSoon && this.#queue.length < COMPANY && !this.#closed;
  }

  #run(): void {
    this.#soon = false;
    this.#timer = undefined;
    this.#commitNext().catch(() => {});
  }

  async #commitNext(): Promise<void> {
    if (this.#busy || this.#queue.length === 0) return this.#wakeIdle();
    this.#busy = true;
    let next = this.#send();
    while (next !== undefined) {
      const { batch, outcome }: Sent = next;
      const result: Outcome = await outcome;
      // The next batch goes off before the callers of this one run: the writer must not wait for them.
      next = result.ok && this.#isDue() && !this.#mayGather() ? this.#send() : undefined;
      if (result.ok) this.#succeed(batch, result.value);
      else this.#fail(batch, result.problem);
    }
    this.#busy = false;
    const [oldest] = this.#queue;
    if (oldest !== undefined) this.#schedule(this.#problem === undefined ? this.#dueIn(oldest) : RETRY_MS);
    this.#wakeIdle();
  }

  #dueIn(oldest: Waiting): number {
    return this.#appends > 0 ? 0 : Math.max(1, dueIn(oldest));
  }

  /** Notes alone wait for company: a commit costs the same for one event as for a hundred. */
  #isDue(): boolean {
    return this.#appends > 0 || this.#queue.length >= BATCH_EVENTS;
  }

  #send(): Sent | undefined {
    const batch = this.#takeBatch();
    if (batch.length === 0) return undefined;
    this.#sentAt = performance.now();
    this.#sentEvents = batch.length;
    const events = batch.map(({ event }) => event);
    const outcome = this.#options.writer.commit(events, this.#again).then(
      (value): Outcome => ({ ok: true, value }),
      (error: unknown): Outcome => ({
        ok: false,
        problem: error instanceof Error ? error.message : String(error),
      }),
    );
    return { batch, outcome };
  }

  #takeBatch(): readonly Taken[] {
    const batch: Taken[] = [];
    const left: Waiting[] = [];
    const queue = this.#queue;
    const isDue = this.#isDue();
    const mayYield = queue.length < BATCH_EVENTS && !this.#closed && this.#idle.length === 0;
    let chars = 0;
    let at = 0;
    for (; at < queue.length && batch.length < BATCH_EVENTS; at += 1) {
      const waiting = queue[at];
      if (waiting === undefined || (batch.length > 0 && chars + waiting.chars > BATCH_CHARS)) break;
      const { event } = waiting;
      // Its outcome may be a moment away. What is behind it waits too, or goes before it, but no longer than any note.
      if (mayYield && isLate(event) && event.isOpen && dueIn(waiting) > 1) {
        if (event.mayYield) {
          left.push(waiting);
          continue;
        }
        if (!isDue) break;
      }
      chars += waiting.chars;
      if (waiting.settle !== undefined) this.#appends -= 1;
      batch.push({ event: isLate(event) ? event.close() : event, waiting });
    }
    this.#chars -= chars;
    this.#queue = left.length === 0 ? queue.slice(at) : [...left, ...queue.slice(at)];
    return batch;
  }

  #succeed(batch: readonly Taken[], { seqs, checkpoints }: CommitResult): void {
    this.#again = false;
    const refusal = this.#options.refusal?.();
    this.#setProblem(refusal);
    const committed: Committed[] = [];
    for (const [index, { event, waiting }] of batch.entries()) {
      const seq = seqs[index] ?? 0;
      committed.push({ event, seq });
      if (refusal === undefined) waiting.settle?.resolve(seq);
      else waiting.settle?.reject(this.#unavailable());
      waiting.late?.stored();
    }
    this.#options.onCommitted(committed);
    if (checkpoints.length > 0) this.#options.onCheckpoints(checkpoints);
  }

  #fail(batch: readonly Taken[], problem: string): void {
    this.#again = true;
    this.#setProblem(problem);
    const kept: Waiting[] = [];
    // SECURITY: everything that waits is refused, not only this batch: a caller must not wait for a full disk.
    const taken = batch.map(({ event, waiting }): Waiting => ({ ...waiting, event }));
    for (const waiting of [...taken, ...this.#queue]) {
      if (waiting.settle === undefined) kept.push(waiting);
      else waiting.settle.reject(this.#unavailable());
    }
    this.#queue = kept;
    this.#appends = 0;
    this.#chars = kept.reduce((sum, { chars }) => sum + chars, 0);
  }

  #setProblem(problem: string | undefined): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#options.onHealth(problem);
  }

  #wakeIdle(): void {
    for (const wake of this.#idle.splice(0)) wake();
  }

  #unavailable(): SallyportError {
    if (this.#closed) return new SallyportError('AuditUnavailable', { message: 'the trail is closed' });
    return new SallyportError('AuditUnavailable', {
      ...(this.#problem === undefined ? {} : { cause: new Error(this.#problem) }),
    });
  }
}

function isLate(event: PendingEvent | LateEvent): event is LateEvent {
  return 'isOpen' in event;
}

/** How much longer a note may wait, in `ms` */
function dueIn({ since }: Waiting): number {
  return NOTE_DELAY_MS - (performance.now() - since);
}
