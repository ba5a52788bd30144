import { createHmac, type KeyObject } from 'node:crypto';
import { SallyportError } from '@sallyport/protocol';
import type { Clock } from '../../../shared/clock.ts';
import type { Secret } from '../../../shared/secret.ts';
import type { Approval, Decision } from '../../approval/approval.ts';
import type { AnswerOutcome, Notice } from '../../approval/message.ts';
import {
  describeEnd,
  describeOutcome,
  isReplyToken,
  OFFERED_MINUTES,
  plainNotice,
  plainQuestion,
  replyToken,
  viewQuestion,
} from '../../render/index.ts';
import type { Channel, ChannelAnswer, ChannelCeiling, DeliveryRef, OnAnswer, Recipient } from '../channel.ts';
import { type DecisionPage, messagePage, questionPage } from './decision-page.ts';

const TIMEOUT_MS = 15_000;
export const DECISION_PATH = '/v1/decide';

export interface WebhookOptions {
  readonly url: string;
  readonly secret: Secret;
  readonly ceiling: ChannelCeiling;
  /** key of the tokens in decision links; kept across restarts */
  readonly key: KeyObject;
  /** where the operator side is reached by whoever gets the link, without a slash at the end */
  readonly baseUrl: string;
  readonly isListed: (identity: string) => boolean;
  readonly find: (approvalId: string) => Promise<Approval | undefined>;
  readonly clock: Clock;
}

/** One request for a decision link. The key in it is the credential: there is no other. */
export interface DecisionRequest {
  readonly method: 'GET' | 'POST';
  readonly approvalId: string;
  /** from the query */
  readonly who: string;
  readonly key: string;
  /** fields of the form, or of a JSON body; ignored for GET */
  readonly fields: Readonly<Record<string, string | undefined>>;
}

/** Questions as signed posts to a URL; answers by a POST to the link in them. */
export class WebhookChannel implements Channel {
  readonly name = 'webhook';
  readonly ceiling: ChannelCeiling;
  readonly hosts: readonly string[];
  readonly #options: WebhookOptions;
  readonly #stopped = new AbortController();
  #onAnswer: OnAnswer | undefined;

  constructor(options: WebhookOptions) {
    this.#options = options;
    this.ceiling = options.ceiling;
    this.hosts = [new URL(options.url).hostname];
  }

  /** The links of another address would lead nowhere. */
  get place(): string {
    return `${this.#options.url} ${this.#options.baseUrl}`;
  }

  async start(onAnswer: OnAnswer): Promise<void> {
    this.#onAnswer = onAnswer;
  }

  async deliver(approval: Approval, recipient: Recipient, signal: AbortSignal): Promise<DeliveryRef> {
    await this.#post(
      {
        type: 'approval.requested',
        ...describe(approval, recipient),
        text: plainQuestion(approval, { howToAnswer: 'Answer at the link, with one of:' }),
        decision_url: this.#link(approval.id, recipient.identity),
      },
      signal,
    );
    return { channel: this.name, recipient, ref: { approval: approval.id } };
  }

  async update({ recipient }: DeliveryRef, approval: Approval, signal: AbortSignal): Promise<void> {
    const isOpen = approval.status === 'pending';
    await this.#post(
      {
        type: isOpen ? 'approval.reopened' : 'approval.ended',
        ...describe(approval, recipient),
        text: describeEnd(approval),
        ...(isOpen ? { decision_url: this.#link(approval.id, recipient.identity) } : {}),
      },
      signal,
    );
  }

  async tell(notice: Notice, recipient: Recipient, signal: AbortSignal): Promise<void> {
    const actions = notice.items.map(({ actionId, title, agent, review }) => ({
      action_id: actionId,
      title,
      agent: agent ?? null,
      review,
    }));
    const content = { tenant: notice.tenant, recipient: recipient.identity, actions, more: notice.more };
    await this.#post({ type: 'review.approved', ...content, text: plainNotice(notice) }, signal);
  }

  /**
   * The page behind a decision link.
   *
   * SECURITY: GET only shows. Mail scanners, chat previews and browsers open every link they see [AP-5].
   */
  async decide(request: DecisionRequest): Promise<DecisionPage> {
    const { approvalId, who, key, method } = request;
    const subject = { channel: this.name, approvalId, identity: who };
    if (!isReplyToken(key, this.#options.key, subject) || !this.#options.isListed(who)) {
      return messagePage(403, 'Nothing was decided: this link is not valid.');
    }
    const approval = await this.#options.find(approvalId);
    if (approval === undefined) return messagePage(404, 'Nothing was decided: there is no such question.');
    if (method === 'GET') return questionPage(approval, this.#path(approvalId, who));
    if (this.#onAnswer === undefined) return messagePage(503, 'Nothing was decided: try again in a moment.');
    const answer = readFields(request.fields);
    const outcome = await this.#onAnswer({ approvalId, identity: who, answer });
    return messagePage(statusOf(outcome), describeOutcome(outcome));
  }

  async stop(): Promise<void> {
    this.#onAnswer = undefined;
    this.#stopped.abort();
  }

  #path(approvalId: string, identity: string): string {
    const key = replyToken(this.#options.key, { channel: this.name, approvalId, identity });
    return `${DECISION_PATH}/${approvalId}?${new URLSearchParams({ who: identity, key })}`;
  }

  #link(approvalId: string, identity: string): string {
    return `${this.#options.baseUrl}${this.#path(approvalId, identity)}`;
  }

  async #post(content: unknown, signal: AbortSignal): Promise<void> {
    const { url, secret, clock } = this.#options;
    const body = JSON.stringify(content);
    const limits = [signal, this.#stopped.signal, AbortSignal.timeout(TIMEOUT_MS)];
    let status: number;
    let pause: number;
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...signatureHeaders(secret, body, clock.now()) },
        // SECURITY: the body holds a link that decides; it goes where the operator said and nowhere else.
        redirect: 'manual',
        signal: AbortSignal.any(limits),
      });
      status = response.status;
      pause = Number(response.headers.get('retry-after') || Number.NaN);
      await response.body?.cancel();
    } catch {
      throw new SallyportError('Unavailable', { message: 'the webhook cannot be reached' });
    }
    if (status === 429 && Number.isFinite(pause)) {
      throw new SallyportError('TooManyRequests', {
        message: `the webhook wants a pause of ${pause} s`,
        details: { retry_after_seconds: pause },
      });
    }
    if (status < 200 || status > 299) {
      throw new SallyportError('Unavailable', { message: `the webhook answered ${status}` });
    }
  }
}

/** What a program wants to know; texts are shown as people see them. */
function describe(approval: Approval, recipient: Recipient): Readonly<Record<string, unknown>> {
  const view = viewQuestion(approval);
  const facts = [...view.facts, ...view.covers].map(({ label, value }) => [label, value]);
  return {
    approval_id: approval.id,
    status: approval.status,
    recipient: recipient.identity,
    title: view.title,
    preview: view.preview,
    risk: approval.risk,
    action_type: approval.type,
    self_declared: approval.selfDeclared,
    facts: Object.fromEntries(facts),
    expires_at: approval.expiresAt === undefined ? null : Math.floor(approval.expiresAt / 1_000),
  };
}

/** `1m` is the button for a timed allow; an empty text field is no text. */
function readFields({ code = '', text, minutes }: DecisionRequest['fields']): ChannelAnswer['answer'] {
  const timed = code === '1m' ? OFFERED_MINUTES : minutes === undefined ? undefined : Number(minutes);
  if (timed !== undefined && (code === '1' || code === '1m')) {
    const decision: Decision = { code: '1', minutes: timed };
    return { kind: 'decision', decision };
  }
  // One token, so that a code cannot bring a payload of its own.
  const token = /^[1-6]$/.test(code) ? code : '?';
  return { kind: 'text', text: text === undefined || text === '' ? token : `${token} ${text}` };
}

function statusOf({ kind }: AnswerOutcome): number {
  switch (kind) {
    case 'decided':
    case 'counted':
    case 'kept':
      return 200;
    case 'too-late':
      return 409;
    case 'invalid':
      return 422;
    case 'refused':
      return 403;
  }
}

/**
 * Headers that prove a post is ours: `v1=` and the hex HMAC-SHA-256 of the timestamp, a dot and the body.
 *
 * The timestamp (Unix seconds) is signed, too: a receiver refuses old ones, so that a copy is worth nothing.
 */
export function signatureHeaders(
  secret: Secret,
  body: string,
  nowMs: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const digest = createHmac('sha256', secret.reveal()).update(`${timestamp}.${body}`).digest('hex');
  return { 'x-sallyport-timestamp': timestamp, 'x-sallyport-signature': `v1=${digest}` };
}
