import type { Duplex } from 'node:stream';
import type { Header } from '../../shared/http-message.ts';
import { type RequestHandler, type RequestHead, RequestParser } from '../../shared/http1/index.ts';
import { type H1Carrier, H1Incoming } from './h1-incoming.ts';
import type { Origin } from './incoming.ts';

/** Bytes of later requests that are read while one is under way: enough to notice that the agent left. */
const READ_AHEAD = 65_536;

/** What the loop waits for; whoever watches the clock asks. */
export type LoopState = 'idle' | 'head' | 'body' | 'busy' | 'linger';

export interface H1LoopHandler {
  /** Where the request goes; throws what refuses it. */
  originOf(head: RequestHead): Origin;
  onRequest(incoming: H1Incoming, head: RequestHead): void;
  /** A message that cannot be read; it must be answered with `answerLast`. `of`: the request whose body it is. */
  onBadMessage(error: unknown, of: H1Incoming | undefined): void;
  /** something came or went: deadlines start anew */
  onActivity(): void;
}

/** Reads requests from one connection, one after the other, and never two at once. */
export class H1Loop implements RequestHandler, H1Carrier {
  readonly socket: Duplex;
  readonly signal: AbortSignal;
  readonly #handler: H1LoopHandler;
  readonly #parser: RequestParser;
  #pending: Buffer | undefined;
  #current: H1Incoming | undefined;
  /** a head that was read and not told yet */
  #pendingHead: RequestHead | undefined;
  #isDriving = false;
  #isDetached = false;
  #isLingering = false;
  #isBodyDone = true;

  constructor(socket: Duplex, side: 'proxy' | 'server', signal: AbortSignal, handler: H1LoopHandler) {
    this.socket = socket;
    this.signal = signal;
    this.#handler = handler;
    this.#parser = new RequestParser(this, side);
    socket.on('data', this.#onData);
    socket.on('drain', this.#onDrain);
    // One for all requests: to add and remove one for each costs more than reading its head.
    signal.addEventListener('abort', () => this.#current?.onLeft?.(), { once: true });
    // It may have been paused by whoever had it before.
    socket.resume();
  }

  get state(): LoopState {
    if (this.#isLingering) return 'linger';
    if (this.#isDetached) return 'busy';
    if (this.#current !== undefined) return !this.#isBodyDone && this.#current.isBodyWanted ? 'body' : 'busy';
    return this.#parser.isIdle ? 'idle' : 'head';
  }

  onHead(head: RequestHead): void {
    const origin = this.#handler.originOf(head);
    this.#isBodyDone = false;
    const incoming = new H1Incoming(head, origin, this);
    this.#current = incoming;
    this.#pendingHead = head;
  }

  onBody(chunk: Buffer): void {
    this.#current?.listener?.onBody(chunk);
  }

  onEnd(trailers: readonly Header[]): void {
    this.#isBodyDone = true;
    this.#current?.listener?.onBodyEnd(trailers);
  }

  mayKeepAlive(): boolean {
    return this.#isBodyDone;
  }

  readBody(wanted: boolean): void {
    if (wanted) this.#drive();
  }

  onAnswered(isLast: boolean): void {
    this.#current = undefined;
    this.#handler.onActivity();
    if (isLast || !this.#isBodyDone) {
      this.#linger();
      return;
    }
    this.#parser.next();
    this.#drive();
  }

  /** Answers bytes that are no request, and ends the connection. */
  answerLast(answer: string): void {
    if (this.#isDetached || this.#isLingering) return;
    this.socket.write(answer, 'latin1');
    this.#linger();
  }

  detach(): Duplex {
    this.#isDetached = true;
    this.#current = undefined;
    this.socket.off('data', this.#onData);
    this.socket.off('drain', this.#onDrain);
    this.socket.pause();
    const rest = this.#pending;
    this.#pending = undefined;
    if (rest !== undefined && rest.length > 0) this.socket.unshift(rest);
    return this.socket;
  }

  cut(): void {
    // What was answered last must still arrive, …
    if (this.#isLingering) return;
    // … and so must what was said so far: half an answer shows that it is half.
    this.socket.uncork();
    this.socket.destroy();
  }

  /** The rest is read and dropped for a while: a reset would take the answer with it. */
  #linger(): void {
    this.#isLingering = true;
    this.#pending = undefined;
    this.#current = undefined;
    this.socket.end();
    this.socket.resume();
    this.#handler.onActivity();
  }

  readonly #onDrain = (): void => this.#current?.onDrain?.();

  readonly #onData = (chunk: Buffer): void => {
    if (this.#isLingering) return;
    this.#handler.onActivity();
    this.#pending = this.#pending === undefined ? chunk : Buffer.concat([this.#pending, chunk]);
    this.#drive();
  };

  #drive(): void {
    // A listener may ask for more while it is being told something: the loop that runs goes on.
    if (this.#isDriving || this.#isDetached || this.#isLingering) return;
    this.#isDriving = true;
    try {
      while (this.#mayRead() && this.#step());
    } catch (error) {
      this.#pending = undefined;
      this.#handler.onBadMessage(error, this.#current);
    } finally {
      this.#isDriving = false;
    }
    this.#throttle();
  }

  #mayRead(): boolean {
    if (this.#isDetached || this.#isLingering || this.#pending === undefined) return false;
    const current = this.#current;
    return current === undefined || (!this.#isBodyDone && current.isBodyWanted);
  }

  /** Reads one head or one portion of a body; false when nothing is left. */
  #step(): boolean {
    const chunk = this.#pending;
    if (chunk === undefined) return false;
    const taken = this.#parser.push(chunk);
    if (this.#isDetached) return false;
    this.#pending = taken === chunk.length ? undefined : chunk.subarray(taken);
    const head = this.#pendingHead;
    if (head !== undefined && this.#current !== undefined) {
      this.#pendingHead = undefined;
      this.#handler.onRequest(this.#current, head);
    }
    return this.#pending !== undefined;
  }

  #throttle(): void {
    if (this.#isDetached || this.#isLingering) return;
    const isFull = (this.#pending?.length ?? 0) >= READ_AHEAD;
    if (isFull && !this.#mayRead()) this.socket.pause();
    else if (this.socket.isPaused()) this.socket.resume();
  }
}
