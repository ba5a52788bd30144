import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOnFreePort } from '../http-server.ts';
import {
  anthropicError,
  anthropicEvents,
  anthropicMessage,
  readAnthropic,
  type StreamEvent,
} from './anthropic.ts';
import { chatCompletion, chatEvents, openaiError, readChat } from './openai-chat.ts';
import { readResponses, responseEvents, responseObject } from './openai-responses.ts';
import {
  isRecord,
  type ModelApi,
  type ModelRequest,
  RequestRefused,
  refuseUnless,
  type ScriptedTurn,
  type Spoken,
  spoken,
} from './turn.ts';

export interface ScriptedModelOptions {
  /** what the model does with each request; it may look at it */
  readonly reply: (request: ModelRequest) => ScriptedTurn | Promise<ScriptedTurn>;
  /** what a client must send; `test-key` when absent */
  readonly apiKey?: string;
  /** loopback address that it listens on; 127.0.0.1 when absent */
  readonly host?: string;
}

const PATHS: ReadonlyMap<string, ModelApi> = new Map([
  ['/v1/messages', 'anthropic'],
  ['/v1/chat/completions', 'chat'],
  ['/v1/responses', 'responses'],
]);

/**
 * A model on a socket, whose every word a test writes: Anthropic Messages, OpenAI chat completions and OpenAI
 * Responses, whole or streamed. Requests that the real API would refuse are refused as it would, and kept in
 * `refusals`.
 */
export class ScriptedModel implements AsyncDisposable {
  readonly requests: ModelRequest[] = [];
  readonly refusals: string[] = [];
  readonly apiKey: string;
  /** may be set anew between two requests */
  reply: ScriptedModelOptions['reply'];
  readonly #server = createServer((request, response) => {
    this.#take(request, response).catch(() => response.destroy());
  });
  #port = 0;
  #ids = 0;

  readonly #host: string;

  private constructor({ reply, apiKey = 'test-key', host = '127.0.0.1' }: ScriptedModelOptions) {
    this.reply = reply;
    this.apiKey = apiKey;
    this.#host = host;
  }

  static async start(options: ScriptedModelOptions): Promise<ScriptedModel> {
    const model = new ScriptedModel(options);
    model.#port = await listenOnFreePort(model.#server, model.#host);
    return model;
  }

  /** Without a path: what clients take that add `/v1` themselves. */
  get url(): string {
    return `http://${this.#host}:${this.#port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await closeServer(this.#server);
  }

  async #take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer); // a stream without encoding yields buffers
    const path = (incoming.url ?? '').split('?')[0] ?? '';
    const api = PATHS.get(path);
    if (api === undefined) {
      this.#beside(incoming.method ?? '', path, response);
      return;
    }
    const wrap = api === 'anthropic' ? anthropicError : openaiError;
    let request: ModelRequest;
    try {
      request = this.#read(api, path, incoming, Buffer.concat(chunks).toString('utf8'));
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error;
      this.refusals.push(error.message);
      json(response, error.status, wrap(error.type, error.message));
      return;
    }
    this.requests.push(request);
    const turn = await this.reply(request);
    if ('hang' in turn) return;
    if ('raw' in turn) {
      response.writeHead(200, { 'content-type': turn.contentType ?? 'application/json' }).end(turn.raw);
    } else if ('status' in turn) {
      json(response, turn.status, wrap('api_error', turn.error), turn.headers);
    } else {
      this.#ids += 1;
      speak(
        response,
        request,
        spoken(turn, () => (this.#ids += 1)),
        this.#ids,
      );
    }
  }

  #read(api: ModelApi, path: string, { headers, method }: IncomingMessage, raw: string): ModelRequest {
    refuseUnless(method === 'POST', 'method not allowed');
    let body: unknown;
    try {
      body = JSON.parse(raw);
    } catch {
      throw new RequestRefused(400, 'invalid_request_error', 'the body is not valid JSON');
    }
    refuseUnless(isRecord(body), 'the body is not an object');
    const read = { anthropic: readAnthropic, chat: readChat, responses: readResponses }[api];
    return { api, path, headers, body, raw, ...read(headers, body, this.apiKey) };
  }

  /** What clients ask for besides: a list of models, a count of tokens, whether anyone is there. */
  #beside(method: string, path: string, response: ServerResponse): void {
    const known: Readonly<Record<string, object>> = {
      'POST /v1/messages/count_tokens': { input_tokens: 10 },
      'GET /v1/models': { object: 'list', data: [], has_more: false },
      'GET /': {},
      'HEAD /': {},
    };
    const answer = known[`${method} ${path}`];
    if (answer === undefined) this.refusals.push(`there is no ${method} ${path}`);
    if (answer === undefined) json(response, 404, anthropicError('not_found_error', 'not found'));
    else json(response, 200, answer);
  }
}

function speak(response: ServerResponse, request: ModelRequest, said: Spoken, id: number): void {
  const { api, model, stream, body } = request;
  const { whole, parts } = VOICES[api];
  if (stream) events(response, parts(said, model, id, body));
  else json(response, 200, whole(said, model, id));
}

const VOICES = {
  anthropic: { whole: anthropicMessage, parts: anthropicEvents },
  chat: { whole: chatCompletion, parts: chatEvents },
  responses: { whole: responseObject, parts: responseEvents },
} as const;

function json(
  response: ServerResponse,
  status: number,
  content: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(content));
}

function events(response: ServerResponse, list: readonly StreamEvent[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const { event, data } of list) {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`);
  }
  response.end();
}
