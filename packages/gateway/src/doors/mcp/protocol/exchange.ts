import type { HttpAnswer } from '../../../shared/http-message.ts';
import type { EventStream } from './event-stream.ts';

/** A request that takes longer is answered on a stream, whose beats keep the connection alive, in ms */
const STREAM_AFTER_MS = 5_000;

export interface ExchangeOptions {
  readonly response: HttpAnswer;
  readonly headers: Readonly<Record<string, string>>;
  /** whether the client takes server-sent events */
  readonly takesStream: boolean;
  /** a client that lost the stream has so long to come back, in ms */
  readonly graceMs: number;
  readonly openStream: (onDetached: () => void) => EventStream;
  readonly closeStream: (stream: EventStream) => void;
}

/**
 * One request of a client and the way its answer goes: one JSON text when nothing else is said before it, else a
 * stream of events that ends with it.
 */
export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #left = new AbortController();
  #stream: EventStream | undefined;
  #soon: NodeJS.Timeout | undefined;
  #grace: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    const { response, takesStream } = options;
    response.once('close', () => {
      // SECURITY: an answer that nobody can get any more is not worked for.
      if (this.#stream === undefined && !this.#isOver) this.abort();
    });
    if (takesStream) this.#soon = setTimeout(() => this.hold(), STREAM_AFTER_MS);
  }

  /** aborts when the client cancelled, or left and did not come back; after an answer, by `drop` alone */
  get signal(): AbortSignal {
    return this.#left.signal;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** From now on it is a stream: the answer will take its time. */
  hold(): void {
    const { response, headers, takesStream, openStream, graceMs } = this.#options;
    if (this.#isOver || this.#stream !== undefined || !takesStream) return;
    clearTimeout(this.#soon);
    this.#stream = openStream(() => {
      this.#grace = setTimeout(() => this.abort(), graceMs).unref();
    });
    this.#stream.attach(response, headers);
  }

  /** The client lost the stream and is back. */
  resume(response: HttpAnswer, headers: Readonly<Record<string, string>>, after: number): void {
    clearTimeout(this.#grace);
    this.#stream?.attach(response, headers, after);
  }

  /** Says something before the answer. False when this client cannot be told so here. */
  tell(message: string): boolean {
    if (this.#isOver || !this.#options.takesStream) return false;
    this.hold();
    this.#stream?.send(message);
    return true;
  }

  finish(answer: string): void {
    if (this.#isOver) return;
    this.#end();
    if (this.#stream !== undefined) {
      this.#stream.send(answer);
      this.#close();
      return;
    }
    const { response, headers } = this.#options;
    if (response.destroyed) return;
    response.writeHead(200, {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(answer),
    });
    // As text, so that node sends head and body as one piece.
    response.end(answer);
  }

  /** Ends what goes on although its client was answered. */
  drop(): void {
    this.#left.abort();
  }

  /** No answer comes: it was cancelled. */
  abort(): void {
    if (this.#isOver) return;
    this.#end();
    if (this.#stream !== undefined) this.#close();
    else if (!this.#options.response.destroyed) {
      this.#options.response.writeHead(202, { ...this.#options.headers });
      this.#options.response.end();
    }
    this.#left.abort();
  }

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#soon);
    clearTimeout(this.#grace);
  }

  #close(): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    stream.end();
    this.#options.closeStream(stream);
  }
}
