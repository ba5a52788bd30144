import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';

export interface SseMessage {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
}

export interface SseStream extends AsyncDisposable {
  readonly status: number;
  /** resolves with the next message; rejects when the server ends the stream first */
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
  const comments: string[] = [];
  const messages = readMessages(response, comments);
  const close = (): void => {
    response.destroy();
  };
  return {
    status: response.statusCode ?? 0,
    comments,
    close,
    async next() {
      const message = await messages.next();
      if (message.done) throw new Error('the stream ended');
      return message.value;
    },
    async [Symbol.asyncDispose]() {
      close();
    },
  };
}

async function* readMessages(response: IncomingMessage, comments: string[]): AsyncGenerator<SseMessage> {
  let id: string | undefined;
  let event: string | undefined;
  let data: string[] = [];
  for await (const line of createInterface({ input: response })) {
    if (line === '') {
      if (data.length > 0) yield { id, event, data: data.join('\n') };
      event = undefined;
      data = [];
      continue;
    }
    const border = line.indexOf(':');
    const field = line.slice(0, border);
    const value = line.slice(border + 1).replace(/^ /, '');
    if (field === '') comments.push(value);
    else if (field === 'id') id = value;
    else if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  }
}
