import type {
  AnswerOutcome,
  Approval,
  Channel,
  ChannelAnswer,
  ChannelCeiling,
  Decision,
  DeliveryRef,
  Digest,
  OnAnswer,
  Recipient,
} from '../../src/approvals/index.ts';

/** One message as the person sees it now. */
export interface FakeMessage {
  readonly approvalId: string;
  readonly recipient: Recipient;
  readonly preview: string;
  status: Approval['status'];
  edits: number;
}

/** A channel in memory: what was delivered can be looked at, and people answer when a test says so. */
export class FakeChannel implements Channel {
  readonly name: string;
  readonly ceiling: ChannelCeiling;
  readonly hosts: readonly string[];
  readonly place: string;
  readonly messages = new Map<string, FakeMessage>();
  readonly digests: Digest[] = [];
  /** how many deliveries fail before one is accepted */
  failing = 0;
  attempts = 0;
  #onAnswer: OnAnswer | undefined;

  constructor(
    name: string,
    options: {
      readonly ceiling?: ChannelCeiling;
      readonly hosts?: readonly string[];
      readonly place?: string;
    } = {},
  ) {
    this.name = name;
    this.ceiling = options.ceiling ?? 'always';
    this.hosts = options.hosts ?? [];
    this.place = options.place ?? '';
  }

  async start(onAnswer: OnAnswer): Promise<void> {
    this.#onAnswer = onAnswer;
  }

  async deliver(approval: Approval, recipient: Recipient): Promise<DeliveryRef> {
    if (this.#onAnswer === undefined) throw new Error('not started');
    this.attempts += 1;
    if (this.failing > 0) {
      this.failing -= 1;
      throw new Error('the service is down');
    }
    const key = `${approval.id}/${recipient.identity}`;
    const { id: approvalId, preview, status } = approval;
    this.messages.set(key, { approvalId, recipient, preview, status, edits: 0 });
    return { channel: this.name, recipient, ref: { key } };
  }

  async update({ ref }: DeliveryRef, approval: Approval): Promise<void> {
    const message = this.messages.get(String(ref.key));
    if (message === undefined) return;
    message.status = approval.status;
    message.edits += 1;
  }

  async digest(digest: Digest, recipient: Recipient): Promise<DeliveryRef> {
    this.digests.push(digest);
    return { channel: this.name, recipient, ref: { key: `digest/${recipient.identity}` } };
  }

  async stop(): Promise<void> {
    this.#onAnswer = undefined;
  }

  /** A reply by text, as somebody whom the channel knows as `identity`. */
  reply(approvalId: string, identity: string, text: string): Promise<AnswerOutcome> {
    return this.#answer({ approvalId, identity, answer: { kind: 'text', text } });
  }

  press(approvalId: string, identity: string, decision: Decision): Promise<AnswerOutcome> {
    return this.#answer({ approvalId, identity, answer: { kind: 'decision', decision } });
  }

  #answer(answer: ChannelAnswer): Promise<AnswerOutcome> {
    if (this.#onAnswer === undefined) return Promise.reject(new Error('not started'));
    return this.#onAnswer(answer);
  }
}
