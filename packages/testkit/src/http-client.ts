import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** the body as JSON; throws when it is not */
  json<T = unknown>(): T;
}

export interface HttpCall {
  readonly method?: string;
  /** a list sends the header that often */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly token?: string;
  /** sent as JSON */
  readonly json?: unknown;
  /** sent as it is */
  readonly body?: string | Buffer;
}

/** Where to: a base URL, and for a unix socket or a test CA what else it takes. */
export interface HttpTarget {
  readonly url: string;
  readonly socketPath?: string;
  readonly ca?: string;
}

export type HttpClient = (path: string, call?: HttpCall) => Promise<HttpAnswer>;

/** Calls that send exactly what they are told: any Host, doubled headers, odd methods. One connection each. */
export function httpClient(target: HttpTarget): HttpClient {
  return (path, call = {}) =>
    new Promise((resolve, reject) => {
      const url = new URL(target.url);
      const body = call.json === undefined ? call.body : JSON.stringify(call.json);
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
      const request = send(
        {
          host: url.hostname.replace(/^\[|\]$/g, ''),
          port: url.port,
          ...(target.socketPath === undefined ? {} : { socketPath: target.socketPath }),
          ...(target.ca === undefined ? {} : { ca: target.ca }),
          agent: false,
          path,
          method: call.method ?? (body === undefined ? 'GET' : 'POST'),
          headers: {
            ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
            ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
            ...(call.token === undefined ? {} : { authorization: `Bearer ${call.token}` }),
            ...call.headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text,
              json: () => JSON.parse(text),
            });
          });
        },
      );
      request.on('error', reject);
      request.end(body);
    });
}

export interface RawAnswer {
  /** 0 when the server closed without an answer */
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes as they are and reads until the server closes: for what no HTTP client would send. */
export async function rawHttp(port: number, bytes: string | Buffer): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A reset after the answer is one of the right ways to refuse; what arrived before it counts.
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  const text = Buffer.concat(chunks).toString('latin1');
  const border = text.indexOf('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0),
    head: border < 0 ? text : text.slice(0, border),
    body: border < 0 ? '' : text.slice(border + 4),
  };
}
