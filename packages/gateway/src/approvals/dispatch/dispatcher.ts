import type { JsonObject } from '@sallyport/protocol';
import type { AuditTrail, Redactor } from '../../audit/index.ts';
import type { Clock } from '../../shared/clock.ts';
import type { ApprovalMessagesRepository, ApprovalsRepository } from '../../store/index.ts';
import type { Approval } from '../approval/approval.ts';
import { notifiedEvent } from '../approval/approval-events.ts';
import { toApproval } from '../approval/approval-row.ts';
import { shownAs } from '../approval/question-key.ts';
import type { Channel, Recipient } from '../channels/channel.ts';
import { type Delay, failureText, withRetries } from '../channels/retry.ts';
import { asClosed, ClosingNotes } from './closing-notes.ts';
import type { Deciders } from './deciders.ts';
import { JobQueue } from './job-queue.ts';
import { messageRow, placeOf, toRef } from './message-rows.ts';
import { RecipientQueue } from './recipient-queue.ts';

/** Messages under way on one channel at once */
const JOBS_AT_ONCE = 8;
const RECIPIENTS_AT_MOST = 50;
const STALE_AT_ONCE = 1_000;
const CLOSING_MS = 1_000;

export interface DispatcherParts {
  /** those that are open now, in the order in which they are tried */
  readonly channels: () => readonly Channel[];
  readonly deciders: Deciders;
  readonly approvals: ApprovalsRepository;
  readonly messages: ApprovalMessagesRepository;
  readonly trail: AuditTrail;
  readonly clock: Clock;
  readonly delay: Delay;
  readonly redactor: Pick<Redactor, 'redactText'>;
  readonly onError: (error: unknown) => void;
  /** how each try to bring a question went; `error` undefined when it went well */
  readonly onDelivery?: ((channel: Channel, error: unknown) => void) | undefined;
}

/**
 * Brings questions to people and keeps what they see true.
 *
 * Memory holds ids, never previews: a question is read again when its turn comes. What a channel accepted is in
 * the database, so that a restart can still edit it.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  // process-local: messages that this process is sending
  readonly #jobs = new Map<string, JobQueue>();
  // process-local: which of the messages that this process sends a person sees one by one
  readonly #queues = new Map<string, RecipientQueue>();
  /** open approvals → the queues that have them, by key */
  // process-local: an index of the field before it
  readonly #open = new Map<string, Set<string>>();
  readonly #closing = new ClosingNotes();
  readonly #stopping = new AbortController();

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** Asks everyone who may decide and has not been asked yet. */
  async notify(approval: Approval): Promise<void> {
    const queues = this.#open.get(approval.id) ?? new Set();
    this.#open.set(approval.id, queues);
    const only = approval.to;
    for (const channel of this.#parts.channels()) {
      if (only !== undefined && only.channel !== channel.name) continue;
      for (const recipient of await this.#recipients(approval, channel)) {
        if (only === undefined || only.target === recipient.identity) this.#ask(approval, channel, recipient);
      }
    }
  }

  /** It is open again, or still after a restart: the messages that are there say so, and the rest is asked. */
  async reopen(approval: Approval): Promise<void> {
    const queues = new Set<string>();
    this.#open.set(approval.id, queues);
    for (const message of await this.#parts.messages.of(approval.id)) {
      const { channel, user_name: user, identity } = message;
      const current = this.#channel(channel);
      // Sent by another account before a restart: nobody can answer or edit it.
      if (current === undefined || placeOf(message) !== current.place) continue;
      const key = queueKey(approval.tenant, channel, { user, identity });
      const queue = this.#queue(key, approval.tenant, { user, identity });
      if (!queue.has(approval.id)) queue.show(approval.id);
      queues.add(key);
    }
    this.#refresh(approval.id);
    await this.notify(approval);
  }

  /** It ended: every message says so, and whoever waits behind it moves up. */
  ended({ id }: Pick<Approval, 'id'>): void {
    this.#refresh(id);
    const queues = this.#open.get(id) ?? new Set();
    this.#open.delete(id);
    for (const key of queues) this.#free(key, id);
  }

  /**
   * Channels were closed, others are open: what stands in messages that nobody can answer any more is asked again, and
   * whoever has not been asked yet is. `gone` are those that were closed.
   */
  async channelsChanged(gone: readonly Channel[]): Promise<void> {
    for (const before of gone.filter((channel) => this.#isMoved(channel))) {
      for (const key of [...this.#queues.keys()]) {
        if (channelOf(key) !== before.name) continue;
        this.#queues.delete(key);
        for (const queues of this.#open.values()) queues.delete(key);
      }
      await this.#parts.messages.forget(before.name, [...this.#open.keys()]);
    }
    for (const channel of this.#parts.channels()) this.#sayLate(channel);
    await this.askAgain();
  }

  /** Whoever may decide an open question and has not been asked is asked now. */
  async askAgain(): Promise<void> {
    for (const id of [...this.#open.keys()]) {
      const { approvals, clock } = this.#parts;
      const row = await approvals.find(id);
      if (row?.status !== 'pending' || !this.#open.has(id)) continue;
      const approval = toApproval(row, clock.now());
      if (approval.status === 'pending') await this.notify(approval);
    }
  }

  /** A channel is about to be closed for good: its messages say that nobody hears an answer to them. */
  async sayClosed(channel: Channel, signal: AbortSignal): Promise<void> {
    const jobs = new JobQueue(JOBS_AT_ONCE);
    for (const id of [...this.#open.keys()]) {
      for (const message of await this.#parts.messages.of(id)) {
        if (message.channel !== channel.name) continue;
        const row = signal.aborted ? undefined : await this.#parts.approvals.find(id);
        if (signal.aborted) this.#closing.owe(channel.place, toRef(message), id);
        if (signal.aborted || row?.status !== 'pending') continue;
        const approval = toApproval(row, this.#parts.clock.now());
        jobs.push(() => this.#closing.say(channel, toRef(message), approval, signal));
      }
    }
    await jobs.drained();
  }

  /** What could not be told when this place was closed is told now that it is open again. */
  #sayLate({ name, place }: Channel): void {
    for (const { ref, approvalId } of this.#closing.take(place)) {
      this.#jobsOf(name).push(async () => {
        const { approvals, clock, onError } = this.#parts;
        try {
          const row = await approvals.find(approvalId);
          const channel = this.#channel(name);
          if (row === undefined) return;
          if (channel?.place !== place) return this.#closing.owe(place, ref, approvalId);
          const closed = asClosed(toApproval(row, clock.now()));
          const told = await this.#try(
            () => this.#channel(name) === channel,
            (signal) => channel.update(ref, closed, signal),
          );
          if (told.kind === 'failed') this.#closing.owe(place, ref, approvalId);
        } catch (error) {
          onError(error);
        }
      });
    }
  }

  #isMoved({ name, place }: Channel): boolean {
    return this.#channel(name)?.place !== place;
  }

  #channel(name: string): Channel | undefined {
    return this.#parts.channels().find((channel) => channel.name === name);
  }

  /** Edits what a stop or a crash left behind. */
  async mendStale(): Promise<void> {
    for (const id of await this.#parts.messages.stale(STALE_AT_ONCE)) this.#refresh(id);
  }

  /** Waits until everything is delivered and edited. */
  async drained(): Promise<void> {
    await Promise.all([...this.#jobs.values()].map((jobs) => jobs.drained()));
  }

  stop(): void {
    for (const jobs of this.#jobs.values()) jobs.clear();
    this.#stopping.abort();
  }

  async #recipients(approval: Approval, channel: Channel): Promise<readonly Recipient[]> {
    const { deciders, clock } = this.#parts;
    // SECURITY: nothing is asked where the asker could answer [AP-3].
    if (await deciders.isVoid(channel, approval.actor)) return [];
    return deciders.recipients(approval, channel.name, clock.now()).slice(0, RECIPIENTS_AT_MOST);
  }

  #ask({ id, tenant }: Pick<Approval, 'id' | 'tenant'>, channel: Channel, recipient: Recipient): void {
    const queues = this.#open.get(id);
    // It may have ended while its recipients were looked up.
    if (queues === undefined) return;
    const key = queueKey(tenant, channel.name, recipient);
    const queue = this.#queue(key, tenant, recipient);
    if (queue.has(id)) return;
    queues.add(key);
    if (queue.add(id) === 'deliver') this.#deliver(id, channel.name, queue, key);
    else this.#digest(channel, queue);
  }

  #deliver(id: string, name: string, queue: RecipientQueue, key: string): void {
    this.#jobsOf(name).push(async () => {
      const { approvals, messages, clock, redactor, onError } = this.#parts;
      const { recipient } = queue;
      try {
        const row = await approvals.find(id);
        if (row === undefined || !this.#open.has(id)) return;
        const approval = toApproval(row, clock.now());
        // An answer that is on its way into the trail is shown as pending, and nobody need be asked.
        if (row.status !== 'pending' || approval.status !== 'pending') return;
        const channel = this.#channel(name);
        // Between two channels of one name nothing can be sent: whoever opens the next one asks again.
        if (channel === undefined) return queue.drop(id);
        if (this.#queues.get(key) !== queue) return;
        const sent = await this.#try(
          () => this.#open.has(id) && this.#channel(name) === channel,
          (signal) => this.#told(channel, channel.deliver(approval, recipient, signal)),
        );
        // Also when the same place is open again: it has asked anew by then.
        if (this.#isMoved(channel) || (this.#open.has(id) && this.#queues.get(key) !== queue)) {
          // It was closed meanwhile, before it knew of this message.
          const tooLate = AbortSignal.timeout(CLOSING_MS);
          if (sent.kind === 'done') await this.#closing.say(channel, sent.value, approval, tooLate);
          for (const open of this.#parts.channels()) this.#sayLate(open);
          return queue.drop(id);
        }
        if (sent.kind === 'failed' && this.#channel(name) !== channel)
          return this.#deliver(id, name, queue, key);
        if (sent.kind === 'failed') {
          this.#record(approval, name, recipient, {
            delivered: false,
            error: failureText(sent.cause, redactor),
          });
          this.#free(key, id);
          await this.#elsewhere(approval, channel, recipient);
          return;
        }
        await messages.insert(messageRow(approval, sent.value, channel.place, clock.now()));
        this.#record(approval, name, recipient, { delivered: true, attempts: sent.attempts });
        if (!this.#open.has(id)) this.#refresh(id);
      } catch (error) {
        onError(error);
      }
    });
  }

  /** Whoever keeps the channel hears of each try: a token that was replaced may be all that is wrong. */
  async #told<T>(channel: Channel, delivering: Promise<T>): Promise<T> {
    try {
      const sent = await delivering;
      this.#parts.onDelivery?.(channel, undefined);
      return sent;
    } catch (error) {
      this.#parts.onDelivery?.(channel, error);
      throw error;
    }
  }

  /** A named channel failed: the same person is asked on the others that they have. */
  async #elsewhere(approval: Approval, failed: Channel, { user }: Recipient): Promise<void> {
    if (approval.to === undefined || this.#stopping.signal.aborted) return;
    for (const channel of this.#parts.channels()) {
      if (channel === failed) continue;
      const recipients = await this.#recipients(approval, channel);
      for (const recipient of recipients)
        if (recipient.user === user) this.#ask(approval, channel, recipient);
    }
  }

  /** Makes every message about it say what is true now. */
  #refresh(id: string): void {
    for (const { name } of this.#parts.channels()) {
      this.#jobsOf(name).push(async () => {
        const { approvals, messages, clock, onError } = this.#parts;
        try {
          const row = await approvals.find(id);
          if (row === undefined) return;
          const approval = toApproval(row, clock.now());
          for (const message of await messages.of(id)) {
            if (message.channel !== name || message.shown === shownAs(approval)) continue;
            const channel = this.#channel(name);
            if (channel === undefined) return;
            const ref = toRef(message);
            const edited = await this.#try(
              () => this.#channel(name) !== undefined,
              (signal) => (this.#channel(name) ?? channel).update(ref, approval, signal),
            );
            if (edited.kind === 'done') await messages.show(message.id, shownAs(approval));
            else onError(edited.cause);
          }
        } catch (error) {
          onError(error);
        }
      });
    }
  }

  #free(key: string, id: string): void {
    const queue = this.#queues.get(key);
    const channel = this.#channel(channelOf(key));
    if (queue === undefined || channel === undefined) return;
    const next = queue.remove(id);
    if (next !== undefined) this.#deliver(next, channel.name, queue, key);
    this.#digest(channel, queue);
    if (queue.shown === 0 && queue.held === 0 && queue.digestRef === undefined) this.#queues.delete(key);
  }

  /** One message for all that are held; edited as their number changes, taken back when there are none. */
  #digest({ name, digest }: Channel, queue: RecipientQueue): void {
    if (digest === undefined || queue.digestQueued || queue.held === queue.digestHeld) return;
    queue.digestQueued = true;
    this.#jobsOf(name).push(async () => {
      queue.digestQueued = false;
      const { tenant, shown, held, recipient, digestRef } = queue;
      const channel = this.#channel(name);
      const send = channel?.digest?.bind(channel);
      if (send === undefined || held === queue.digestHeld) return;
      queue.digestHeld = held;
      const sent = await this.#try(
        () => true,
        (signal) => send({ tenant, shown, held }, recipient, digestRef, signal),
      );
      if (sent.kind === 'done') queue.digestRef = held === 0 ? undefined : sent.value;
      else this.#parts.onError(sent.cause);
    });
  }

  async #try<T>(isWanted: () => boolean, attempt: (signal: AbortSignal) => Promise<T>): Promise<Tried<T>> {
    const { delay } = this.#parts;
    try {
      const done = await withRetries(attempt, { delay, signal: this.#stopping.signal, isWanted });
      return { kind: 'done', ...done };
    } catch (cause) {
      return { kind: 'failed', cause };
    }
  }

  #record(approval: Approval, channel: string, { user }: Recipient, data: JsonObject): void {
    const event = notifiedEvent(approval, { channel, user, ...data });
    this.#parts.trail.append(event).catch(this.#parts.onError);
  }

  #jobsOf(channel: string): JobQueue {
    const known = this.#jobs.get(channel);
    if (known !== undefined) return known;
    const jobs = new JobQueue(JOBS_AT_ONCE);
    this.#jobs.set(channel, jobs);
    return jobs;
  }

  #queue(key: string, tenant: string, recipient: Recipient): RecipientQueue {
    const known = this.#queues.get(key);
    if (known !== undefined) return known;
    const queue = new RecipientQueue(tenant, recipient);
    this.#queues.set(key, queue);
    return queue;
  }
}

type Tried<T> =
  | { readonly kind: 'done'; readonly value: T; readonly attempts: number }
  | { readonly kind: 'failed'; readonly cause: unknown };

// Names have no NUL, and the identity stands last: two different ones never give one key.
function queueKey(tenant: string, channel: string, { user, identity }: Recipient): string {
  return `${channel}\0${tenant}\0${user}\0${identity}`;
}

function channelOf(key: string): string {
  return key.slice(0, key.indexOf('\0'));
}
