import { isObject, type Json, SlackError } from './block-kit.ts';

/** A message as the conversation shows it now. */
export interface SlackMessage {
  readonly channel: string;
  readonly ts: string;
  /** what people read: the blocks, or the text where there are none */
  readonly shown: string;
  readonly text: string;
  readonly buttons: readonly { readonly text: string; readonly actionId: string; readonly value: string }[];
  readonly file?: { readonly name: string; readonly content: string };
  readonly edits: number;
}

/** Members of one workspace, their direct conversations with the app, and what the app said in them. */
export class Workspace {
  readonly #members = new Map<string, { readonly isBot: boolean }>();
  readonly #conversations = new Map<string, string>();
  readonly #messages = new Map<string, SlackMessage>();
  #next = 1;

  join(id: string, options: { readonly isBot?: boolean } = {}): void {
    this.#members.set(id, { isBot: options.isBot ?? false });
  }

  isBot(id: string): boolean {
    return this.#members.get(id)?.isBot ?? false;
  }

  openConversation(id: string): string {
    const member = this.#members.get(id);
    if (member === undefined) throw new SlackError('user_not_found');
    if (member.isBot) throw new SlackError('cannot_dm_bot');
    const channel = `D${id.slice(1)}`;
    this.#conversations.set(channel, id);
    return channel;
  }

  memberOf(channel: string): string | undefined {
    return this.#conversations.get(channel);
  }

  post(channel: string, content: Pick<SlackMessage, 'text' | 'file'>, blocks: readonly Json[]): SlackMessage {
    if (!this.#conversations.has(channel)) throw new SlackError('channel_not_found');
    const ts = `1767225600.${String(this.#next).padStart(6, '0')}`;
    this.#next += 1;
    const message: SlackMessage = { channel, ts, ...content, ...readBlocks(content.text, blocks), edits: 0 };
    this.#messages.set(`${channel}/${ts}`, message);
    return message;
  }

  edit(channel: string, ts: string, text: string, blocks: readonly Json[]): void {
    if (!this.#conversations.has(channel)) throw new SlackError('channel_not_found');
    const before = this.find(channel, ts);
    if (before === undefined) throw new SlackError('message_not_found');
    const after = { ...before, text, ...readBlocks(text, blocks), edits: before.edits + 1 };
    this.#messages.set(`${channel}/${ts}`, after);
  }

  find(channel: string, ts: string): SlackMessage | undefined {
    return this.#messages.get(`${channel}/${ts}`);
  }

  list(channel: string): readonly SlackMessage[] {
    return [...this.#messages.values()].filter((message) => message.channel === channel);
  }

  delete(channel: string, ts: string): void {
    this.#messages.delete(`${channel}/${ts}`);
  }
}

function readBlocks(text: string, blocks: readonly Json[]): Pick<SlackMessage, 'shown' | 'buttons'> {
  const elements = blocks.filter(({ type }) => type === 'actions').flatMap(elementsOf);
  const read = blocks
    .filter(({ type }) => type === 'rich_text')
    .map((block) => elementsOf(block).map(textOf));
  return {
    shown: blocks.length === 0 ? unescapeMrkdwn(text) : read.flat().join('\n'),
    buttons: elements.map((button) => ({
      text: isObject(button.text) ? String(button.text.text) : '',
      actionId: String(button.action_id),
      value: String(button.value),
    })),
  };
}

function textOf(part: Json): string {
  return elementsOf(part)
    .map(({ text }) => String(text))
    .join('');
}

function elementsOf({ elements }: Json): readonly Json[] {
  return Array.isArray(elements) ? elements.filter(isObject) : [];
}

/** What is left of mrkdwn for a reader; a mention or a link that came through is shown as such. */
export function unescapeMrkdwn(text: string): string {
  return text
    .replace(/<([^>]*)>/g, '⟦$1⟧')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}
