import { createHash } from 'node:crypto';
import { type EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { Duplex } from 'node:stream';
import { listenOnFreePort } from './http-server.ts';
import type { TestCa } from './test-ca.ts';
import { acceptSocket } from './websocket-server.ts';

/** What the server saw of one request, and what it answers as JSON. */
export interface Echo {
  readonly version: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly bytes: number;
  readonly sha256: string;
}

type EchoRequest = IncomingMessage | Http2ServerRequest;
type EchoResponse = ServerResponse | Http2ServerResponse;

/** An HTTPS server for HTTP/1.1 and HTTP/2 that says what it was asked; WebSockets get back what they send. */
export interface EchoServer extends AsyncDisposable {
  readonly port: number;
  /** `https://localhost:PORT` */
  readonly url: string;
  readonly seen: Echo[];
  /** requests whose head came, also those that were never complete */
  readonly begun: number;
  /** requests and WebSockets that have not ended */
  readonly underWay: number;
  close(): Promise<void>;
}

export async function startEchoServer(options: {
  readonly ca: TestCa;
  readonly names?: readonly string[];
  /** true: it answered itself */
  readonly handler?: (request: EchoRequest, response: EchoResponse, echo: Echo) => boolean;
}): Promise<EchoServer> {
  const seen: Echo[] = [];
  let begun = 0;
  let underWay = 0;
  const follow = (what: EventEmitter): void => {
    underWay += 1;
    what.once('close', () => {
      underWay -= 1;
    });
  };
  const material = await options.ca.issue(options.names ?? ['localhost', '127.0.0.1']);
  const server = createSecureServer({ ...material, allowHTTP1: true });
  const streams = new Set<Duplex>();
  server.on('request', async (request: EchoRequest, response: EchoResponse) => {
    begun += 1;
    follow(response);
    try {
      const echo = await read(request);
      seen.push(echo);
      if (options.handler?.(request, response, echo) !== true) answer(request, response, echo);
    } catch {
      // A client that breaks off is part of what is tried here.
    }
  });
  server.on('upgrade', (request: IncomingMessage, stream: Duplex) => {
    const { method = '', url = '', headers } = request;
    seen.push({ version: request.httpVersion, method, url, headers, bytes: 0, sha256: '' });
    follow(stream);
    const socket = acceptSocket(request, stream);
    if (socket !== undefined) socket.onText = (text) => socket.send(JSON.parse(text));
  });
  server.on('connection', (socket: Duplex) => {
    streams.add(socket);
    socket.once('close', () => streams.delete(socket));
  });
  const port = await listenOnFreePort(server);
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    for (const stream of streams) stream.destroy();
    await closed;
  };
  return {
    port,
    url: `https://localhost:${port}`,
    seen,
    get begun() {
      return begun;
    },
    get underWay() {
      return underWay;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function read(request: EchoRequest): Promise<Echo> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    hash.update(chunk);
  }
  const { httpVersion: version, method = '', url = '', headers } = request;
  return { version, method, url, headers: { ...headers }, bytes, sha256: hash.digest('hex') };
}

/** `/sse` answers three events, each a moment after the one before, `/endless` goes on; everything else the echo. */
function answer(request: EchoRequest, response: EchoResponse, echo: Echo): void {
  if (request.url === '/sse' || request.url === '/endless') {
    response.setHeader('content-type', 'text/event-stream');
    // One signature for both kinds of response: `write` of a text.
    const write = (text: string): void => void (response as ServerResponse).write(text);
    let count = 0;
    const timer = setInterval(() => {
      count += 1;
      write(`data: ${count}\n\n`);
      if (request.url === '/endless' && !response.destroyed) return;
      if (count < 3) return;
      clearInterval(timer);
      response.end();
    }, 20);
    return;
  }
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(echo));
}
