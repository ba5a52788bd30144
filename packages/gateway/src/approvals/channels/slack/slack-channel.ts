import { createHash, type KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SallyportError } from '@sallyport/protocol';
import type {
  SlackActionMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewResponseAction,
  ViewSubmitAction,
} from '@slack/bolt';
import type { Secret } from '../../../shared/secret.ts';
import type { Approval } from '../../approval/approval.ts';
import type { AnswerOutcome, Digest, Notice } from '../../approval/message.ts';
import {
  describeOutcome,
  digestText,
  fileName,
  firstCharacters,
  plainNotice,
  plainQuestion,
} from '../../render/index.ts';
import { type ButtonOwner, NOT_YOURS } from '../answer-button.ts';
import type { Channel, ChannelAnswer, ChannelCeiling, DeliveryRef, OnAnswer, Recipient } from '../channel.ts';
import {
  escapeMrkdwn,
  FORM_ID,
  PRESS_ID,
  type SlackMessage,
  slackEnd,
  slackForm,
  slackFormResult,
  slackNotice,
  slackQuestion,
} from './blocks.ts';
import { type Incoming, isMemberId, readPress, readSubmission } from './read-interaction.ts';
import { clientOptions, isGone, QUIET, SlackApi, type SlackLibrary, slackError } from './slack-api.ts';
import { stayConnected } from './socket.ts';

/** Slack waits three seconds for the answer to a modal. */
const FORM_MS = 2_000;
const SAID_LIMIT = 2_900;

export interface SlackOptions {
  /** `xapp-…`, opens the socket */
  readonly appToken: Secret;
  /** `xoxb-…`, sends and edits */
  readonly botToken: Secret;
  /** `https://slack.com/api/` */
  readonly apiUrl: string;
  readonly ceiling: ChannelCeiling;
  /** key of the tokens on buttons; kept across restarts, known to nobody else */
  readonly key: KeyObject;
  /** whether a member id belongs to a person in the config in force */
  readonly isListed: (identity: string) => boolean;
  readonly onProblem: (error: SallyportError) => void;
  /** there is a connection, maybe again */
  readonly onHealthy?: () => void;
  /** pause after a lost connection in ms */
  readonly pauseMs?: number;
}

/** Bolt is loaded with it. */
export async function createSlackChannel(options: SlackOptions): Promise<SlackChannel> {
  const { App, SocketModeReceiver, webApi } = await import('@slack/bolt');
  return new SlackChannel({ App, SocketModeReceiver, webApi }, options);
}

/** Questions as direct messages with buttons; answers by button, and by modal where a text is needed. */
export class SlackChannel implements Channel {
  readonly name = 'slack';
  readonly ceiling: ChannelCeiling;
  readonly hosts: readonly string[];
  readonly place: string;
  readonly #options: SlackOptions;
  readonly #library: SlackLibrary;
  readonly #api: SlackApi;
  readonly #stopped = new AbortController();
  /** member id → direct conversation */
  // process-local: a cache of what Slack answers, the same everywhere
  readonly #conversations = new Map<string, string>();
  #onAnswer: OnAnswer | undefined;
  #connection: Promise<void> | undefined;

  constructor(library: SlackLibrary, options: SlackOptions) {
    this.#library = library;
    this.#options = options;
    this.ceiling = options.ceiling;
    this.hosts = [...new Set(['slack.com', '*.slack.com', new URL(options.apiUrl).hostname])];
    const { botToken: token, apiUrl: url } = options;
    // Whose token it is, only Slack knows.
    this.place = `${url} ${createHash('sha256').update(token.reveal()).digest('hex')}`;
    this.#api = new SlackApi(library, { token, url, stopped: this.#stopped.signal });
  }

  /** Begins to take answers. A Slack that is down does not hold up the start: it is tried again and again. */
  async start(onAnswer: OnAnswer, signal: AbortSignal): Promise<void> {
    this.#onAnswer = onAnswer;
    const either = AbortSignal.any([signal, this.#stopped.signal]);
    const { App, SocketModeReceiver } = this.#library;
    const { apiUrl, appToken, botToken } = this.#options;
    const client = clientOptions(apiUrl, either);
    const receiver = new SocketModeReceiver({
      appToken: appToken.reveal(),
      logger: QUIET,
      autoReconnectEnabled: false,
      installerOptions: { clientOptions: client },
    });
    const app = new App({
      receiver,
      authorize: async () => ({ botToken: botToken.reveal() }),
      clientOptions: client,
      logger: QUIET,
      convoStore: false,
    });
    app.action(PRESS_ID, (press) => this.#take(() => this.#onPress(press)));
    app.view<ViewSubmitAction>(FORM_ID, (submission) => this.#take(() => this.#onSubmission(submission)));
    app.error(async (error) => this.#report('an interaction', error));
    // Said at the start, not at the first question: the bot token is wrong, or the app was removed.
    const check = (): Promise<unknown> => this.#api.call('auth.test', {}, either);
    check().catch((error: unknown) => this.#report('auth.test', error));
    this.#connection = stayConnected(receiver.client, {
      onProblem: (error) => this.#report('apps.connections.open', error),
      onConnected: () => {
        check().then(
          () => this.#options.onHealthy?.(),
          (error: unknown) => this.#report('auth.test', error),
        );
      },
      pauseMs: this.#options.pauseMs ?? 1_000,
      signal: either,
    });
  }

  async deliver(approval: Approval, recipient: Recipient, signal: AbortSignal): Promise<DeliveryRef> {
    const channel = await this.#conversation(recipient.identity, signal);
    const { cut, ...message } = slackQuestion(approval, this.#owner(recipient), this.ceiling);
    // The file first: a question with buttons never stands there without the rest of what it asks.
    if (cut) await this.#upload(channel, approval, signal);
    return this.#post(channel, message, recipient, signal);
  }

  async update({ recipient, ref }: DeliveryRef, approval: Approval, signal: AbortSignal): Promise<void> {
    const owner = this.#owner(recipient);
    if (approval.status !== 'pending')
      return this.#edit(ref, slackEnd(approval, owner, this.ceiling), signal);
    const { cut, ...message } = slackQuestion(approval, owner, this.ceiling);
    if (cut) await this.#upload(String(ref.channel), approval, signal);
    await this.#edit(ref, message, signal);
  }

  async digest(
    digest: Digest,
    recipient: Recipient,
    before: DeliveryRef | undefined,
    signal: AbortSignal,
  ): Promise<DeliveryRef> {
    const text = digestText(digest);
    if (before !== undefined) {
      await this.#edit(before.ref, { text, blocks: [] }, signal);
      return before;
    }
    const channel = await this.#conversation(recipient.identity, signal);
    return this.#post(channel, { text, blocks: [] }, recipient, signal);
  }

  async tell(notice: Notice, recipient: Recipient, signal: AbortSignal): Promise<void> {
    const channel = await this.#conversation(recipient.identity, signal);
    await this.#post(channel, slackNotice(shorten(plainNotice(notice))), recipient, signal);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#connection;
  }

  async #onPress({ ack, body, respond }: SlackActionMiddlewareArgs): Promise<void> {
    await ack();
    const incoming = readPress(body, this.#options);
    if (incoming.kind === 'open-form') return this.#openForm(incoming, respond);
    const text = incoming.kind === 'bad' ? NOT_YOURS : describeOutcome(await this.#hand(incoming.answer));
    await respond(privately(text));
  }

  async #openForm(
    { form, approvalId, trigger, data }: Extract<Incoming, { kind: 'open-form' }>,
    respond: SlackActionMiddlewareArgs['respond'],
  ): Promise<void> {
    try {
      const view = slackForm(form, approvalId, data);
      await this.#api.call('views.open', { trigger_id: trigger, view });
    } catch (error) {
      this.#report('views.open', error);
      await respond(privately('Nothing was decided: the form could not be opened. Press the button again.'));
    }
  }

  async #onSubmission({ ack, body }: SlackViewMiddlewareArgs<ViewSubmitAction>): Promise<void> {
    const incoming = readSubmission(body, this.#options);
    if (incoming.kind !== 'answer') return ack(formResult(NOT_YOURS));
    const { identity } = incoming.answer;
    const outcome = this.#hand(incoming.answer);
    const early = await Promise.race([outcome, sleep(FORM_MS, undefined, { ref: false })]);
    if (early !== undefined) return ack(formResult(describeOutcome(early)));
    await ack();
    const channel = await this.#conversation(identity, this.#stopped.signal);
    const text = escapeMrkdwn(shorten(describeOutcome(await outcome)));
    await this.#api.call('chat.postMessage', { channel, text });
  }

  /** Never rejects: one interaction that cannot be answered must not hold up the next. */
  async #take(work: () => Promise<void>): Promise<void> {
    // A connection may outlast the stop by a moment: what comes then is not answered.
    if (this.#stopped.signal.aborted) return;
    try {
      await work();
    } catch (error) {
      this.#report('an interaction', error);
    }
  }

  #hand(answer: ChannelAnswer): Promise<AnswerOutcome> {
    if (this.#onAnswer === undefined) throw new SallyportError('Unavailable', { message: 'not started' });
    return this.#onAnswer(answer);
  }

  #report(what: string, error: unknown): void {
    if (!this.#stopped.signal.aborted) this.#options.onProblem(slackError(what, error));
  }

  #owner({ identity }: Recipient): ButtonOwner {
    return { key: this.#options.key, channel: this.name, identity };
  }

  async #conversation(identity: string, signal: AbortSignal): Promise<string> {
    const known = this.#conversations.get(identity);
    if (known !== undefined) return known;
    if (!isMemberId(identity)) {
      throw new SallyportError('Unprocessable', {
        message: `\`${identity}\` is not the id of a Slack member`,
        hint: 'use the member id from the profile, which begins with U or W',
      });
    }
    const { channel } = await this.#api.call('conversations.open', { users: identity }, signal);
    const id = textField(channel, 'id');
    this.#conversations.set(identity, id);
    return id;
  }

  async #upload(channel: string, approval: Approval, signal: AbortSignal): Promise<void> {
    const text = plainQuestion(approval, { howToAnswer: 'Answer with a button of the message:' });
    await this.#api.upload(channel, fileName(approval.id), text, signal);
  }

  async #post(
    channel: string,
    message: SlackMessage,
    recipient: Recipient,
    signal: AbortSignal,
  ): Promise<DeliveryRef> {
    const sent = await this.#api.call('chat.postMessage', { channel, ...message, ...NO_MAGIC }, signal);
    return { channel: this.name, recipient, ref: { channel, ts: textField(sent, 'ts') } };
  }

  async #edit(ref: DeliveryRef['ref'], message: SlackMessage, signal: AbortSignal): Promise<void> {
    try {
      const { channel, ts } = ref;
      await this.#api.call('chat.update', { channel, ts, ...message, ...NO_MAGIC }, signal);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
}

/** Names stay names and addresses are not fetched. */
const NO_MAGIC = { parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false } as const;

/** For the one who pressed; the question stays where it is. */
function privately(text: string): Readonly<Record<string, unknown>> {
  return { response_type: 'ephemeral', replace_original: false, text: escapeMrkdwn(shorten(text)) };
}

function formResult(text: string): ViewResponseAction {
  return { response_action: 'update', view: slackFormResult(shorten(text)) };
}

function shorten(text: string): string {
  return text.length > SAID_LIMIT ? `${firstCharacters(text, SAID_LIMIT)}…` : text;
}

function textField(value: unknown, name: string): string {
  const field: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  if (typeof field === 'string') return field;
  throw new SallyportError('Unavailable', { message: `Slack answered without \`${name}\`` });
}
