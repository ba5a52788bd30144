import { SallyportError } from '@sallyport/protocol';
import type {
  Header,
  OutgoingExchange,
  OutgoingRequest,
  ResponseHead,
  ResponseSink,
} from '../shared/http-message.ts';

/** What a request travels on: an HTTP/1.1 connection or one stream of an HTTP/2 one. */
export interface Carrier {
  /** false: `tellDrain` follows */
  write(chunk: Uint8Array): boolean;
  end(trailers: readonly Header[]): void;
  resume(): void;
  /** Nothing more is told to the exchange. */
  abort(): void;
}

export interface ExchangeOptions {
  readonly signal: AbortSignal;
  readonly preferH2: boolean;
  /** the caller calls `abort` when the signal aborts: nothing here listens to it */
  readonly isWatched?: boolean | undefined;
}

/** Methods that change nothing, so that sending them twice is no harm. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
const NO_TRAILERS: readonly Header[] = [];

/**
 * One request and its answer. Until there is something to carry it, it holds what is written; afterwards it
 * hands on. INVARIANT: after `onEnd` or `onError`, and after `abort`, nothing is told.
 */
export class Exchange implements OutgoingExchange {
  readonly request: OutgoingRequest;
  readonly preferH2: boolean;
  /** it was sent on a connection that turned out to be closed */
  wasRetried = false;
  /** moment after which it no longer waits for a connection */
  deadline = Number.POSITIVE_INFINITY;
  readonly #sink: ResponseSink;
  readonly #signal: AbortSignal;
  readonly #isListening: boolean;
  #carrier: Carrier | undefined;
  #cancel: (() => void) | undefined;
  #held: Uint8Array[] | undefined;
  #written = 0;
  #isEnded: boolean;
  #trailers = NO_TRAILERS;
  #isDone = false;

  constructor(request: OutgoingRequest, sink: ResponseSink, options: ExchangeOptions) {
    const { signal, preferH2 } = options;
    this.request = request;
    this.preferH2 = preferH2;
    this.#sink = sink;
    this.#signal = signal;
    this.#isEnded = !request.isStreamed;
    this.#isListening = options.isWatched !== true;
    if (this.#isListening) signal.addEventListener('abort', this);
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  get isSafe(): boolean {
    return SAFE.has(this.request.method);
  }

  /** SECURITY: a write that may have arrived is never sent again: upstream sees it once or never. */
  get mayRetry(): boolean {
    return this.isSafe && !this.request.isStreamed && !this.wasRetried;
  }

  /** The signal aborted. */
  handleEvent(): void {
    const { reason } = this.#signal;
    this.#drop(reason instanceof Error ? reason : new Error('aborted', { cause: reason }));
  }

  /** What ends the wait for a connection when the exchange is given up. */
  onCancel(cancel: (() => void) | undefined): void {
    this.#cancel = cancel;
  }

  /** From now on this carries it; the head has been sent. */
  attach(carrier: Carrier): void {
    this.#carrier = carrier;
    this.#cancel = undefined;
    const held = this.#held;
    this.#held = undefined;
    let ready = true;
    for (const chunk of held ?? []) ready = carrier.write(chunk);
    if (this.#isDone) return;
    if (this.#isEnded) {
      if (this.request.isStreamed) carrier.end(this.#trailers);
    } else if (held !== undefined && ready) this.#sink.onDrain();
  }

  /** The carrier is gone and the exchange waits for another. */
  detach(): void {
    this.#carrier = undefined;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#isDone || chunk.length === 0) return true;
    this.#written += chunk.length;
    const { streamedBytes } = this.request;
    if (this.#isEnded || (streamedBytes !== undefined && this.#written > streamedBytes)) {
      this.#drop(misframed('is longer than was said'));
      return true;
    }
    if (this.#carrier !== undefined) return this.#carrier.write(chunk);
    this.#held ??= [];
    this.#held.push(chunk);
    return false;
  }

  end(trailers: readonly Header[] = NO_TRAILERS): void {
    if (this.#isDone || this.#isEnded) return;
    const { streamedBytes } = this.request;
    // SECURITY: what follows on the connection would be taken for the rest of this body.
    if (streamedBytes !== undefined && this.#written < streamedBytes) {
      this.#drop(misframed('is shorter than was said'));
      return;
    }
    this.#isEnded = true;
    this.#trailers = trailers;
    this.#carrier?.end(trailers);
  }

  resume(): void {
    if (!this.#isDone) this.#carrier?.resume();
  }

  abort(): void {
    if (!this.#isDone) this.#close();
  }

  tellInformational(status: number, headers: readonly Header[]): void {
    if (!this.#isDone) this.#sink.onInformational(status, headers);
  }

  tellHead(head: ResponseHead): void {
    if (!this.#isDone) this.#sink.onHead(head);
  }

  tellBody(chunk: Uint8Array): boolean {
    return this.#isDone || this.#sink.onBody(chunk);
  }

  tellDrain(): void {
    if (!this.#isDone && !this.#isEnded) this.#sink.onDrain();
  }

  tellEnd(trailers: readonly Header[]): void {
    if (this.#isDone) return;
    this.#carrier = undefined;
    this.#close();
    this.#sink.onEnd(trailers);
  }

  /** It came to nothing; whoever carried it has let go of it. */
  fail(error: Error): void {
    if (this.#isDone) return;
    this.#carrier = undefined;
    this.#close();
    this.#sink.onError(error);
  }

  #drop(error: Error): void {
    if (this.#isDone) return;
    this.#close();
    this.#sink.onError(error);
  }

  #close(): void {
    this.#isDone = true;
    if (this.#isListening) this.#signal.removeEventListener('abort', this);
    const carrier = this.#carrier;
    const cancel = this.#cancel;
    this.#carrier = undefined;
    this.#cancel = undefined;
    this.#held = undefined;
    carrier?.abort();
    cancel?.();
  }
}

function misframed(what: string): SallyportError {
  return new SallyportError('BadRequest', { message: `the body of the request ${what}` });
}
