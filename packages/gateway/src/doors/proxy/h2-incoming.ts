import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Header } from '../../shared/http-message.ts';
import { lowerFieldName } from '../../shared/http1/index.ts';
import type { BodyListener, Incoming, Origin } from './incoming.ts';

export interface H2Head {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly hasBody: boolean;
  readonly bodyBytes: number | undefined;
}

/** A request on one stream of an HTTP/2 connection. */
export class H2Incoming implements Incoming {
  readonly protocol = 'h2';
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly hasBody: boolean;
  readonly bodyBytes: number | undefined;
  readonly upgrade = undefined;
  listener: BodyListener | undefined;
  onDrain: (() => void) | undefined;
  onLeft: (() => void) | undefined;
  readonly #stream: ServerHttp2Stream;
  readonly #leaving = new AbortController();
  readonly #takesTrailers: boolean;
  #mustContinue: boolean;
  #isReading = false;
  #trailers: readonly Header[] = [];
  /** a head that waits for what follows it */
  #held: OutgoingHttpHeaders | undefined;
  #isDone = false;

  constructor(stream: ServerHttp2Stream, head: H2Head, origin: Origin) {
    this.#stream = stream;
    this.scheme = origin.scheme;
    this.host = origin.host;
    this.port = origin.port;
    this.method = head.method;
    this.target = head.target;
    this.headers = head.headers;
    this.hasBody = head.hasBody;
    this.bodyBytes = head.bodyBytes;
    this.#takesTrailers = head.headers.some(([name, value]) => name === 'te' && value === 'trailers');
    this.#mustContinue = head.headers.some(([name]) => name === 'expect');
    stream.on('error', () => {});
    stream.on('close', () => {
      // Also after a whole answer: then nobody listens any more.
      this.#leaving.abort(new Error('the agent left'));
      this.onLeft?.();
      this.#finish();
    });
    stream.on('drain', () => this.onDrain?.());
  }

  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  get hasAnswered(): boolean {
    return this.#stream.headersSent || this.#held !== undefined;
  }

  resume(): void {
    const stream = this.#stream;
    if (this.#isDone || stream.destroyed) return;
    if (this.#mustContinue) {
      this.#mustContinue = false;
      if (!stream.headersSent) stream.additionalHeaders({ ':status': 100 });
    }
    if (!this.#isReading) {
      this.#isReading = true;
      let trailers: readonly Header[] = [];
      stream.on('trailers', (_headers: unknown, _flags: number, raw?: readonly string[]) => {
        trailers = pairs(raw ?? []);
      });
      stream.on('data', (chunk: Buffer) => this.listener?.onBody(chunk));
      stream.on('end', () => this.listener?.onBodyEnd(trailers));
    }
    stream.resume();
  }

  pause(): void {
    this.#stream.pause();
  }

  informational(status: number, headers: readonly Header[]): void {
    if (this.#isDone || this.#stream.destroyed || this.#stream.headersSent) return;
    try {
      this.#stream.additionalHeaders({ ':status': status, ...fieldsOf(headers) });
    } catch {
      // Nobody needs an interim answer that HTTP/2 cannot carry.
    }
  }

  head(status: number, headers: readonly Header[]): void {
    const stream = this.#stream;
    if (this.#isDone || stream.destroyed || this.hasAnswered) return;
    const fields: OutgoingHttpHeaders = { ':status': status, ...fieldsOf(headers) };
    // A gRPC call that failed at once is a single frame, head and end: its client takes anything else for broken.
    if (fields['grpc-status'] === undefined) this.#respond(fields);
    else this.#held = fields;
  }

  #respond(fields: OutgoingHttpHeaders): void {
    const stream = this.#stream;
    const waitForTrailers = this.#takesTrailers;
    if (waitForTrailers) stream.on('wantTrailers', () => this.#sendTrailers());
    stream.respond(fields, { waitForTrailers });
  }

  #sendTrailers(): void {
    try {
      this.#stream.sendTrailers(fieldsOf(this.#trailers));
    } catch {
      // SECURITY: a server chooses them. What HTTP/2 cannot carry ends this answer, not the gateway [NE-8].
      this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    }
  }

  write(chunk: Uint8Array): boolean {
    const stream = this.#stream;
    if (this.#isDone || stream.destroyed || stream.writableEnded || this.method === 'HEAD') return true;
    this.#release();
    return stream.write(chunk);
  }

  end(trailers: readonly Header[]): void {
    const stream = this.#stream;
    if (this.#isDone || stream.destroyed) return;
    this.#trailers = trailers;
    this.#finish();
    if (this.#held === undefined || trailers.length > 0) {
      this.#release();
      stream.end();
    } else this.#release({ endStream: true });
    // A body that nobody wanted any more: the rest is not read.
    if (this.hasBody && !stream.readableEnded) {
      stream.once('finish', () => stream.close(constants.NGHTTP2_NO_ERROR));
      stream.resume();
    }
  }

  #release(options?: { readonly endStream: true }): void {
    const fields = this.#held;
    if (fields === undefined) return;
    this.#held = undefined;
    try {
      if (options === undefined) this.#respond(fields);
      else this.#stream.respond(fields, options);
    } catch {
      // What cannot be written towards the agent is not a head that a sane server sends.
      this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    }
  }

  abort(): void {
    if (this.#stream.destroyed) return;
    this.#finish();
    this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  #finish(): void {
    this.#isDone = true;
    this.listener = undefined;
    this.onDrain = undefined;
  }
}

/** A flat list of names and values, as HTTP/2 has it. */
export function pairs(raw: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) headers.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return headers;
}

function fieldsOf(headers: readonly Header[]): Record<string, string | string[]> {
  // No prototype: `constructor` and `__proto__` are names like any other.
  const fields: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of headers) {
    const lower = lowerFieldName(name);
    const known = fields[lower];
    if (known === undefined) fields[lower] = value;
    else if (Array.isArray(known)) known.push(value);
    else fields[lower] = [known, value];
  }
  return fields;
}
