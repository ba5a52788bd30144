import type { Approval, Decision } from '../approval/approval.ts';
import type { AnswerOutcome, Digest, Notice } from '../approval/message.ts';

/** The most that an answer on this channel may grant. */
export type ChannelCeiling = 'once' | 'session' | 'always';

/** A person as one channel knows them: who is asked, and whose answers count. */
export interface Recipient {
  /** name under `users` */
  readonly user: string;
  /** the identity on this channel: a chat id, an address */
  readonly identity: string;
}

/** Where a delivered message is, so that it can be edited later. Opaque to everyone but the channel. */
export interface DeliveryRef {
  readonly channel: string;
  readonly recipient: Recipient;
  /** JSON-safe: it is kept in the database, so that a restart can still edit the message */
  readonly ref: Readonly<Record<string, string | number>>;
}

/**
 * An authentic answer: the channel has proved that `identity` sent it, for this approval.
 * `answer` is the raw menu text (`1`, `4 add logs`), or a decision that a button or form already is.
 */
export interface ChannelAnswer {
  readonly approvalId: string;
  readonly identity: string;
  readonly answer:
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'decision'; readonly decision: Decision };
}

/** What a channel hands answers to. Never throws: whatever is wrong comes back as an outcome. */
export type OnAnswer = (answer: ChannelAnswer) => Promise<AnswerOutcome>;

/**
 * A way to ask people. Contract, checked by `channel.contract.ts` for every implementation:
 * 1. `start` begins to take answers; only then is `deliver` called. `stop` ends everything and may be called twice.
 * 2. `deliver` resolves once the service accepted the message, rejects when it did not (the caller retries with
 *    backoff, then uses the next channel). It shows the complete preview: a long one is attached, never cut silently.
 * 3. What an agent wrote is escaped for the channel's markup: it can forge neither the menu nor a button.
 * 4. `update` edits the message when the approval ended, whoever ended it; it never throws for a message that is gone.
 *    It is also called when the approval is `pending` again: the caller came back, and the message takes answers as
 *    before. A cancelled one with `cancelReason: 'caller-left'` may offer `{code: '1', again: true}`.
 * 5. An answer is handed over only if the channel proved who sent it; everything else decides nothing.
 */
export interface Channel {
  /** `telegram`, `email`, `webhook`, … : the key under `users.*.identities` and `channels` */
  readonly name: string;
  readonly ceiling: ChannelCeiling;
  /**
   * Where its messages are, for a comparison: a channel of the same name and place edits and hears what this one sent.
   * Another account, another address is another place.
   */
  readonly place: string;
  /** hosts that carry this channel: void for a session that holds a credential on one of them */
  readonly hosts: readonly string[];
  start(onAnswer: OnAnswer, signal: AbortSignal): Promise<void>;
  deliver(approval: Approval, recipient: Recipient, signal: AbortSignal): Promise<DeliveryRef>;
  update(ref: DeliveryRef, approval: Approval, signal: AbortSignal): Promise<void>;
  /**
   * Says in one message that more questions wait than are shown; `before` is the message to edit, if there is one.
   * `held: 0` takes it back. A channel without it shows the held ones as others end.
   */
  digest?(
    digest: Digest,
    recipient: Recipient,
    before: DeliveryRef | undefined,
    signal: AbortSignal,
  ): Promise<DeliveryRef>;
  /** Says what passed without the person. It asks nothing; rejects as `deliver` does. A channel without it is not told. */
  tell?(notice: Notice, recipient: Recipient, signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}
