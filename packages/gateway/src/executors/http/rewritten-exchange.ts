import type { BodyRewriter } from '../../credentials/index.ts';
import type { Header, OutgoingExchange } from '../../shared/http-message.ts';

/** An exchange whose body is changed on its way: a signature in every chunk. A body that cannot be read is cut off. */
export class RewrittenExchange implements OutgoingExchange {
  readonly #exchange: OutgoingExchange;
  readonly #rewriter: BodyRewriter;
  readonly #onProblem: (error: unknown) => void;

  constructor(exchange: OutgoingExchange, rewriter: BodyRewriter, onProblem: (error: unknown) => void) {
    this.#exchange = exchange;
    this.#rewriter = rewriter;
    this.#onProblem = onProblem;
  }

  write(chunk: Uint8Array): boolean {
    return this.#try(() => this.#rewriter.push(chunk));
  }

  end(trailers?: readonly Header[]): void {
    if (this.#try(() => this.#rewriter.end(), true)) this.#exchange.end(trailers);
  }

  resume(): void {
    this.#exchange.resume();
  }

  abort(): void {
    this.#exchange.abort();
  }

  /** Whether more may be written; `regardless`: whether it worked at all. */
  #try(change: () => readonly Uint8Array[], regardless = false): boolean {
    let mayGoOn = true;
    try {
      for (const piece of change()) mayGoOn = this.#exchange.write(piece);
    } catch (error) {
      // SECURITY: half a body that was not what it said must not look complete.
      this.#exchange.abort();
      this.#onProblem(error);
      return false;
    }
    return regardless || mayGoOn;
  }
}
