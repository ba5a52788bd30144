import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOnFreePort } from '../http-server.ts';
import { ApiError, badRequest, type ChatMessage, Chats } from './chats.ts';
import {
  answerCallbackQuery,
  BOT,
  editMessageText,
  messageWire,
  type OpenQueries,
  type Parameters,
  sendDocument,
  sendMessage,
  type UploadedFile,
} from './methods.ts';
import { type Update, UpdateQueue } from './update-queue.ts';

export interface TelegramCall {
  readonly method: string;
  readonly at: number;
  /** what the server said; 0 while it has not answered */
  readonly status: number;
}

/** Who presses or writes; a private chat has the id of its person. */
export interface TelegramPerson {
  readonly id: number;
  readonly isBot?: boolean;
  /** the chat it happens in; the person's own unless given */
  readonly chat?: { readonly id: number; readonly type: string };
}

/**
 * The part of the Telegram Bot API that an approval channel uses, over HTTP. It refuses what the real one refuses:
 * unknown tokens and chats, long messages, bad markup, long callback data, two pollers, edits that change nothing.
 */
export class TelegramServer implements AsyncDisposable {
  /** the one that is accepted now: a test may replace it */
  token = '777000:test-token-of-the-bot';
  readonly chats = new Chats();
  readonly updates = new UpdateQueue();
  readonly calls: TelegramCall[] = [];
  webhook: { readonly url: string; readonly secret: string | undefined } | undefined;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #queries: OpenQueries = new Map();
  readonly #limits = new Map<string, number>();
  readonly #holds = new Map<string, Promise<void>>();
  #url = '';
  #nextQuery = 1;

  static async start(): Promise<TelegramServer> {
    const server = new TelegramServer();
    server.#url = `http://127.0.0.1:${await listenOnFreePort(server.#server)}`;
    return server;
  }

  get url(): string {
    return this.#url;
  }

  /** The next call of this method is told to wait so many seconds. */
  limitNext(method: string, seconds: number): void {
    this.#limits.set(method, seconds);
  }

  /** The next call of this method takes effect when what is returned is called, and not before. */
  holdNext(method: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#holds.set(method, promise);
    return resolve;
  }

  /** A person presses a button; resolves with what the bot shows them. `data` replaces what the button carries. */
  press(
    message: ChatMessage,
    button: string,
    options: { person?: TelegramPerson; data?: string } = {},
  ): Promise<string | undefined> {
    const data = options.data ?? message.buttons.find(({ text }) => text === button)?.callback_data;
    if (data === undefined) throw new Error(`the message has no button \`${button}\``);
    const person = options.person ?? { id: message.chat };
    const id = String(this.#nextQuery);
    this.#nextQuery += 1;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#queries.set(id, { answer: resolve });
    const wire = { ...messageWire(message), chat: chatOf(person) };
    this.updates.push({
      callback_query: { id, from: userOf(person), chat_instance: 'c', message: wire, data },
    });
    return promise;
  }

  /** A person writes, as a reply to a message or on their own. */
  write(
    person: TelegramPerson,
    text: string,
    options: { replyTo?: ChatMessage; extra?: Parameters } = {},
  ): Update {
    return this.updates.push({
      message: {
        message_id: 900_000,
        date: 1_767_225_600,
        from: userOf(person),
        chat: chatOf(person),
        text,
        ...(options.replyTo === undefined ? {} : { reply_to_message: messageWire(options.replyTo) }),
        ...options.extra,
      },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await closeServer(this.#server);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = /^\/bot([^/]+)\/([A-Za-z]+)$/.exec(request.url ?? '');
    const at = this.calls.push({ method: method?.[2] ?? '', at: performance.now(), status: 0 }) - 1;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    let status = 200;
    let body: unknown;
    try {
      if (method?.[1] !== this.token) throw new ApiError(401, 'Unauthorized');
      body = {
        ok: true,
        result: await this.#call(method[2] ?? '', await readParameters(request), gone.signal),
      };
    } catch (error) {
      const known = error instanceof ApiError ? error : badRequest(String(error));
      status = known.code;
      body = {
        ok: false,
        error_code: known.code,
        description: known.message,
        ...(known.retryAfter === undefined ? {} : { parameters: { retry_after: known.retryAfter } }),
      };
    }
    this.calls[at] = { method: method?.[2] ?? '', at: this.calls[at]?.at ?? 0, status };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  async #call(method: string, { values, file }: ReadCall, gone: AbortSignal): Promise<unknown> {
    const seconds = this.#limits.get(method);
    if (seconds !== undefined) {
      this.#limits.delete(method);
      throw new ApiError(429, `Too Many Requests: retry after ${seconds}`, seconds);
    }
    const hold = this.#holds.get(method);
    if (hold !== undefined) {
      this.#holds.delete(method);
      await hold;
    }
    switch (method) {
      case 'getMe':
        return {
          ...BOT,
          can_join_groups: false,
          can_read_all_group_messages: false,
          supports_inline_queries: false,
        };
      case 'getChat':
        return this.chats.describe(Number(values.chat_id));
      case 'sendMessage':
        return sendMessage(this.chats, values);
      case 'sendDocument':
        return sendDocument(this.chats, values, file);
      case 'editMessageText':
        return editMessageText(this.chats, values);
      case 'answerCallbackQuery':
        return answerCallbackQuery(this.#queries, values);
      case 'setWebhook':
        return this.#setWebhook(values);
      case 'deleteWebhook':
        this.webhook = undefined;
        return true;
      case 'getUpdates':
        return this.#getUpdates(values, gone);
      // open: any method
      default:
        throw new ApiError(404, 'Not Found');
    }
  }

  #getUpdates(values: Parameters, gone: AbortSignal): Promise<readonly Update[]> {
    if (this.webhook !== undefined) {
      throw new ApiError(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    }
    return this.updates.get(
      {
        offset: Number(values.offset ?? 0),
        limit: Number(values.limit ?? 100),
        timeoutMs: Number(values.timeout ?? 0) * 1_000,
      },
      gone,
    );
  }

  #setWebhook(values: Parameters): true {
    const url = String(values.url);
    const secret = values.secret_token;
    if (!url.startsWith('https://'))
      throw badRequest('bad webhook: An HTTPS URL must be provided for webhook');
    if (secret !== undefined && !/^[A-Za-z0-9_-]{1,256}$/.test(String(secret))) {
      throw badRequest('secret token contains unallowed characters');
    }
    this.webhook = { url, secret: secret === undefined ? undefined : String(secret) };
    return true;
  }
}

interface ReadCall {
  readonly values: Parameters;
  readonly file: UploadedFile | undefined;
}

async function readParameters(request: IncomingMessage): Promise<ReadCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // a stream without encoding yields buffers
  const bytes = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/')) {
    return {
      values: bytes.length === 0 ? {} : (JSON.parse(bytes.toString()) as Parameters),
      file: undefined,
    }; // the client's own JSON
  }
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
  const values: Record<string, unknown> = {};
  let file: UploadedFile | undefined;
  for (const [name, value] of form) {
    if (typeof value === 'string') values[name] = value;
    else file = { name: value.name, content: await value.text() };
  }
  return { values, file };
}

function userOf({ id, isBot }: TelegramPerson): unknown {
  return { id, is_bot: isBot ?? false, first_name: 'Person' };
}

function chatOf({ id, chat }: TelegramPerson): { id: number; type: string } {
  return chat ?? { id, type: 'private' };
}
