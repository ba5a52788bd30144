import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { Duplex } from 'node:stream';
import { listenOnFreePort, type TestCa } from '@sallyport/testkit';

/** One request, as it reached a host. */
export interface Recorded {
  readonly version: string;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** everything at once, to look for what must not be there */
  readonly all: string;
}

/** What the host answers. */
export interface Told {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

/** A host behind real TLS, HTTP/1.1 and HTTP/2, that keeps all that reached it. */
export interface Recorder extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly seen: Recorded[];
  /** what it answers; `ok` unless set */
  answer: (request: Recorded) => Told;
}

/** `address`: a loopback address that it listens on. */
export async function startRecorder(
  ca: TestCa,
  name = 'localhost',
  address = '127.0.0.1',
): Promise<Recorder> {
  const server = createSecureServer({ ...(await ca.issue([name])), allowHTTP1: true });
  const open = new Set<Duplex>();
  server.on('connection', (socket: Duplex) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const recorder: Recorder = {
    port: await listenOnFreePort(server, address),
    get url() {
      return `https://${name}:${recorder.port}`;
    },
    seen: [],
    answer: () => ({}),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
  server.on('request', async (request: Http2ServerRequest, response: Http2ServerResponse) => {
    try {
      const recorded = await record(request);
      recorder.seen.push(recorded);
      const { status = 200, headers = {}, body = 'ok' } = recorder.answer(recorded);
      response.writeHead(status, { 'content-type': 'text/plain', ...headers });
      response.end(body);
    } catch {
      // A client that breaks off is part of what is tried here.
    }
  });
  return recorder;
}

async function record(request: Http2ServerRequest): Promise<Recorded> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // a stream without encoding yields buffers
  const { httpVersion: version, method, url, rawHeaders, headers } = request;
  const body = Buffer.concat(chunks).toString('latin1');
  const decoded = Buffer.from(String(headers.authorization).replace(/^basic /i, ''), 'base64').toString();
  const all = [method, url, ...rawHeaders, body, decoded, decodeURIComponent(url.replaceAll('+', ' '))];
  return { version, method, url, headers, body, all: all.join('\n') };
}
