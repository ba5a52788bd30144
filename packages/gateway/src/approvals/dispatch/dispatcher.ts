import type { JsonObject } from '@sallyport/protocol';
import type { AuditTrail, Redactor } from '../../audit/index.ts';
import type { Clock } from '../../shared/clock.ts';
import type { ApprovalMessagesRepository, ApprovalsRepository } from '../../store/index.ts';
import type { Approval } from '../approval.ts';
import { notifiedEvent } from '../approval-events.ts';
import { toApproval } from '../approval-row.ts';
import type { Channel, Recipient } from '../channels/channel.ts';
import type { Deciders } from '../deciders.ts';
import { shownAs } from '../question-key.ts';
import { failureText } from './failure-text.ts';
import { asClosed, Goodbyes } from './goodbyes.ts';
import { Lane } from './lane.ts';
import { messageRow, placeOf, toRef } from './message-rows.ts';
import { Pigeonhole } from './pigeonhole.ts';
import { type Delay, withRetries } from './retry.ts';

/** Messages under way on one channel at once */
const LANE_WIDTH = 8;
const RECIPIENTS_AT_MOST = 50;
const STALE_AT_ONCE = 1_000;
const LAST_WORD_MS = 1_000;

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
  readonly #lanes = new Map<string, Lane>();
  // process-local: which of the messages that this process sends a person sees one by one
  readonly #holes = new Map<string, Pigeonhole>();
  /** open approvals → the holes that have them, by key */
  // process-local: an index of the field before it
  readonly #open = new Map<string, Set<string>>();
  readonly #goodbyes = new Goodbyes();
  readonly #stopping = new AbortController();

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** Asks everyone who may decide and has not been asked yet. */
  async notify(approval: Approval): Promise<void> {
    const holes = this.#open.get(approval.id) ?? new Set();
    this.#open.set(approval.id, holes);
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
    const holes = new Set<string>();
    this.#open.set(approval.id, holes);
    for (const message of await this.#parts.messages.of(approval.id)) {
      const { channel, user_name: user, identity } = message;
      const current = this.#channel(channel);
      // Sent by another account before a restart: nobody can answer or edit it.
      if (current === undefined || placeOf(message) !== current.place) continue;
      const key = holeKey(approval.tenant, channel, { user, identity });
      const hole = this.#hole(key, approval.tenant, { user, identity });
      if (!hole.has(approval.id)) hole.show(approval.id);
      holes.add(key);
    }
    this.#refresh(approval.id);
    await this.notify(approval);
  }

  /** It ended: every message says so, and whoever waits behind it moves up. */
  ended({ id }: Pick<Approval, 'id'>): void {
    this.#refresh(id);
    const holes = this.#open.get(id) ?? new Set();
    this.#open.delete(id);
    for (const key of holes) this.#free(key, id);
  }

  /**
   * Channels were closed, others are open: what stands in messages that nobody can answer any more is asked again, and
   * whoever has not been asked yet is. `gone` are those that were closed.
   */
  async channelsChanged(gone: readonly Channel[]): Promise<void> {
    for (const before of gone.filter((channel) => this.#isMoved(channel))) {
      for (const key of [...this.#holes.keys()]) {
        if (channelOf(key) !== before.name) continue;
        this.#holes.delete(key);
        for (const holes of this.#open.values()) holes.delete(key);
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
  async sayGoodbye(channel: Channel, signal: AbortSignal): Promise<void> {
    const lane = new Lane(LANE_WIDTH);
    for (const id of [...this.#open.keys()]) {
      for (const message of await this.#parts.messages.of(id)) {
        if (message.channel !== channel.name) continue;
        const row = signal.aborted ? undefined : await this.#parts.approvals.find(id);
        if (signal.aborted) this.#goodbyes.owe(channel.place, toRef(message), id);
        if (signal.aborted || row?.status !== 'pending') continue;
        const approval = toApproval(row, this.#parts.clock.now());
        lane.push(() => this.#goodbyes.say(channel, toRef(message), approval, signal));
      }
    }
    await lane.drained();
  }

  /** What could not be told when this place was closed is told now that it is open again. */
  #sayLate({ name, place }: Channel): void {
    for (const { ref, approvalId } of this.#goodbyes.take(place)) {
      this.#lane(name).push(async () => {
        const { approvals, clock, onError } = this.#parts;
        try {
          const row = await approvals.find(approvalId);
          const channel = this.#channel(name);
          if (row === undefined) return;
          if (channel?.place !== place) return this.#goodbyes.owe(place, ref, approvalId);
          const closed = asClosed(toApproval(row, clock.now()));
          const told = await this.#try(
            () => this.#channel(name) === channel,
            (signal) => channel.update(ref, closed, signal),
          );
          if (told.kind === 'failed') this.#goodbyes.owe(place, ref, approvalId);
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
    await Promise.all([...this.#lanes.values()].map((lane) => lane.drained()));
  }

  stop(): void {
    for (const lane of this.#lanes.values()) lane.clear();
    this.#stopping.abort();
  }

  async #recipients(approval: Approval, channel: Channel): Promise<readonly Recipient[]> {
    const { deciders, clock } = this.#parts;
    // SECURITY: nothing is asked where the asker could answer [AP-3].
    if (await deciders.isVoid(channel, approval.actor)) return [];
    return deciders.recipients(approval, channel.name, clock.now()).slice(0, RECIPIENTS_AT_MOST);
  }

  #ask({ id, tenant }: Pick<Approval, 'id' | 'tenant'>, channel: Channel, recipient: Recipient): void {
    const holes = this.#open.get(id);
    // It may have ended while its recipients were looked up.
    if (holes === undefined) return;
    const key = holeKey(tenant, channel.name, recipient);
    const hole = this.#hole(key, tenant, recipient);
    if (hole.has(id)) return;
    holes.add(key);
    if (hole.add(id) === 'deliver') this.#deliver(id, channel.name, hole, key);
    else this.#digest(channel, hole);
  }

  #deliver(id: string, name: string, hole: Pigeonhole, key: string): void {
    this.#lane(name).push(async () => {
      const { approvals, messages, clock, redactor, onError } = this.#parts;
      const { recipient } = hole;
      try {
        const row = await approvals.find(id);
        if (row === undefined || !this.#open.has(id)) return;
        const approval = toApproval(row, clock.now());
        // An answer that is on its way into the trail is shown as pending, and nobody need be asked.
        if (row.status !== 'pending' || approval.status !== 'pending') return;
        const channel = this.#channel(name);
        // Between two channels of one name nothing can be sent: whoever opens the next one asks again.
        if (channel === undefined) return hole.drop(id);
        if (this.#holes.get(key) !== hole) return;
        const sent = await this.#try(
          () => this.#open.has(id) && this.#channel(name) === channel,
          (signal) => this.#told(channel, channel.deliver(approval, recipient, signal)),
        );
        // Also when the same place is open again: it has asked anew by then.
        if (this.#isMoved(channel) || (this.#open.has(id) && this.#holes.get(key) !== hole)) {
          // It was closed meanwhile, and did not know of this message when it said goodbye.
          const tooLate = AbortSignal.timeout(LAST_WORD_MS);
          if (sent.kind === 'done') await this.#goodbyes.say(channel, sent.value, approval, tooLate);
          for (const open of this.#parts.channels()) this.#sayLate(open);
          return hole.drop(id);
        }
        if (sent.kind === 'failed' && this.#channel(name) !== channel)
          return this.#deliver(id, name, hole, key);
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
      this.#lane(name).push(async () => {
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
    const hole = this.#holes.get(key);
    const channel = this.#channel(channelOf(key));
    if (hole === undefined || channel === undefined) return;
    const next = hole.remove(id);
    if (next !== undefined) this.#deliver(next, channel.name, hole, key);
    this.#digest(channel, hole);
    if (hole.shown === 0 && hole.held === 0 && hole.digestRef === undefined) this.#holes.delete(key);
  }

  /** One message for all that are held; edited as their number changes, taken back when there are none. */
  #digest({ name, digest }: Channel, hole: Pigeonhole): void {
    if (digest === undefined || hole.digestQueued || hole.held === hole.digestHeld) return;
    hole.digestQueued = true;
    this.#lane(name).push(async () => {
      hole.digestQueued = false;
      const { tenant, shown, held, recipient, digestRef } = hole;
      const channel = this.#channel(name);
      const send = channel?.digest?.bind(channel);
      if (send === undefined || held === hole.digestHeld) return;
      hole.digestHeld = held;
      const sent = await this.#try(
        () => true,
        (signal) => send({ tenant, shown, held }, recipient, digestRef, signal),
      );
      if (sent.kind === 'done') hole.digestRef = held === 0 ? undefined : sent.value;
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

  #lane(channel: string): Lane {
    const known = this.#lanes.get(channel);
    if (known !== undefined) return known;
    const lane = new Lane(LANE_WIDTH);
    this.#lanes.set(channel, lane);
    return lane;
  }

  #hole(key: string, tenant: string, recipient: Recipient): Pigeonhole {
    const known = this.#holes.get(key);
    if (known !== undefined) return known;
    const hole = new Pigeonhole(tenant, recipient);
    this.#holes.set(key, hole);
    return hole;
  }
}

type Tried<T> =
  | { readonly kind: 'done'; readonly value: T; readonly attempts: number }
  | { readonly kind: 'failed'; readonly cause: unknown };

// Names have no NUL, and the identity stands last: two different ones never give one key.
function holeKey(tenant: string, channel: string, { user, identity }: Recipient): string {
  return `${channel}\0${tenant}\0${user}\0${identity}`;
}

function channelOf(key: string): string {
  return key.slice(0, key.indexOf('\0'));
}
