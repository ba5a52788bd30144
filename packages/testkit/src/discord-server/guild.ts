import { arrayOf, checkMessage, DiscordError, isObject, type Json, type UploadedFile } from './limits.ts';

/** A message as its channel shows it now. */
export interface DiscordMessage {
  readonly channel: string;
  readonly id: string;
  readonly content: string;
  /** what Markdown makes markup of: all that stands outside of code */
  readonly markup: string;
  readonly buttons: readonly { readonly label: string; readonly customId: string }[];
  /** whose attention it calls */
  readonly rings: readonly string[];
  readonly files: readonly UploadedFile[];
  readonly edits: number;
}

/** Users, direct channels and one server's channels; and what the bot said in them. */
export class Guild {
  readonly #users = new Map<string, { readonly isBot: boolean; blocks: boolean }>();
  /** channel → the user of a direct one; undefined for a channel of a server */
  readonly #channels = new Map<string, string | undefined>();
  readonly #messages = new Map<string, DiscordMessage>();
  #next = 1;

  join(id: string, options: { readonly isBot?: boolean } = {}): void {
    this.#users.set(id, { isBot: options.isBot ?? false, blocks: false });
  }

  block(id: string): void {
    const user = this.#users.get(id);
    if (user !== undefined) user.blocks = true;
  }

  addChannel(id: string): void {
    this.#channels.set(id, undefined);
  }

  userOf(channel: string): string | undefined {
    return this.#channels.get(channel);
  }

  openDirect(user: unknown): Json {
    if (typeof user !== 'string' || !this.#users.has(user))
      throw new DiscordError(400, 50_033, 'Invalid Recipient(s)');
    const id = `9${user.slice(1)}`;
    this.#channels.set(id, user);
    return { id, type: 1, recipients: [{ id: user }] };
  }

  describe(channel: string): Json {
    this.#reach(channel);
    return { id: channel, type: this.userOf(channel) === undefined ? 0 : 1 };
  }

  post(channel: string, body: Json, files: readonly UploadedFile[]): Json {
    this.#reach(channel);
    checkMessage(body, files, true);
    const id = `8000000000000${String(this.#next++).padStart(5, '0')}`;
    this.#messages.set(`${channel}/${id}`, { channel, id, edits: 0, ...read(body), files });
    return { id, channel_id: channel, content: body.content };
  }

  edit(channel: string, id: string, body: Json, files: readonly UploadedFile[]): Json {
    this.#reach(channel);
    const before = this.find(channel, id);
    if (before === undefined) throw new DiscordError(404, 10_008, 'Unknown Message');
    checkMessage(body, files, false);
    const kept = body.attachments === undefined ? before.files : files;
    this.#messages.set(`${channel}/${id}`, {
      ...before,
      ...read(body),
      files: kept,
      edits: before.edits + 1,
    });
    return { id, channel_id: channel };
  }

  find(channel: string, id: string): DiscordMessage | undefined {
    return this.#messages.get(`${channel}/${id}`);
  }

  list(channel: string): readonly DiscordMessage[] {
    return [...this.#messages.values()].filter((message) => message.channel === channel);
  }

  delete(channel: string, id: string): void {
    this.#messages.delete(`${channel}/${id}`);
  }

  #reach(channel: string): void {
    if (!this.#channels.has(channel)) throw new DiscordError(404, 10_003, 'Unknown Channel');
    const user = this.#users.get(this.#channels.get(channel) ?? '');
    if (user?.isBot === true || user?.blocks === true)
      throw new DiscordError(403, 50_007, 'Cannot send messages to this user');
  }
}

/** As Discord's own reader finds them: a block first, then a run of backticks up to the same run again. */
const CODE = /```(?:[a-z0-9_+\-.#]+?\n)?\n*[^\n][\s\S]*?\n*```|(`+)[\s\S]*?[^`]\1(?!`)/gi;

function read(body: Json): Pick<DiscordMessage, 'content' | 'markup' | 'buttons' | 'rings'> {
  const content = String(body.content ?? '');
  const markup = content.replace(CODE, '▒');
  const allowed = isObject(body.allowed_mentions) ? body.allowed_mentions : { parse: ['users', 'everyone'] };
  const users = [...markup.matchAll(/<@!?(\d+)>/g)].map(([, id = '']) => id);
  const mayAll = arrayOf(allowed.parse).includes('users');
  const everyone = /@(?:everyone|here)/.test(markup) && arrayOf(allowed.parse).includes('everyone');
  return {
    content,
    markup,
    rings: [
      ...users.filter((id) => mayAll || arrayOf(allowed.users).includes(id)),
      ...(everyone ? ['everyone'] : []),
    ],
    buttons: arrayOf(body.components)
      .flatMap((row) => (isObject(row) ? arrayOf(row.components) : []))
      .filter(isObject)
      .map(({ label, custom_id }) => ({ label: String(label), customId: String(custom_id) })),
  };
}
