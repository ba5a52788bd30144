import type { Socket } from 'node:net';
import type { SallyportError } from '@sallyport/protocol';
import { corkForTurn } from '../shared/cork-for-turn.ts';
import type { Destination, Header } from '../shared/http-message.ts';
import {
  BadMessage,
  ChunkedWriter,
  type ParsedResponseHead,
  type ResponseHandler,
  ResponseParser,
  withoutHopByHop,
} from '../shared/http1/index.ts';
import type { Carrier, Exchange } from './exchange.ts';
import { framingOf, headOf, hostField, unwritable } from './h1-head.ts';
import { broken, timedOut } from './upstream-errors.ts';

/** Below this, head and body go out as one piece: one record, one packet. */
const JOINED_AT_MOST = 65_536;
const UNSURE = 'it is not known whether the host has done it: look before you send it again';

/** Who keeps the connections. */
export interface H1Owner {
  /** It can take the next request. */
  onIdle(connection: H1Connection): void;
  /** Its socket is closed. */
  onGone(connection: H1Connection): void;
  /** The host had closed before it saw the request. */
  onUnsent(exchange: Exchange): void;
}

/** One connection that speaks HTTP/1.1, with one request at a time. */
export class H1Connection implements ResponseHandler, Carrier {
  /** since when it is unused; of no meaning while it is in use */
  idleSince = 0;
  /** moment by which something must have come */
  deadline = Number.POSITIVE_INFINITY;
  readonly #socket: Socket;
  readonly #to: Destination;
  readonly #hostField: string;
  readonly #owner: H1Owner;
  readonly #headMs: number;
  readonly #parser = new ResponseParser(this);
  #exchange: Exchange | undefined;
  #chunks: ChunkedWriter | undefined;
  #head: ParsedResponseHead | undefined;
  #trailers: readonly Header[] | undefined;
  #isRequestDone = true;
  #hasBytes = false;
  #served = 0;

  constructor(socket: Socket, to: Destination, owner: H1Owner, headMs: number) {
    this.#socket = socket;
    this.#to = to;
    this.#owner = owner;
    this.#headMs = headMs;
    this.#hostField = hostField(to);
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('end', () => this.#onFin());
    socket.on('drain', () => this.#exchange?.tellDrain());
    // `close` follows, and tells.
    socket.on('error', () => {});
    socket.on('close', () => this.#onClose());
  }

  get isUsable(): boolean {
    return this.#exchange === undefined && this.#socket.writable && !this.#socket.destroyed;
  }

  /** Sends a request. Throws `BadRequest`, and stays usable, when it cannot be written without doubt. */
  start(exchange: Exchange, now: number): void {
    const { request } = exchange;
    const framing = framingOf(request);
    const head = headOf(request, this.#hostField, framing);
    this.#exchange = exchange;
    this.#head = undefined;
    this.#hasBytes = false;
    this.#isRequestDone = !request.isStreamed;
    this.#chunks = framing === 'chunked' ? new ChunkedWriter(this.#socket) : undefined;
    this.deadline = now + this.#headMs;
    this.#parser.start(request.method);
    this.#send(head, request.body);
    exchange.attach(this);
  }

  #send(head: string, body: Uint8Array | undefined): void {
    const socket = this.#socket;
    corkForTurn(socket);
    if (body === undefined || body.length === 0) {
      socket.write(head, 'latin1');
    } else if (body.length <= JOINED_AT_MOST) {
      const whole = Buffer.allocUnsafe(head.length + body.length);
      whole.write(head, 0, 'latin1');
      whole.set(body, head.length);
      socket.write(whole);
    } else {
      socket.write(head, 'latin1');
      socket.write(body);
    }
  }

  write(chunk: Uint8Array): boolean {
    this.deadline = performance.now() + this.#headMs;
    return this.#chunks === undefined ? this.#socket.write(chunk) : this.#chunks.write(chunk);
  }

  end(trailers: readonly Header[]): void {
    try {
      this.#chunks?.end(trailers);
      this.#isRequestDone = true;
    } catch {
      this.#fail(unwritable());
    }
  }

  resume(): void {
    this.#socket.resume();
  }

  abort(): void {
    this.#exchange = undefined;
    this.#socket.destroy();
  }

  /** Ends it, whatever it is doing; a request under way is told. */
  close(error: Error): void {
    this.#fail(error);
  }

  /** Called from time to time. */
  check(now: number): void {
    if (now > this.deadline) this.#fail(timedOut(this.#to, 'did not begin to answer in time'));
  }

  onInformational(status: number, headers: readonly Header[]): void {
    this.#exchange?.tellInformational(status, withoutHopByHop(headers));
  }

  onHead(head: ParsedResponseHead): void {
    this.#head = head;
    this.deadline = Number.POSITIVE_INFINITY;
    this.#exchange?.tellHead({ status: head.status, headers: withoutHopByHop(head.headers) });
  }

  onBody(chunk: Buffer): void {
    if (this.#exchange?.tellBody(chunk) === false) this.#socket.pause();
  }

  // Not told here: the bytes of this portion are not all looked at yet.
  onEnd(trailers: readonly Header[]): void {
    this.#trailers = trailers;
  }

  #onData(chunk: Buffer): void {
    // SECURITY: an answer that nobody asked for would be taken for the answer to the next request.
    if (this.#exchange === undefined) {
      this.#socket.destroy();
      return;
    }
    this.#hasBytes = true;
    try {
      const used = this.#parser.push(chunk);
      if (this.#trailers !== undefined) this.#finish(this.#trailers, used < chunk.length);
    } catch (error) {
      this.#fail(this.#explain(error));
    }
  }

  #onFin(): void {
    if (this.#exchange === undefined || !this.#hasBytes) {
      this.#socket.destroy();
      return;
    }
    try {
      this.#parser.finish();
      if (this.#trailers !== undefined) this.#finish(this.#trailers, true);
    } catch (error) {
      this.#fail(this.#explain(error));
    }
  }

  #finish(trailers: readonly Header[], isSpoilt: boolean): void {
    const exchange = this.#exchange;
    const reusable = !isSpoilt && this.#isRequestDone && this.#head?.keepAlive === true;
    this.#trailers = undefined;
    this.#exchange = undefined;
    this.#served++;
    if (reusable && this.#socket.writable) {
      if (this.#socket.isPaused()) this.#socket.resume();
      this.#owner.onIdle(this);
    } else this.#socket.destroy();
    exchange?.tellEnd(trailers);
  }

  #onClose(): void {
    this.#owner.onGone(this);
    const exchange = this.#exchange;
    if (exchange === undefined) return;
    this.#exchange = undefined;
    exchange.detach();
    if (this.#hasBytes) exchange.fail(broken(this.#to, 'broke off in the middle of its answer'));
    else if (this.#served > 0 && exchange.mayRetry) this.#owner.onUnsent(exchange);
    else exchange.fail(this.#unanswered(exchange));
  }

  #unanswered(exchange: Exchange): SallyportError {
    const what = 'closed the connection without an answer';
    return broken(this.#to, what, { hint: exchange.isSafe ? 'try again' : UNSURE });
  }

  #fail(error: Error): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.#socket.destroy();
    exchange?.fail(error);
  }

  #explain(error: unknown): Error {
    if (!(error instanceof BadMessage)) return error instanceof Error ? error : new Error(String(error));
    return error.reason === 'truncated'
      ? broken(this.#to, 'broke off in the middle of its answer', { cause: error })
      : broken(this.#to, `sent what is not plain HTTP/1.1 (${error.reason})`, { cause: error });
  }
}
