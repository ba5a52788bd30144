import { type Button, badRequest, type ChatMessage, type Chats } from './chats.ts';
import { textOfHtml } from './html-text.ts';

/** Parameters of one call: JSON values, or text and files of a form. */
export type Parameters = Readonly<Record<string, unknown>>;

export interface UploadedFile {
  readonly name: string;
  readonly content: string;
}

export const BOT = { id: 777_000, is_bot: true, first_name: 'Sallyport', username: 'sallyport_bot' } as const;

/** Callback queries that wait for an answer. */
export type OpenQueries = Map<string, { readonly answer: (text: string | undefined) => void }>;

export function sendMessage(chats: Chats, parameters: Parameters): unknown {
  const { text, html } = body(parameters.text, parameters.parse_mode, 4_096, 'message');
  return messageWire(
    chats.add(chatId(parameters), {
      text,
      html,
      buttons: buttons(parameters),
      ...replyTo(chats, parameters),
    }),
  );
}

export function sendDocument(chats: Chats, parameters: Parameters, file: UploadedFile | undefined): unknown {
  if (file === undefined || file.content === '') throw badRequest('there is no document in the request');
  const caption = parameters.caption;
  const { text, html } =
    caption === undefined ? { text: '', html: '' } : body(caption, parameters.parse_mode, 1_024, 'caption');
  return messageWire(
    chats.add(chatId(parameters), {
      text,
      html,
      buttons: buttons(parameters),
      document: file,
      ...replyTo(chats, parameters),
    }),
  );
}

export function editMessageText(chats: Chats, parameters: Parameters): unknown {
  const { text, html } = body(parameters.text, parameters.parse_mode, 4_096, 'message');
  const id = Number(parameters.message_id);
  return messageWire(chats.edit(chatId(parameters), id, { text, html, buttons: buttons(parameters) }));
}

export function answerCallbackQuery(open: OpenQueries, parameters: Parameters): unknown {
  const text = parameters.text;
  if (typeof text === 'string' && text.length > 200) throw badRequest('MESSAGE_TOO_LONG');
  const id = String(parameters.callback_query_id);
  const query = open.get(id);
  if (query === undefined) {
    throw badRequest('query is too old and response timeout expired or query ID is invalid');
  }
  open.delete(id);
  query.answer(typeof text === 'string' ? text : undefined);
  return true;
}

/** A message as the Bot API sends it. */
export function messageWire(message: ChatMessage): Readonly<Record<string, unknown>> {
  return {
    message_id: message.id,
    date: 1_767_225_600,
    from: BOT,
    chat: { id: message.chat, type: 'private', first_name: 'Person' },
    ...(message.document === undefined
      ? { text: message.text }
      : {
          caption: message.text,
          document: { file_id: 'f', file_unique_id: 'u', file_name: message.document.name },
        }),
    ...(message.buttons.length === 0
      ? {}
      : { reply_markup: { inline_keyboard: message.buttons.map((button) => [button]) } }),
  };
}

function chatId(parameters: Parameters): number {
  const id = Number(parameters.chat_id);
  if (!Number.isSafeInteger(id) || id === 0) throw badRequest('chat not found');
  return id;
}

function body(value: unknown, mode: unknown, limit: number, what: string): { text: string; html: string } {
  if (typeof value !== 'string') throw badRequest(`${what} text is empty`);
  if (mode !== undefined && mode !== 'HTML') throw badRequest('unsupported parse_mode');
  let text: string;
  try {
    text = mode === 'HTML' ? textOfHtml(value) : value.trim();
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : 'bad markup');
  }
  if (text === '') throw badRequest(`${what} text is empty`);
  if (text.length > limit) throw badRequest(`${what} is too long`);
  return { text, html: value };
}

function replyTo(chats: Chats, parameters: Parameters): { replyTo?: number } {
  const reply = object(parameters.reply_parameters);
  if (reply === undefined) return {};
  const id = Number(reply.message_id);
  const isMissing = chats.find(chatId(parameters), id) === undefined;
  return isMissing && reply.allow_sending_without_reply === true ? {} : { replyTo: id };
}

function buttons(parameters: Parameters): readonly Button[] {
  const rows = object(parameters.reply_markup)?.inline_keyboard ?? [];
  if (!Array.isArray(rows)) throw badRequest("can't parse inline keyboard");
  return rows.flat().map((button: Button) => {
    if (typeof button.text !== 'string' || button.text.trim() === '')
      throw badRequest('button text must be non-empty');
    const size = Buffer.byteLength(button.callback_data ?? '');
    if (size < 1 || size > 64) throw badRequest('BUTTON_DATA_INVALID');
    return { text: button.text, callback_data: button.callback_data ?? '' };
  });
}

function object(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined) return undefined;
  // In a form, an object is sent as JSON text.
  const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  if (typeof parsed !== 'object' || parsed === null) throw badRequest('expected an object');
  return parsed as Readonly<Record<string, unknown>>; // checked above
}
