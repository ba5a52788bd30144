import type { KeyObject } from 'node:crypto';
import type { Update } from 'grammy/types';
import { idOfMessage } from '../../render/index.ts';
import { readButtonData } from '../answer-button.ts';
import type { ChannelAnswer } from '../channel.ts';

/** What one update of Telegram is for us. */
export type Incoming =
  | { readonly kind: 'press'; readonly queryId: string; readonly answer: ChannelAnswer }
  | { readonly kind: 'bad-press'; readonly queryId: string }
  | {
      readonly kind: 'reply';
      readonly chat: number;
      readonly message: number;
      readonly answer: ChannelAnswer;
    }
  /** a listed person wrote something that answers no question */
  | { readonly kind: 'stray'; readonly chat: number; readonly message: number }
  /** somebody who is not listed says hello: they are told their id, nothing else */
  | { readonly kind: 'hello'; readonly chat: number }
  | { readonly kind: 'nothing' };

export interface ReadOptions {
  readonly key: KeyObject;
  readonly botId: number;
  readonly isListed: (identity: string) => boolean;
}

/**
 * SECURITY: an answer counts in a private chat, from the person whose chat it is, who is listed and no bot. Groups,
 * channels, forwards and messages sent through other bots say nothing about who decided.
 */
export function readUpdate(update: Update, options: ReadOptions): Incoming {
  if (update.callback_query !== undefined) return readPress(update.callback_query, options);
  if (update.message !== undefined) return readMessage(update.message, options);
  return { kind: 'nothing' };
}

function readPress(query: NonNullable<Update['callback_query']>, options: ReadOptions): Incoming {
  const identity = String(query.from.id);
  const chat = query.message?.chat;
  const isOwn = chat?.type === 'private' && chat.id === query.from.id && !query.from.is_bot;
  const owner = { key: options.key, channel: 'telegram', identity };
  const read = readButtonData(query.data ?? '', owner);
  if (!isOwn || !options.isListed(identity) || read?.kind !== 'press') {
    return { kind: 'bad-press', queryId: query.id };
  }
  const answer = { kind: 'decision', decision: read.decision } as const;
  return { kind: 'press', queryId: query.id, answer: { approvalId: read.approvalId, identity, answer } };
}

function readMessage(message: NonNullable<Update['message']>, options: ReadOptions): Incoming {
  const { from, chat } = message;
  if (chat.type !== 'private' || from === undefined || from.id !== chat.id || from.is_bot) {
    return { kind: 'nothing' };
  }
  const identity = String(from.id);
  if (!options.isListed(identity)) {
    return message.text === '/start' ? { kind: 'hello', chat: chat.id } : { kind: 'nothing' };
  }
  const stray = { kind: 'stray', chat: chat.id, message: message.message_id } as const;
  if (message.via_bot !== undefined || message.forward_origin !== undefined) return stray;
  const asked = message.reply_to_message;
  if (message.text === undefined || asked === undefined || asked.from?.id !== options.botId) return stray;
  const approvalId = idOfMessage(asked.text ?? asked.caption ?? '');
  if (approvalId === undefined) return stray;
  const answer = { kind: 'text', text: message.text } as const;
  return {
    kind: 'reply',
    chat: chat.id,
    message: message.message_id,
    answer: { approvalId, identity, answer },
  };
}
