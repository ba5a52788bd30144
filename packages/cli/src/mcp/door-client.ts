import { Agent, type IncomingMessage, request } from 'node:http';
import { SallyportError } from '@sallyport/protocol/error';
import type { McpEndpoint } from './mcp-endpoint.ts';

/** What the door said to one message. */
export type DoorAnswer =
  /** messages for the client, one JSON text each; the last of a request is its answer */
  | {
      readonly kind: 'messages';
      readonly messages: AsyncIterable<string>;
      readonly session: string | undefined;
    }
  /** nothing to say */
  | { readonly kind: 'taken' }
  /** the MCP session is not known any more (404), or ours has ended (401) */
  | { readonly kind: 'gone'; readonly status: 401 | 404 }
  | { readonly kind: 'refused'; readonly status: number; readonly text: string };

export interface DoorRequest {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly body?: string;
  readonly session?: string | undefined;
  readonly version?: string | undefined;
  readonly lastEventId?: string | undefined;
}

/** Speaks Streamable HTTP to the gateway. */
export class DoorClient {
  readonly #endpoint: McpEndpoint;
  readonly #path: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(endpoint: McpEndpoint, path: string) {
    this.#endpoint = endpoint;
    this.#path = path;
  }

  /** Rejects with `GatewayNotRunning`. */
  async send({ method, body, session, version, lastEventId }: DoorRequest): Promise<DoorAnswer> {
    const { token, url } = this.#endpoint;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = request(
        `${url}${this.#path}`,
        {
          method,
          agent: this.#agent,
          headers: {
            accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...(session === undefined ? {} : { 'mcp-session-id': session }),
            ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
            ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
            ...(body === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          },
        },
        resolve,
      );
      outgoing.on('error', (cause) => reject(new SallyportError('GatewayNotRunning', { cause })));
      outgoing.end(body);
    });
    return answerOf(response);
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function answerOf(response: IncomingMessage): Promise<DoorAnswer> {
  const status = response.statusCode ?? 0;
  response.setEncoding('utf8');
  if (status === 200) {
    const session = response.headers['mcp-session-id'];
    const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
    return {
      kind: 'messages',
      messages: isStream ? readEvents(response) : readWhole(response),
      session: typeof session === 'string' ? session : undefined,
    };
  }
  const text = await readAll(response);
  if (status === 202 || status === 204) return { kind: 'taken' };
  if (status === 401 || status === 404) return { kind: 'gone', status };
  return { kind: 'refused', status, text };
}

async function readAll(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += chunk;
  return text;
}

async function* readWhole(response: IncomingMessage): AsyncGenerator<string> {
  yield await readAll(response);
}

/** The data of each event; the gateway writes JSON on one line. */
async function* readEvents(response: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of response) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: {')) yield line.slice('data: '.length);
  }
}
