import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { closeServer, listenOnFreePort, readText, sendJson } from '../http-server.ts';
import { FixtureSession, type RpcId } from './fixture-session.ts';
import type { JsonData } from './fixture-tool.ts';

export interface McpHttpFixture extends AsyncDisposable {
  readonly url: string;
  /** requests so far */
  readonly requests: number;
}

/** What one request of a client is told, on a stream that may be closed and taken up again. */
class FixtureStream {
  readonly #key = randomUUID();
  readonly #events: string[] = [];
  #response: ServerResponse | undefined;
  #isOver = false;

  open(response: ServerResponse, from = 0): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    this.#response = response;
    if (from === 0) response.write(`id: ${this.#key}_0\nretry: 100\ndata: \n\n`);
    for (const event of this.#events.slice(from)) response.write(event);
    if (this.#isOver) response.end();
  }

  send(message: JsonData): void {
    const event = `id: ${this.#key}_${this.#events.length + 1}\ndata: ${JSON.stringify(message)}\n\n`;
    this.#events.push(event);
    this.#response?.write(event);
  }

  end(): void {
    this.#isOver = true;
    this.#response?.end();
  }

  close(): void {
    this.#response?.end();
    this.#response = undefined;
  }

  /** How many events a client has that names this one; undefined when it is not of this stream. */
  position(lastEventId: string): number | undefined {
    const [key, at] = lastEventId.split('_');
    return key === this.#key ? Number(at) : undefined;
  }
}

class HttpSession {
  readonly streams = new Map<RpcId, FixtureStream>();
  readonly own = new FixtureStream();
  readonly session: FixtureSession;

  constructor() {
    this.session = new FixtureSession({
      send: (message, about) => {
        const stream = (about === undefined ? undefined : this.streams.get(about)) ?? this.own;
        stream.send(message);
        if ('result' in message || 'error' in message) stream.end();
      },
      closeStream: (about) => this.streams.get(about)?.close(),
    });
  }
}

/** The fixture server over Streamable HTTP, on a free port. */
export async function startMcpHttpFixture(): Promise<McpHttpFixture> {
  const sessions = new Map<string, HttpSession>();
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    void answer(request, response, sessions);
  });
  const port = await listenOnFreePort(server);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    get requests() {
      return requests;
    },
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Map<string, HttpSession>,
): Promise<void> {
  if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(request.headers.host ?? '')) {
    sendJson(response, 403, { error: 'this is not my name' });
    return;
  }
  const id = request.headers['mcp-session-id'];
  const known = typeof id === 'string' ? sessions.get(id) : undefined;
  if (request.method === 'DELETE' && typeof id === 'string') {
    response.writeHead(sessions.delete(id) ? 200 : 404).end();
    return;
  }
  if (request.method === 'GET') {
    openOwn(known, String(request.headers['last-event-id'] ?? ''), response);
    return;
  }
  const message = JSON.parse(await readText(request)) as JsonData;
  let session = known;
  if (message.method === 'initialize') {
    const fresh = randomUUID();
    session = new HttpSession();
    sessions.set(fresh, session);
    response.setHeader('mcp-session-id', fresh);
  }
  if (session === undefined) {
    sendJson(response, 404, { error: 'there is no such session' });
    return;
  }
  if (message.id === undefined || message.method === undefined) response.writeHead(202).end();
  else {
    const stream = new FixtureStream();
    session.streams.set(message.id as RpcId, stream);
    stream.open(response);
  }
  await session.session.receive(message);
}

function openOwn(session: HttpSession | undefined, lastEventId: string, response: ServerResponse): void {
  if (session === undefined) {
    response.writeHead(404).end();
    return;
  }
  for (const stream of session.streams.values()) {
    const position = stream.position(lastEventId);
    if (position !== undefined) {
      stream.open(response, position);
      return;
    }
  }
  session.own.open(response);
}

/** Program of the fixture server over its standard streams; run it with node. */
export const MCP_FIXTURE_PROGRAM = fileURLToPath(new URL('./stdio-main.ts', import.meta.url));
