import type { Action } from '@sallyport/protocol';
import type { AuditTrail, Redactor } from '../../audit/index.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Notice, NoticeItem } from '../approval/message.ts';
import type { Channel, Recipient } from '../channels/channel.ts';
import { type Delay, failureText, withRetries } from '../channels/retry.ts';
import type { Review } from '../review/review.ts';
import type { Deciders } from './deciders.ts';

/** The next message to the same person comes after this time at the earliest, in ms */
const PAUSE_MS = 60_000;
const ITEMS_AT_MOST = 10;

export interface NoticeSenderParts {
  /** those that are open now */
  readonly channels: () => readonly Channel[];
  readonly deciders: Deciders;
  readonly trail: AuditTrail;
  readonly clock: Clock;
  readonly delay: Delay;
  readonly redactor: Pick<Redactor, 'redactText'>;
  readonly onError: (error: unknown) => void;
}

/** What one person on one channel has not been told yet. */
interface Box {
  items: NoticeItem[];
  more: number;
}

/**
 * Tells people what passed without them: the first at once, what follows within a minute in one message, so that a
 * busy agent floods nobody. The trail has each of them, whether it was told or not.
 */
export class NoticeSender {
  readonly #parts: NoticeSenderParts;
  // process-local: notices that this process is about to send
  readonly #boxes = new Map<string, Box>();
  // process-local: work under way in this process
  readonly #running = new Set<Promise<void>>();
  // process-local: work under way in this process
  readonly #sending = new Set<Promise<void>>();
  readonly #hurry = new AbortController();
  readonly #stopping = new AbortController();

  constructor(parts: NoticeSenderParts) {
    this.#parts = parts;
  }

  /** To everyone who could have decided it. */
  tell({ id, actor, type }: Pick<Action, 'id' | 'actor' | 'type'>, title: string, review: Review): void {
    const { channels, deciders, clock } = this.#parts;
    const { tenant, agent } = actor;
    const item = { actionId: id, title, ...(agent === undefined ? {} : { agent }), review };
    const now = clock.now();
    for (const channel of channels()) {
      if (channel.tell === undefined) continue;
      for (const recipient of deciders.recipients({ tenant, type, createdAt: now }, channel.name, now))
        this.#put(channel.name, tenant, recipient, item);
    }
  }

  /** No more pauses: what is left is told now. */
  hurry(): void {
    this.#hurry.abort();
  }

  stop(): void {
    this.#hurry.abort();
    this.#stopping.abort();
  }

  /** Waits for the messages that are on their way. */
  async sent(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }

  /** Waits until everything is told. */
  async drained(): Promise<void> {
    await Promise.all(this.#running);
  }

  #put(channel: string, tenant: string, recipient: Recipient, item: NoticeItem): void {
    const key = `${channel}\0${tenant}\0${recipient.user}`;
    const known = this.#boxes.get(key);
    const box = known ?? { items: [], more: 0 };
    if (box.items.length < ITEMS_AT_MOST) box.items.push(item);
    else box.more += 1;
    if (known !== undefined) return;
    this.#boxes.set(key, box);
    const run = this.#run(channel, tenant, recipient, box, () => this.#boxes.delete(key));
    this.#running.add(run);
    void run.finally(() => this.#running.delete(run));
  }

  async #run(
    channel: string,
    tenant: string,
    recipient: Recipient,
    box: Box,
    onEmpty: () => void,
  ): Promise<void> {
    while (box.items.length > 0) {
      const notice: Notice = { tenant, items: box.items, more: box.more };
      box.items = [];
      box.more = 0;
      const sending = this.#send(channel, recipient, notice);
      this.#sending.add(sending);
      await sending;
      this.#sending.delete(sending);
      await this.#parts.delay(PAUSE_MS, this.#hurry.signal).catch(() => {});
    }
    // INVARIANT: in the same step as the look above, so that nothing is put into a box that nobody empties.
    onEmpty();
  }

  async #send(name: string, recipient: Recipient, notice: Notice): Promise<void> {
    const { delay, trail, redactor, onError } = this.#parts;
    const channel = this.#parts.channels().find((candidate) => candidate.name === name);
    // It was closed meanwhile: nothing is told there any more.
    if (channel === undefined) return;
    const { signal } = this.#stopping;
    let error: string | undefined;
    try {
      await withRetries(async (each) => channel.tell?.(notice, recipient, each), {
        delay,
        signal,
        isWanted: () => true,
      });
    } catch (cause) {
      error = failureText(cause, redactor);
      onError(cause);
    }
    const actions = notice.items.map(({ actionId }) => actionId);
    const { user } = recipient;
    await trail
      .append({
        tenant: notice.tenant,
        type: 'ReviewEvent::Told',
        actor: { kind: 'gateway' },
        data: {
          ...{ channel: name, user, actions, more: notice.more },
          delivered: error === undefined,
          ...(error === undefined ? {} : { error }),
        },
      })
      .catch(onError);
  }
}
