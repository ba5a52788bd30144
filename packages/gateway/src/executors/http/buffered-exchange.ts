import { SallyportError } from '@sallyport/protocol';
import type { Header, OutgoingExchange, ResponseSink } from '../../shared/http-message.ts';
import { DeferredExchange } from './deferred-exchange.ts';

/** Reads the whole body, bounded, and begins the exchange with it. */
export class BufferedExchange implements OutgoingExchange {
  readonly #sink: ResponseSink;
  readonly #begin: (body: Uint8Array) => Promise<OutgoingExchange>;
  readonly #room: BodyRoom;
  readonly #deferred = new DeferredExchange();
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(sink: ResponseSink, begin: (body: Uint8Array) => Promise<OutgoingExchange>, room: BodyRoom) {
    this.#sink = sink;
    this.#begin = begin;
    this.#room = room;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#deferred.isAborted) return true;
    const { each } = this.#room;
    if (this.#bytes + chunk.length > each) {
      this.#refuse(
        new SallyportError('PayloadTooLarge', {
          message: `a body that is signed as a whole may have ${each} bytes`,
          hint: 'send it in parts',
        }),
      );
      return true;
    }
    // SECURITY: many at once would take the memory of the whole gateway [NE-8].
    if (!this.#room.take(chunk.length)) {
      this.#refuse(
        new SallyportError('Unavailable', {
          message: 'too many bodies are read to be signed at this moment',
          hint: 'wait until other requests have ended, then try again',
        }),
      );
      return true;
    }
    this.#bytes += chunk.length;
    this.#chunks.push(chunk);
    return true;
  }

  end(_trailers?: readonly Header[]): void {
    if (this.#deferred.isAborted) return;
    const body = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#begin(body).then(
      (exchange) => {
        this.#release();
        this.#deferred.begin(exchange, () => {});
      },
      (error: unknown) => {
        if (this.#deferred.isAborted) return;
        this.abort();
        this.#sink.onError(error instanceof Error ? error : new SallyportError('CredentialUnavailable'));
      },
    );
  }

  resume(): void {
    this.#deferred.resume();
  }

  abort(): void {
    this.#chunks = [];
    this.#release();
    this.#deferred.abort();
  }

  #refuse(error: SallyportError): void {
    this.abort();
    this.#sink.onError(error);
  }

  #release(): void {
    this.#room.give(this.#bytes);
    this.#bytes = 0;
  }
}

/** Memory for bodies that must be read as a whole. */
export class BodyRoom {
  /** bytes that one body may have */
  readonly each: number;
  readonly #all: number;
  #taken = 0;

  constructor({ each, all }: { readonly each: number; readonly all: number }) {
    this.each = each;
    this.#all = all;
  }

  /** False when all of them together would have too much. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#all) return false;
    this.#taken += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#taken -= bytes;
  }
}
