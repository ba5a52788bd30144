import { request as httpRequest, type IncomingMessage } from 'node:http';

export interface SseMessage {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
}

export interface SseStream extends AsyncDisposable {
  readonly status: number;
  /** resolves with the next message; rejects when the stream ends first, from whichever side */
  next(): Promise<SseMessage>;
  /** comment lines seen so far, without the colon */
  readonly comments: readonly string[];
  close(): void;
}

/** Opens a stream of server-sent events. */
export async function openSse(
  url: string,
  options: { readonly token?: string; readonly lastEventId?: string } = {},
): Promise<SseStream> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest(url, {
      agent: false,
      headers: {
        accept: 'text/event-stream',
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
        ...(options.lastEventId === undefined ? {} : { 'last-event-id': options.lastEventId }),
      },
    });
    request.on('response', resolve);
    request.on('error', reject);
    request.end();
  });
  return new Stream(response);
}

class Stream implements SseStream {
  readonly comments: string[] = [];
  readonly #response: IncomingMessage;
  readonly #messages: SseMessage[] = [];
  #waiting: PromiseWithResolvers<SseMessage> | undefined;
  #ended = false;
  #rest = '';

  constructor(response: IncomingMessage) {
    this.#response = response;
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#take(text));
    // An abort shows as an error too; `close` follows in any case.
    response.on('error', () => {});
    response.on('close', () => {
      this.#ended = true;
      this.#waiting?.reject(new Error('the stream ended'));
    });
  }

  get status(): number {
    return this.#response.statusCode ?? 0;
  }

  next(): Promise<SseMessage> {
    const message = this.#messages.shift();
    if (message !== undefined) return Promise.resolve(message);
    if (this.#ended) return Promise.reject(new Error('the stream ended'));
    this.#waiting = Promise.withResolvers();
    return this.#waiting.promise;
  }

  close(): void {
    this.#response.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  #take(text: string): void {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) this.#takeBlock(block.split('\n'));
  }

  #takeBlock(lines: readonly string[]): void {
    const fields = lines.map((line): [string, string] => {
      const border = line.indexOf(':');
      return [line.slice(0, border), line.slice(border + 1).replace(/^ /, '')];
    });
    const first = (name: string): string | undefined => fields.find(([field]) => field === name)?.[1];
    for (const [field, value] of fields) if (field === '') this.comments.push(value);
    const data = first('data');
    if (data === undefined) return;
    const message = { id: first('id'), event: first('event'), data };
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) this.#messages.push(message);
    else waiting.resolve(message);
  }
}
