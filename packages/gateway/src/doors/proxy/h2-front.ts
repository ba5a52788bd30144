import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { SallyportError } from '@sallyport/protocol';
import type { Header } from '../../shared/http-message.ts';
import { BadMessage, isHopByHop, readAuthority } from '../../shared/http1/index.ts';
import { type H2Head, H2Incoming, pairs } from './h2-incoming.ts';
import type { Origin } from './incoming.ts';
import type { ProxyLimits } from './proxy-limits.ts';

export interface H2FrontHandler {
  onRequest(incoming: H2Incoming): void;
  /** A stream that is no request of this connection's host; it is answered here. */
  onRefused(incoming: H2Incoming, error: unknown): void;
  onActivity(): void;
  onClosed(): void;
}

const END_STREAM = constants.NGHTTP2_FLAG_END_STREAM;

/** HTTP/2 towards an agent, inside the TLS of one CONNECT. Floods are bounded by nghttp2 and end the connection. */
export class H2Front {
  readonly #session: ServerHttp2Session;
  readonly #origin: Origin;
  readonly #handler: H2FrontHandler;
  #streams = 0;

  constructor(socket: TLSSocket, origin: Origin, limits: ProxyLimits, handler: H2FrontHandler) {
    this.#origin = origin;
    this.#handler = handler;
    this.#session = performServerHandshake(socket, {
      settings: {
        maxConcurrentStreams: limits.streams,
        maxHeaderListSize: 65_536,
        initialWindowSize: 262_144,
        enablePush: false,
        enableConnectProtocol: false,
      },
      // SECURITY: resets, bad frames, header bombs, settings and pings in numbers end the connection [NE-8].
      streamResetBurst: limits.resetBurst,
      streamResetRate: limits.resetRate,
      maxSessionInvalidFrames: 100,
      maxSessionRejectedStreams: 100,
      maxHeaderListPairs: 200,
      maxOutstandingPings: 10,
      maxSettings: 16,
      maxSessionMemory: 16,
    });
    this.#session.on('stream', (stream, headers, flags, raw) =>
      // The types do not know the last argument: names and values in the order they came.
      this.#onStream(stream, headers, flags, raw as unknown as readonly string[]),
    );
    // The session waits for this, and a server's TLS socket that no `tls.Server` made never says it.
    socket.emit('secureConnect');
    this.#session.on('error', () => this.#session.destroy());
    // Half-closed is gone: a killed client says no more than this, and nobody reads an answer. The connection itself
    // must go, because a session waits for what it has still to write.
    socket.on('end', () => handler.onClosed());
    this.#session.on('close', () => handler.onClosed());
  }

  get isIdle(): boolean {
    return this.#streams === 0;
  }

  /** No new streams; those under way end. */
  goAway(): void {
    this.#session.close();
  }

  #onStream(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    flags: number,
    raw: readonly string[],
  ): void {
    this.#handler.onActivity();
    this.#streams += 1;
    stream.once('close', () => {
      this.#streams -= 1;
      this.#handler.onActivity();
    });
    const fields = pairs(raw);
    const head: H2Head = {
      method: headers[':method'] ?? '',
      target: headers[':path'] ?? '',
      headers: joinCookies(fields.filter(([name]) => !name.startsWith(':'))),
      hasBody: (flags & END_STREAM) === 0,
      bodyBytes: lengthOf(headers['content-length']),
    };
    const incoming = new H2Incoming(stream, head, this.#origin);
    try {
      checkHead(fields, headers, this.#origin);
    } catch (error) {
      this.#handler.onRefused(incoming, error);
      return;
    }
    this.#handler.onRequest(incoming);
  }
}

function lengthOf(value: string | undefined): number | undefined {
  return value !== undefined && /^(?:0|[1-9][0-9]{0,14})$/.test(value) ? Number(value) : undefined;
}

/** What nghttp2 lets through and we do not. */
function checkHead(fields: readonly Header[], headers: IncomingHttpHeaders, origin: Origin): void {
  const method = headers[':method'];
  const path = headers[':path'];
  if (method === undefined || method === 'CONNECT' || headers[':protocol'] !== undefined)
    throw new BadMessage('malformed-method');
  if (headers[':scheme'] !== origin.scheme) throw new BadMessage('unsupported-scheme');
  if (path === undefined || !/^(?:\/[\x21\x22\x24-\x7e]*|\*)$/.test(path))
    throw new BadMessage('malformed-target');
  if (path === '*' && method !== 'OPTIONS') throw new BadMessage('asterisk-form-without-options');
  checkAuthority(headers[':authority'], origin);
  let hosts = 0;
  for (const [name, value] of fields) {
    if (name === 'host') {
      hosts += 1;
      if (hosts > 1) throw new BadMessage('second-host');
      checkAuthority(value, origin);
    } else if (name === 'expect' && value.toLowerCase() !== '100-continue') {
      throw new BadMessage('unknown-expectation');
    } else if (name === 'te' ? value !== 'trailers' : isConnectionField(name)) {
      throw new BadMessage('malformed-field-name');
    }
  }
  if (headers[':authority'] === undefined && hosts === 0) throw new BadMessage('no-host');
}

function isConnectionField(name: string): boolean {
  return isHopByHop(name) && name !== 'trailer' && name !== 'te' && !name.startsWith('proxy-auth');
}

/** SECURITY: a client that shares one connection between hosts must open another: 421 [NE-4]. */
function checkAuthority(text: string | undefined, origin: Origin): void {
  if (text === undefined) return;
  const authority = readAuthority(text);
  if (authority === undefined) throw new BadMessage('malformed-host');
  const usual = origin.scheme === 'https' ? 443 : 80;
  if (authority.host !== origin.host || (authority.port ?? usual) !== origin.port)
    throw new SallyportError('HostMismatch');
}

/** HTTP/2 may cut cookies apart; what is judged and sent is one header. */
function joinCookies(headers: readonly Header[]): readonly Header[] {
  const cookies = headers.filter(([name]) => name === 'cookie');
  if (cookies.length < 2) return headers;
  const joined = cookies.map(([, value]) => value).join('; ');
  return [...headers.filter(([name]) => name !== 'cookie'), ['cookie', joined]];
}
