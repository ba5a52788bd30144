import type { KeyObject } from 'node:crypto';
import { SallyportError } from '@sallyport/protocol';
import type { Client } from 'discord.js';
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
import { stayConnected } from './connection.ts';
import {
  DiscordApi,
  type DiscordLibrary,
  discordError,
  isGone,
  type RestRequest,
  restOptions,
} from './discord-api.ts';
import {
  CONTENT_LIMIT,
  code,
  type DiscordMessage,
  discordEnd,
  discordForm,
  discordNotice,
  discordQuestion,
} from './message.ts';
import { isUserId, type PressOrForm, readInteraction } from './read-interaction.ts';

/** for the one who pressed, and nobody else */
const EPHEMERAL = 64;

export interface DiscordOptions {
  readonly token: Secret;
  /** `https://discord.com/api` */
  readonly apiUrl: string;
  /** where everyone is asked; absent: each person in a direct message */
  readonly channel?: string;
  readonly ceiling: ChannelCeiling;
  /** key of the tokens on buttons; kept across restarts, known to nobody else */
  readonly key: KeyObject;
  /** whether a user id belongs to a person in the config in force */
  readonly isListed: (identity: string) => boolean;
  readonly onProblem: (error: SallyportError) => void;
  /** there is a connection, maybe again */
  readonly onHealthy?: () => void;
  /** pause after a failed login in ms */
  readonly pauseMs?: number;
}

/** discord.js is loaded with it. */
export async function createDiscordChannel(options: DiscordOptions): Promise<DiscordChannel> {
  return new DiscordChannel(await import('discord.js'), options);
}

/** Questions as messages with buttons; answers by button, and by modal where a text is needed. */
export class DiscordChannel implements Channel {
  readonly name = 'discord';
  readonly ceiling: ChannelCeiling;
  readonly hosts: readonly string[];
  readonly place: string;
  readonly #options: DiscordOptions;
  readonly #library: DiscordLibrary;
  readonly #api: DiscordApi;
  readonly #stopped = new AbortController();
  /** user id → direct channel */
  // process-local: a cache of what Discord answers, the same everywhere
  readonly #directs = new Map<string, string>();
  #onAnswer: OnAnswer | undefined;
  #connection: Promise<void> | undefined;

  constructor(library: DiscordLibrary, options: DiscordOptions) {
    this.#library = library;
    this.#options = options;
    this.ceiling = options.ceiling;
    const own = ['discord.com', 'discordapp.com', 'discord.gg'].flatMap((host) => [host, `*.${host}`]);
    this.hosts = [...new Set([...own, new URL(options.apiUrl).hostname])];
    // A token begins with the number of its bot.
    this.place = `${options.apiUrl} ${options.token.reveal().split('.', 1)[0]} ${options.channel ?? ''}`;
    this.#api = new DiscordApi(library, { token: options.token, url: options.apiUrl });
  }

  /** Begins to take answers. A Discord that is down does not hold up the start: it is tried again and again. */
  async start(onAnswer: OnAnswer, signal: AbortSignal): Promise<void> {
    this.#onAnswer = onAnswer;
    this.#connection = stayConnected({
      create: () => this.#client(),
      token: this.#options.token,
      onProblem: (error) => this.#report(error),
      onConnected: () => this.#options.onHealthy?.(),
      pauseMs: this.#options.pauseMs ?? 1_000,
      signal: AbortSignal.any([signal, this.#stopped.signal]),
    });
  }

  async deliver(approval: Approval, recipient: Recipient, signal: AbortSignal): Promise<DeliveryRef> {
    const channel = await this.#place(recipient, signal);
    return this.#post(channel, recipient, this.#question(approval, recipient, signal));
  }

  async update({ recipient, ref }: DeliveryRef, approval: Approval, signal: AbortSignal): Promise<void> {
    const request =
      approval.status === 'pending'
        ? this.#question(approval, recipient, signal)
        : { body: discordEnd(approval, this.#owner(recipient), this.ceiling), signal };
    await this.#edit(ref, request);
  }

  async digest(
    digest: Digest,
    recipient: Recipient,
    before: DeliveryRef | undefined,
    signal: AbortSignal,
  ): Promise<DeliveryRef> {
    const content = digestText(digest);
    const request = { body: { content, allowed_mentions: { parse: [] } }, signal };
    if (before !== undefined) {
      await this.#edit(before.ref, request);
      return before;
    }
    return this.#post(await this.#place(recipient, signal), recipient, request);
  }

  async tell(notice: Notice, recipient: Recipient, signal: AbortSignal): Promise<void> {
    const request = { body: discordNotice(plainNotice(notice)), signal };
    await this.#post(await this.#place(recipient, signal), recipient, request);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#api.stop();
    await this.#connection;
  }

  #client(): Client {
    // Interactions come without any intent: the bot reads nobody's messages.
    const client = new this.#library.Client({ intents: [], rest: restOptions(this.#options.apiUrl) });
    client.on('interactionCreate', (interaction) => {
      if (interaction.isButton() || interaction.isModalSubmit()) void this.#take(interaction);
    });
    return client;
  }

  /** Never rejects: one interaction that cannot be answered must not hold up the next. */
  async #take(interaction: PressOrForm): Promise<void> {
    // A connection may outlast the stop by a moment: what comes then is not answered.
    if (this.#stopped.signal.aborted) return;
    try {
      const { key, isListed, channel } = this.#options;
      const incoming = readInteraction(interaction, { key, isListed, channel });
      if (incoming.kind === 'open-form' && interaction.isButton()) {
        await interaction.showModal(discordForm(incoming.form, incoming.data));
        return;
      }
      // First of all: Discord waits three seconds, and a decision may take longer.
      await interaction.deferReply({ flags: EPHEMERAL });
      const text =
        incoming.kind === 'answer' ? describeOutcome(await this.#hand(incoming.answer)) : NOT_YOURS;
      await interaction.editReply({ content: said(text), allowedMentions: { parse: [] } });
    } catch (error) {
      this.#report(error);
    }
  }

  #hand(answer: ChannelAnswer): Promise<AnswerOutcome> {
    if (this.#onAnswer === undefined) throw new SallyportError('Unavailable', { message: 'not started' });
    return this.#onAnswer(answer);
  }

  #report(error: unknown): void {
    if (!this.#stopped.signal.aborted) this.#options.onProblem(discordError(error));
  }

  #owner({ identity }: Recipient): ButtonOwner {
    return { key: this.#options.key, channel: this.name, identity };
  }

  async #place({ identity }: Recipient, signal: AbortSignal): Promise<string> {
    if (!isUserId(identity)) {
      throw new SallyportError('Unprocessable', {
        message: `\`${identity}\` is not the id of a Discord user`,
        hint: 'turn on developer mode in Discord, then "Copy User ID" in the menu of the person',
      });
    }
    const known = this.#options.channel ?? this.#directs.get(identity);
    if (known !== undefined) return known;
    const request = { body: { recipient_id: identity }, signal: this.#limit(signal) };
    const id = await this.#api.post('/users/@me/channels', request);
    this.#directs.set(identity, id);
    return id;
  }

  #question(approval: Approval, recipient: Recipient, signal: AbortSignal): RestRequest {
    const mention = this.#options.channel !== undefined;
    const owner = this.#owner(recipient);
    const { message, cut } = discordQuestion(approval, owner, { ceiling: this.ceiling, mention });
    if (!cut) return { body: message, signal };
    const text = plainQuestion(approval, { howToAnswer: 'Answer with a button of the message:' });
    const name = fileName(approval.id);
    const file = { name, data: Buffer.from(text), contentType: 'text/plain; charset=utf-8' };
    // Named here, the file takes the place of an older one when the message is edited.
    const body: DiscordMessage = { ...message, attachments: [{ id: 0, filename: name }] };
    return { body, files: [file], signal };
  }

  async #post(channel: string, recipient: Recipient, request: RestRequest): Promise<DeliveryRef> {
    const signal = this.#limit(request.signal);
    const message = await this.#api.post(`/channels/${channel}/messages`, { ...request, signal });
    return { channel: this.name, recipient, ref: { channel, message } };
  }

  async #edit(ref: DeliveryRef['ref'], request: RestRequest): Promise<void> {
    const signal = this.#limit(request.signal);
    try {
      await this.#api.patch(`/channels/${String(ref.channel)}/messages/${String(ref.message)}`, {
        ...request,
        signal,
      });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  #limit(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#stopped.signal]);
  }
}

/** Words about an answer may quote a note: they are shown as they are, line by line. */
function said(text: string): string {
  const short = text.length > CONTENT_LIMIT / 2 ? `${firstCharacters(text, CONTENT_LIMIT / 2)}…` : text;
  return firstCharacters(short.split('\n').map(code).join('\n'), CONTENT_LIMIT);
}
