import type { Duplex } from 'node:stream';
import { SallyportError } from '@sallyport/protocol';
import { ScrubPlan, ScrubStream } from '../../credentials/index.ts';
import type { Header, OutgoingExchange, ResponseHead, ResponseSink } from '../../shared/http-message.ts';
import { lowerFieldName } from '../../shared/http1/index.ts';
import type { Secret } from '../../shared/secret.ts';
import { codingsOf, createContentDecoder } from './content-decoder.ts';

/** What is about the encoded bytes, and wrong once they are decoded. */
const OF_ENCODED_BYTES: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-length',
  'content-digest',
  'digest',
  'content-md5',
]);

export interface ScrubbingOwner {
  /** takes `Set-Cookie` of the host: those stay on our side */
  readonly keepCookie: (value: string) => void;
  /** how many places were overwritten, once it is known */
  readonly onDone: (hits: number) => void;
}

/** The answer to a request with a credential cannot be looked into. */
export function unreadable(): SallyportError {
  return new SallyportError('UpstreamBroken', {
    message: 'the answer is encoded in a way that cannot be looked into',
    hint: 'ask for `gzip` or for no encoding at all',
  });
}

/** Stands between upstream and the agent, both ways: what comes back holds no value that was lent. */
export class ScrubbingSink implements ResponseSink, OutgoingExchange {
  readonly #plan: ScrubPlan;
  readonly #sink: ResponseSink;
  readonly #owner: ScrubbingOwner;
  readonly #stream: ScrubStream;
  #exchange: OutgoingExchange | undefined;
  /** what the body is wrapped in; a decoder is opened for its first byte, if one ever comes */
  #codings: readonly string[] = [];
  #decoder: Duplex | undefined;
  #hitsInHeads = 0;
  #isOver = false;
  #isHeld = false;
  #trailers: readonly Header[] = [];

  constructor(plan: ScrubPlan, sink: ResponseSink, owner: ScrubbingOwner) {
    this.#plan = plan;
    this.#sink = sink;
    this.#owner = owner;
    this.#stream = new ScrubStream(plan);
  }

  /** The exchange that the door sees: reading goes on through the decoder, if there is one. */
  attach(exchange: OutgoingExchange): OutgoingExchange {
    this.#exchange = exchange;
    return this;
  }

  write(chunk: Uint8Array): boolean {
    return this.#exchange?.write(chunk) ?? true;
  }

  end(trailers?: readonly Header[]): void {
    this.#exchange?.end(trailers);
  }

  abort(): void {
    this.#finish();
    this.#exchange?.abort();
  }

  onInformational(status: number, headers: readonly Header[]): void {
    this.#sink.onInformational(status, this.#clean(headers));
  }

  onHead({ status, headers }: ResponseHead): void {
    const clean = this.#clean(headers);
    const codings = codingsOf(clean);
    if (codings === 'unknown') {
      // SECURITY: what cannot be looked into may hold the value.
      this.#fail(unreadable());
      return;
    }
    if (codings.length === 0) {
      this.#sink.onHead({ status, headers: clean });
      return;
    }
    this.#codings = codings;
    const plain = clean.filter(([name]) => !OF_ENCODED_BYTES.has(name.toLowerCase()));
    this.#sink.onHead({ status, headers: plain });
  }

  onBody(chunk: Uint8Array): boolean {
    if (this.#isOver) return true;
    if (this.#codings.length > 0) {
      this.#decoder ??= this.#openDecoder(this.#codings);
      return this.#decoder.write(chunk);
    }
    const piece = this.#stream.push(chunk);
    return piece.length === 0 || this.#sink.onBody(piece);
  }

  onEnd(trailers: readonly Header[]): void {
    if (this.#isOver) return;
    this.#trailers = trailers;
    if (this.#decoder === undefined) this.#complete();
    else this.#decoder.end();
  }

  onError(error: Error): void {
    if (this.#isOver) return;
    this.#finish();
    this.#sink.onError(error);
  }

  onDrain(): void {
    this.#sink.onDrain();
  }

  /** Headers without lent values; cookies are kept back. */
  #clean(headers: readonly Header[]): readonly Header[] {
    const plan = this.#plan;
    // Most heads hold nothing: one look at all of it tells.
    if (!hasCookie(headers) && isClean(headers, plan)) return headers;
    const kept: Header[] = [];
    for (const header of headers) {
      if (header[0].toLowerCase() === 'set-cookie') {
        this.#owner.keepCookie(header[1]);
        continue;
      }
      const line = `${header[0]}\n${header[1]}`;
      const clean = plan.text(line);
      if (clean === line) {
        kept.push(header);
        continue;
      }
      this.#hitsInHeads += 1;
      const border = header[0].length;
      // A star is a valid letter of a header's name.
      kept.push([clean.slice(0, border).replace('\n', '*'), clean.slice(border + 1)]);
    }
    return kept;
  }

  #openDecoder(codings: readonly string[]): Duplex {
    const decoder = createContentDecoder(codings);
    decoder.on('data', (chunk: Uint8Array) => {
      if (this.#isOver) return;
      const piece = this.#stream.push(chunk);
      if (piece.length > 0 && !this.#sink.onBody(piece)) {
        this.#isHeld = true;
        decoder.pause();
      }
    });
    decoder.on('drain', () => this.#exchange?.resume());
    decoder.on('end', () => this.#complete());
    decoder.on('error', () =>
      this.#fail(
        new SallyportError('UpstreamBroken', {
          message: 'the body is not encoded as its head says',
          hint: 'try again, or ask for no encoding at all',
        }),
      ),
    );
    return decoder;
  }

  resume(): void {
    if (this.#decoder === undefined) {
      this.#exchange?.resume();
      return;
    }
    if (this.#isHeld) {
      this.#isHeld = false;
      this.#decoder.resume();
    }
  }

  #complete(): void {
    if (this.#isOver) return;
    const rest = this.#stream.end();
    if (rest !== undefined) this.#sink.onBody(rest);
    const trailers = this.#clean(this.#trailers);
    this.#finish();
    this.#sink.onEnd(trailers);
  }

  #fail(error: Error): void {
    if (this.#isOver) return;
    this.#finish();
    this.#exchange?.abort();
    this.#sink.onError(error);
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#decoder?.destroy();
    this.#owner.onDone(this.#stream.hits + this.#hitsInHeads);
  }
}

function hasCookie(headers: readonly Header[]): boolean {
  for (const header of headers) if (lowerFieldName(header[0]) === 'set-cookie') return true;
  return false;
}

function isClean(headers: readonly Header[], plan: ScrubPlan): boolean {
  if (plan.isEmpty || headers.length === 0) return true;
  let text = '';
  for (const header of headers) text += `${header[0]}\n${header[1]}\n`;
  return !plan.mayHold(text) || plan.overwrite(Buffer.from(text, 'latin1')) === 0;
}

/** Plans take a while to make and are the same for every request with the same values. */
export class ScrubPlans {
  readonly #known = new WeakMap<Secret, { readonly values: readonly Secret[]; readonly plan: ScrubPlan }>();

  planFor(values: readonly Secret[]): ScrubPlan {
    const [first] = values;
    if (first === undefined) return new ScrubPlan([]);
    const known = this.#known.get(first);
    if (known !== undefined && sameSecrets(known.values, values)) return known.plan;
    const plan = new ScrubPlan(values);
    this.#known.set(first, { values, plan });
    return plan;
  }
}

function sameSecrets(one: readonly Secret[], other: readonly Secret[]): boolean {
  return one.length === other.length && one.every((secret, index) => secret === other[index]);
}
