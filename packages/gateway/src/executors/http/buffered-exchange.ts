import { SallyportError } from '@sallyport/protocol';
import type { Header, OutgoingExchange, ResponseSink } from '../../shared/http-message.ts';
import { DeferredExchange } from './deferred-exchange.ts';

/** Reads the whole body, bounded, and begins the exchange with it. */
export class BufferedExchange implements OutgoingExchange {
  readonly #sink: ResponseSink;
  readonly #begin: (body: Uint8Array) => Promise<OutgoingExchange>;
  readonly #bytesAtMost: number;
  readonly #deferred = new DeferredExchange();
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(
    sink: ResponseSink,
    begin: (body: Uint8Array) => Promise<OutgoingExchange>,
    bytesAtMost: number,
  ) {
    this.#sink = sink;
    this.#begin = begin;
    this.#bytesAtMost = bytesAtMost;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#deferred.isAborted) return true;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#bytesAtMost) {
      this.abort();
      this.#sink.onError(
        new SallyportError('PayloadTooLarge', {
          message: `a body that is signed as a whole may have ${this.#bytesAtMost} bytes`,
          hint: 'send it in parts',
        }),
      );
      return true;
    }
    this.#chunks.push(chunk);
    return true;
  }

  end(_trailers?: readonly Header[]): void {
    if (this.#deferred.isAborted) return;
    const body = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#begin(body).then(
      (exchange) => {
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
    this.#deferred.abort();
  }
}
