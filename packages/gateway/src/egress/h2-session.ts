import { type ClientHttp2Session, connect } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Destination } from '../shared/http-message.ts';
import type { Exchange } from './exchange.ts';
import { hostField } from './h1-head.ts';
import { H2Stream } from './h2-stream.ts';
import { broken } from './upstream-errors.ts';

const WINDOW_BYTES = 1_048_576;

export interface H2Owner {
  /** Its socket is closed. */
  onGone(session: H2Session): void;
  /** A stream has ended: there is room for another. */
  onRoom(session: H2Session): void;
  /** The host says that it has not looked at the request. */
  onUnsent(exchange: Exchange): void;
}

/** One connection that speaks HTTP/2, with many requests at a time. */
export class H2Session {
  /** since when it is unused; of no meaning while it is in use */
  idleSince = 0;
  readonly #session: ClientHttp2Session;
  readonly #socket: TLSSocket;
  readonly #to: Destination;
  readonly #owner: H2Owner;
  readonly #limits: { readonly headMs: number; readonly streams: number };
  readonly #authority: string;
  readonly #streams = new Set<H2Stream>();
  #isLeaving = false;

  constructor(
    socket: TLSSocket,
    to: Destination,
    owner: H2Owner,
    limits: { readonly headMs: number; readonly streams: number },
  ) {
    this.#socket = socket;
    this.#to = to;
    this.#owner = owner;
    this.#limits = limits;
    this.#authority = hostField(to);
    this.#session = connect(`https://${this.#authority}`, {
      // SECURITY: the socket whose address and certificate were checked; nothing is dialled here.
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: WINDOW_BYTES, maxHeaderListSize: 65_536 },
      maxHeaderListPairs: 200,
      maxSettings: 32,
    });
    this.#session.once('connect', (session) => {
      if (!session.destroyed) session.setLocalWindowSize(WINDOW_BYTES * 4);
    });
    this.#session.on('goaway', () => this.leave());
    // `close` follows, and tells; the streams tell their own errors.
    this.#session.on('error', () => {});
    this.#session.on('close', () => {
      this.#isLeaving = true;
      for (const stream of this.#streams) stream.fail(broken(this.#to, 'closed the connection'));
      this.#owner.onGone(this);
    });
  }

  get isIdle(): boolean {
    return this.#streams.size === 0;
  }

  get hasRoom(): boolean {
    if (this.#isLeaving || this.#session.closed || this.#session.destroyed) return false;
    const theirs = this.#session.remoteSettings?.maxConcurrentStreams ?? this.#limits.streams;
    return this.#streams.size < Math.min(theirs, this.#limits.streams);
  }

  /** Sends a request. Throws `BadRequest` when it cannot be written. */
  start(exchange: Exchange, now: number): void {
    const stream = new H2Stream(this.#session, exchange, {
      to: this.#to,
      authority: this.#authority,
      deadline: now + this.#limits.headMs,
      headMs: this.#limits.headMs,
      onDone: (done, isUnseen) => {
        this.#streams.delete(done);
        this.idleSince = performance.now();
        if (isUnseen) this.#owner.onUnsent(exchange);
        if (this.#isLeaving && this.isIdle) this.#socket.destroy();
        else this.#owner.onRoom(this);
      },
    });
    this.#streams.add(stream);
    exchange.attach(stream);
  }

  /** Takes no more requests; those under way may end. */
  leave(): void {
    this.#isLeaving = true;
    // SECURITY: not the session's own way, which waits for the host to close too: one that never does would
    // keep the connection for ever.
    if (this.isIdle) this.#socket.destroy();
  }

  close(error: Error): void {
    this.#isLeaving = true;
    for (const stream of this.#streams) stream.fail(error);
    this.#socket.destroy();
  }

  /** Called from time to time. */
  check(now: number): void {
    for (const stream of this.#streams) stream.check(now);
  }
}
