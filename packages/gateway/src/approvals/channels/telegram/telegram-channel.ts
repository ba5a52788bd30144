import { createHash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { SallyportError } from '@sallyport/protocol';
import { type Api, InputFile } from 'grammy';
import type { InlineKeyboardButton, Update } from 'grammy/types';
import type { Secret } from '../../../shared/secret.ts';
import type { Approval } from '../../approval/approval.ts';
import type { Digest, Notice } from '../../approval/message.ts';
import {
  describeOutcome,
  digestText,
  fileName,
  firstCharacters,
  plainNotice,
  plainQuestion,
  TELEGRAM_LIMIT,
  telegramEnd,
  telegramQuestion,
} from '../../render/index.ts';
import { buttonData, NOT_YOURS, pressButtons } from '../answer-button.ts';
import type { Channel, ChannelCeiling, DeliveryRef, OnAnswer, Recipient } from '../channel.ts';
import { ALLOWED_UPDATES, forLibrary, pollUpdates } from './poller.ts';
import { type Incoming, readUpdate } from './read-update.ts';
import { createTelegramApi, isGone, telegramError } from './telegram-api.ts';

const ALERT_LIMIT = 200;
const NO_PREVIEW = { is_disabled: true } as const;

export interface TelegramOptions {
  readonly token: Secret;
  /** `https://api.telegram.org`, or a Bot API server of one's own */
  readonly apiUrl: string;
  readonly ceiling: ChannelCeiling;
  /** key of the tokens on buttons; kept across restarts, known to nobody else */
  readonly key: KeyObject;
  /** whether a Telegram id belongs to a person in the config in force */
  readonly isListed: (identity: string) => boolean;
  /** take updates by webhook instead of polling */
  readonly webhook?: { readonly url: string; readonly secret: Secret };
  readonly onProblem: (error: SallyportError) => void;
  /** Telegram answers, maybe again */
  readonly onHealthy?: () => void;
  /** pause after a failed poll in ms */
  readonly pauseMs?: number;
}

/** Questions as Telegram messages with buttons; answers by button or by reply, in private chats of listed people. */
export class TelegramChannel implements Channel {
  readonly name = 'telegram';
  readonly ceiling: ChannelCeiling;
  readonly hosts: readonly string[];
  readonly place: string;
  readonly #options: TelegramOptions;
  readonly #api: Api;
  readonly #stopped = new AbortController();
  #onAnswer: OnAnswer | undefined;
  #polling: Promise<void> | undefined;
  #botId: number | undefined;

  constructor(options: TelegramOptions) {
    this.#options = options;
    this.ceiling = options.ceiling;
    this.hosts = [...new Set(['api.telegram.org', new URL(options.apiUrl).hostname])];
    // A bot keeps its number when its token is replaced.
    this.place = `${options.apiUrl} ${options.token.reveal().split(':', 1)[0]}`;
    this.#api = createTelegramApi(options.token, options.apiUrl);
  }

  /** Begins to take answers. A Telegram that is down does not hold up the start: it is tried again and again. */
  async start(onAnswer: OnAnswer, signal: AbortSignal): Promise<void> {
    this.#onAnswer = onAnswer;
    const either = AbortSignal.any([signal, this.#stopped.signal]);
    const { webhook } = this.#options;
    if (webhook === undefined) {
      this.#polling = pollUpdates(this.#api, {
        handle: (update) => this.#handle(update),
        onProblem: (error) => this.#options.onProblem(telegramError(error)),
        onAnswered: () => this.#options.onHealthy?.(),
        pauseMs: this.#options.pauseMs ?? 1_000,
        signal: either,
      });
      return;
    }
    const other = { secret_token: webhook.secret.reveal(), allowed_updates: ALLOWED_UPDATES };
    await this.#api.setWebhook(webhook.url, other, forLibrary(either)).catch((error: unknown) => {
      throw telegramError(error);
    });
  }

  /**
   * Takes one update that was posted to the webhook, with the `X-Telegram-Bot-Api-Secret-Token` of the request.
   * False, and nothing happens, when that is not our secret.
   */
  async receive(secretToken: string | undefined, update: Update): Promise<boolean> {
    const secret = this.#options.webhook?.secret.reveal();
    if (secret === undefined || secretToken === undefined || !isSame(secretToken, secret)) return false;
    await this.#handle(update);
    return true;
  }

  async deliver(approval: Approval, recipient: Recipient, signal: AbortSignal): Promise<DeliveryRef> {
    const chat = chatOf(recipient);
    const { html, cut } = telegramQuestion(approval);
    try {
      // The file first: a question with buttons never stands there without the rest of what it asks.
      const file = cut ? await this.#sendFile(chat, approval, signal) : undefined;
      const sent = await this.#api.sendMessage(
        chat,
        html,
        {
          parse_mode: 'HTML',
          link_preview_options: NO_PREVIEW,
          reply_markup: { inline_keyboard: this.#keyboard(approval, recipient) },
          ...(file === undefined ? {} : { reply_parameters: { message_id: file } }),
        },
        forLibrary(signal),
      );
      return { channel: this.name, recipient, ref: { chat, message: sent.message_id } };
    } catch (error) {
      throw telegramError(error);
    }
  }

  async update({ recipient, ref }: DeliveryRef, approval: Approval, signal: AbortSignal): Promise<void> {
    const html = approval.status === 'pending' ? telegramQuestion(approval).html : telegramEnd(approval);
    await this.#edit(ref, html, { inline_keyboard: this.#keyboard(approval, recipient) }, signal);
  }

  async digest(
    digest: Digest,
    recipient: Recipient,
    before: DeliveryRef | undefined,
    signal: AbortSignal,
  ): Promise<DeliveryRef> {
    const html = digestText(digest, (command) => `<code>${command}</code>`);
    if (before !== undefined) {
      await this.#edit(before.ref, html, { inline_keyboard: [] }, signal);
      return before;
    }
    const chat = chatOf(recipient);
    try {
      const sent = await this.#api.sendMessage(chat, html, { parse_mode: 'HTML' }, forLibrary(signal));
      return { channel: this.name, recipient, ref: { chat, message: sent.message_id } };
    } catch (error) {
      throw telegramError(error);
    }
  }

  async tell(notice: Notice, recipient: Recipient, signal: AbortSignal): Promise<void> {
    const text = plainNotice(notice);
    const short = text.length > TELEGRAM_LIMIT ? `${firstCharacters(text, TELEGRAM_LIMIT - 1)}…` : text;
    const other = { link_preview_options: NO_PREVIEW };
    try {
      await this.#api.sendMessage(chatOf(recipient), short, other, forLibrary(signal));
    } catch (error) {
      throw telegramError(error);
    }
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#polling;
  }

  #keyboard(approval: Approval, recipient: Recipient): ReturnType<typeof keyboard> {
    return keyboard(approval, recipient.identity, this.#options);
  }

  async #sendFile(chat: number, approval: Approval, signal: AbortSignal): Promise<number> {
    const text = plainQuestion(approval, { howToAnswer: 'Answer in the chat, with a button or a reply:' });
    const file = new InputFile(Buffer.from(text), fileName(approval.id));
    const sent = await this.#api.sendDocument(
      chat,
      file,
      { caption: `Id: ${approval.id}` },
      forLibrary(signal),
    );
    return sent.message_id;
  }

  async #edit(
    ref: DeliveryRef['ref'],
    html: string,
    reply_markup: { inline_keyboard: ReturnType<typeof keyboard> },
    signal: AbortSignal,
  ): Promise<void> {
    const other = { parse_mode: 'HTML', link_preview_options: NO_PREVIEW, reply_markup } as const;
    try {
      await this.#api.editMessageText(
        Number(ref['chat']),
        Number(ref['message']),
        html,
        other,
        forLibrary(signal),
      );
    } catch (error) {
      if (!isGone(error)) throw telegramError(error);
    }
  }

  /** Never rejects: one update that cannot be answered must not hold up the next. */
  async #handle(update: Update): Promise<void> {
    try {
      this.#botId ??= (await this.#api.getMe(forLibrary(this.#stopped.signal))).id;
      const { key, isListed } = this.#options;
      await this.#respond(readUpdate(update, { key, isListed, botId: this.#botId }));
      this.#options.onHealthy?.();
    } catch (error) {
      this.#options.onProblem(telegramError(error));
    }
  }

  async #respond(incoming: Incoming): Promise<void> {
    switch (incoming.kind) {
      case 'press': {
        const outcome = await this.#hand(incoming.answer);
        return this.#alert(incoming.queryId, describeOutcome(outcome), outcome.kind !== 'decided');
      }
      case 'bad-press':
        return this.#alert(incoming.queryId, NOT_YOURS, true);
      case 'reply':
        return this.#say(incoming.chat, describeOutcome(await this.#hand(incoming.answer)), incoming.message);
      case 'stray':
        return this.#say(
          incoming.chat,
          'Nothing was decided. Press a button, or reply in text to the message of the question.',
          incoming.message,
        );
      case 'hello':
        return this.#say(incoming.chat, `Your Telegram id is ${incoming.chat}. The operator can list it.`);
      case 'nothing':
        return;
    }
  }

  #hand(answer: Parameters<OnAnswer>[0]): ReturnType<OnAnswer> {
    if (this.#onAnswer === undefined) throw new SallyportError('Unavailable', { message: 'not started' });
    return this.#onAnswer(answer);
  }

  async #alert(query: string, text: string, isAlert: boolean): Promise<void> {
    const short = text.length > ALERT_LIMIT ? `${firstCharacters(text, ALERT_LIMIT - 1)}…` : text;
    await this.#api.answerCallbackQuery(query, { text: short, show_alert: isAlert });
  }

  async #say(chat: number, text: string, replyTo?: number): Promise<void> {
    const reply =
      replyTo === undefined
        ? {}
        : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } };
    const short = text.length > TELEGRAM_LIMIT ? `${firstCharacters(text, TELEGRAM_LIMIT - 1)}…` : text;
    await this.#api.sendMessage(chat, short, { ...reply, link_preview_options: NO_PREVIEW });
  }
}

/** Compares digests, so that every wrong secret costs the same time, whatever its length. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function chatOf({ identity }: Recipient): number {
  // A group has a negative id: whoever is in it could press.
  if (/^[1-9]\d{0,15}$/.test(identity)) return Number(identity);
  throw new SallyportError('Unprocessable', {
    message: `\`${identity}\` is not the id of a Telegram user`,
    hint: 'use the number that the bot tells after /start',
  });
}

/** Buttons for what may be answered here and now; none once nothing may. */
export function keyboard(
  approval: Approval,
  identity: string,
  options: { readonly key: KeyObject; readonly ceiling: ChannelCeiling },
): InlineKeyboardButton[][] {
  const owner = { key: options.key, channel: 'telegram', identity };
  return pressButtons(approval, options.ceiling).map((row) =>
    row.map(({ press, text }) => ({ text, callback_data: buttonData(owner, approval.id, press) })),
  );
}
