import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { JsonObject } from '@sallyport/protocol';
import type { Reach } from './clients-fixture.ts';

export interface ProxiedCall {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** token of another session */
  readonly token?: string;
  readonly signal?: AbortSignal;
  /** a piece of the answer came */
  readonly onPiece?: () => void;
}

export interface ProxiedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly trailers: NodeJS.Dict<string>;
  readonly bytes: Buffer;
  readonly text: string;
  /** whether all of it came */
  readonly isWhole: boolean;
  /** `error` of a refusal */
  readonly error: JsonObject | undefined;
}

/** One request of an agent through the proxy, on a connection of its own. Rejects when no answer comes at all. */
export async function proxied(reach: Reach, url: string, call: ProxiedCall = {}): Promise<ProxiedAnswer> {
  const { protocol, host, hostname, pathname, search } = new URL(url);
  const auth = { 'proxy-authorization': `Bearer ${call.token ?? reach.token}` };
  const common = {
    method: call.method ?? (call.body === undefined ? 'GET' : 'POST'),
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  };
  const size = call.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(call.body)) };
  const headers = { host, ...size, ...call.headers };
  if (protocol === 'http:') {
    const port = reach.gateway.ports.proxy;
    const options = {
      ...common,
      host: '127.0.0.1',
      port,
      agent: false,
      path: url,
      headers: { ...headers, ...auth },
    };
    return finish(httpRequest(options), call);
  }
  const opened = await openTunnel(reach, host, auth);
  if ('status' in opened) return opened;
  const socket = tlsConnect({
    socket: opened.socket,
    ca: readFileSync(reach.caFile),
    host: hostname,
    ...(/^[\d.]+$/.test(hostname) ? {} : { servername: hostname }),
  });
  await once(socket, 'secureConnect');
  const path = `${pathname}${search}`;
  return finish(httpRequest({ ...common, path, headers, createConnection: () => socket }), call);
}

/** CONNECT. The answer instead of a socket when it was refused. */
export async function openTunnel(
  reach: Reach,
  host: string,
  headers: Readonly<Record<string, string>> = { 'proxy-authorization': `Bearer ${reach.token}` },
): Promise<{ readonly socket: Socket } | ProxiedAnswer> {
  const port = reach.gateway.ports.proxy;
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    method: 'CONNECT',
    path: host,
    headers,
    agent: false,
  });
  return new Promise((resolve, reject) => {
    request.on('connect', (response, socket) => {
      if (response.statusCode === 200) resolve({ socket });
      else {
        socket.destroy();
        resolve(answerOf(response.statusCode ?? 0, response.headers, {}, Buffer.alloc(0), false));
      }
    });
    request.on('error', reject);
    request.end();
  });
}

function finish(
  request: ReturnType<typeof httpRequest>,
  { body, onPiece }: ProxiedCall,
): Promise<ProxiedAnswer> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('data', () => onPiece?.());
      response.on('error', () => {});
      response.on('close', () => {
        const { statusCode = 0, headers, trailers, complete } = response;
        resolve(answerOf(statusCode, headers, trailers, Buffer.concat(chunks), complete));
      });
    });
    request.end(body);
  });
}

function answerOf(
  status: number,
  headers: IncomingHttpHeaders,
  trailers: NodeJS.Dict<string>,
  bytes: Buffer,
  isWhole: boolean,
): ProxiedAnswer {
  const text = bytes.toString('latin1');
  return { status, headers, trailers, bytes, text, isWhole, error: errorIn(headers, text) };
}

function errorIn(headers: IncomingHttpHeaders, text: string): JsonObject | undefined {
  return headers['x-sallyport-verdict'] === 'deny' && text !== '' ? JSON.parse(text).error : undefined;
}
