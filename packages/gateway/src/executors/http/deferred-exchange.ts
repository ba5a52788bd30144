import type { Header, OutgoingExchange } from '../../shared/http-message.ts';

/**
 * Stands for an exchange until it has begun: while a credential is read. It takes one chunk and then asks to wait,
 * so nothing piles up.
 */
export class DeferredExchange implements OutgoingExchange {
  #begun: OutgoingExchange | undefined;
  #waiting: Uint8Array[] = [];
  #end: { readonly trailers: readonly Header[] | undefined } | undefined;
  #isAborted = false;

  get isAborted(): boolean {
    return this.#isAborted;
  }

  /** From now on everything goes to the real one. `onDrain` tells the writer when it had to wait. */
  begin(exchange: OutgoingExchange, onDrain: () => void): void {
    this.#begun = exchange;
    if (this.#isAborted) {
      exchange.abort();
      return;
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    let mayGoOn = true;
    for (const chunk of waiting) mayGoOn = exchange.write(chunk);
    if (this.#end !== undefined) exchange.end(this.#end.trailers);
    else if (waiting.length > 0 && mayGoOn) onDrain();
  }

  write(chunk: Uint8Array): boolean {
    if (this.#begun !== undefined) return this.#begun.write(chunk);
    this.#waiting.push(chunk);
    return false;
  }

  end(trailers?: readonly Header[]): void {
    if (this.#begun !== undefined) this.#begun.end(trailers);
    else this.#end = { trailers };
  }

  resume(): void {
    this.#begun?.resume();
  }

  abort(): void {
    this.#isAborted = true;
    this.#waiting = [];
    this.#begun?.abort();
  }
}
