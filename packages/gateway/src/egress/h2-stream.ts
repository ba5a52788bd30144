import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2';
import { SallyportError } from '@sallyport/protocol';
import type { Destination, Header, OutgoingRequest } from '../shared/http-message.ts';
import { isHopByHop, lowerFieldName, withoutHopByHop } from '../shared/http1/index.ts';
import type { Carrier, Exchange } from './exchange.ts';
import { broken, timedOut } from './upstream-errors.ts';

const MOST_INFORMATIONAL = 16;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that a value must not have
const UNWRITABLE = /[\x00-\x08\x0a-\x1f\x7f]|[^\x00-\xff]/;
const CODES: ReadonlyMap<number, string> = new Map(
  Object.entries(constants).flatMap(([name, code]) =>
    /^NGHTTP2_(?:NO_ERROR|[A-Z_]+_ERROR|REFUSED_STREAM|CANCEL|ENHANCE_YOUR_CALM|HTTP_1_1_REQUIRED)$/.test(
      name,
    ) &&
    typeof code === 'number' &&
    code >= 0
      ? [[code, name.slice('NGHTTP2_'.length)] as const]
      : [],
  ),
);

export interface H2StreamOptions {
  readonly to: Destination;
  readonly authority: string;
  readonly deadline: number;
  readonly headMs: number;
  /** The stream is over. `isUnseen`: the host has not looked at the request, which may be sent again. */
  readonly onDone: (stream: H2Stream, isUnseen: boolean) => void;
}

/** One request on an HTTP/2 connection. */
export class H2Stream implements Carrier {
  readonly #stream: ClientHttp2Stream;
  readonly #exchange: Exchange;
  readonly #options: H2StreamOptions;
  #deadline: number;
  #trailers: readonly Header[] = [];
  #informational = 0;
  #hasHead = false;
  #isDone = false;

  /** Throws `BadRequest` when the request cannot be written. */
  constructor(session: ClientHttp2Session, exchange: Exchange, options: H2StreamOptions) {
    const { request } = exchange;
    this.#exchange = exchange;
    this.#options = options;
    this.#deadline = options.deadline;
    const body = request.body !== undefined && request.body.length > 0 ? request.body : undefined;
    this.#stream = open(
      session,
      fieldsOf(request, options.authority),
      request.isStreamed,
      body === undefined,
    );
    this.#listen(this.#stream);
    if (body !== undefined) this.#stream.end(body);
  }

  #listen(stream: ClientHttp2Stream): void {
    stream.on('headers', (_headers, _flags, raw) => this.#onInformational(raw as readonly string[]));
    stream.on('response', (_headers, _flags, raw) => this.#onResponse(raw as readonly string[]));
    stream.on('trailers', (_headers, _flags, raw) => {
      this.#trailers = withoutHopByHop(pairs(raw as readonly string[]));
    });
    stream.on('data', (chunk: Buffer) => {
      if (!this.#isDone && !this.#exchange.tellBody(chunk)) stream.pause();
    });
    stream.on('drain', () => this.#exchange.tellDrain());
    stream.on('end', () => this.#onEnd());
    // `close` follows, and tells.
    stream.on('error', () => {});
    stream.on('close', () => this.#onClose());
  }

  write(chunk: Uint8Array): boolean {
    this.#deadline = performance.now() + this.#options.headMs;
    return this.#stream.write(chunk);
  }

  end(trailers: readonly Header[]): void {
    this.#stream.once('wantTrailers', () => {
      try {
        this.#stream.sendTrailers(Object.fromEntries(trailers));
      } catch {
        this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      }
    });
    this.#stream.end();
  }

  resume(): void {
    this.#stream.resume();
  }

  abort(): void {
    this.#over(false);
    this.#stream.close(constants.NGHTTP2_CANCEL);
  }

  fail(error: Error): void {
    if (this.#isDone) return;
    this.#over(false);
    this.#stream.close(constants.NGHTTP2_CANCEL);
    this.#exchange.fail(error);
  }

  check(now: number): void {
    if (now > this.#deadline) this.fail(timedOut(this.#options.to, 'did not begin to answer in time'));
  }

  #onInformational(raw: readonly string[]): void {
    this.#informational++;
    if (this.#informational > MOST_INFORMATIONAL) {
      this.fail(broken(this.#options.to, 'sent too many interim answers'));
    } else this.#exchange.tellInformational(statusOf(raw), withoutHopByHop(pairs(raw)));
  }

  #onResponse(raw: readonly string[]): void {
    if (this.#isDone) return;
    this.#hasHead = true;
    this.#deadline = Number.POSITIVE_INFINITY;
    const status = statusOf(raw);
    if (status < 200 || status > 599) this.fail(broken(this.#options.to, 'sent no valid status'));
    else this.#exchange.tellHead({ status, headers: withoutHopByHop(pairs(raw)) });
  }

  #onEnd(): void {
    // A reset makes the readable side end too.
    if (this.#isDone || !this.#hasHead || this.#stream.rstCode > 0 || this.#stream.aborted) return;
    this.#over(false);
    // The answer is whole; what is left of the request interests nobody.
    if (!this.#stream.writableEnded) this.#stream.close(constants.NGHTTP2_NO_ERROR);
    this.#exchange.tellEnd(this.#trailers);
  }

  #onClose(): void {
    if (this.#isDone) return;
    const code = this.#stream.rstCode;
    const isUnseen =
      code === constants.NGHTTP2_REFUSED_STREAM &&
      !this.#exchange.request.isStreamed &&
      !this.#exchange.wasRetried;
    this.#exchange.detach();
    this.#over(isUnseen);
    if (isUnseen) return;
    const name = CODES.get(code) ?? String(code);
    this.#exchange.fail(broken(this.#options.to, `reset the request (${name})`));
  }

  #over(isUnseen: boolean): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#options.onDone(this, isUnseen);
  }
}

function open(
  session: ClientHttp2Session,
  fields: readonly string[],
  isStreamed: boolean,
  endStream: boolean,
): ClientHttp2Stream {
  try {
    return session.request(fields, { endStream: endStream && !isStreamed, waitForTrailers: isStreamed });
  } catch (cause) {
    throw new SallyportError('BadRequest', {
      message: 'the request has a header that cannot be sent over HTTP/2',
      cause,
    });
  }
}

/** Pseudo fields first, then the request's own in lower case. */
function fieldsOf(request: OutgoingRequest, authority: string): readonly string[] {
  const { method, scheme, target, headers, body, isStreamed, streamedBytes } = request;
  const fields = [':method', method, ':scheme', scheme, ':authority', authority, ':path', target];
  for (const [name, value] of headers) {
    const lower = lowerFieldName(name);
    if (lower === 'te') continue;
    // SECURITY: framing and the host are said by us; a line break in a value would be a field of its own
    // behind a host that translates to HTTP/1.1.
    if (isHopByHop(lower) || lower === 'host' || lower === 'content-length' || UNWRITABLE.test(value)) {
      throw new SallyportError('BadRequest', {
        message: `the header \`${lower}\` cannot be sent over HTTP/2`,
      });
    }
    fields.push(lower, value);
    // gRPC servers refuse a request without it, and it concerns this connection: so it is ours to say.
    if (lower === 'content-type' && value.startsWith('application/grpc')) fields.push('te', 'trailers');
  }
  const bytes = isStreamed ? streamedBytes : body?.length;
  if (bytes !== undefined) fields.push('content-length', String(bytes));
  return fields;
}

function statusOf(raw: readonly string[]): number {
  const at = raw.indexOf(':status');
  return at === -1 ? 0 : Number(raw[at + 1]);
}

function pairs(raw: readonly string[]): Header[] {
  const found: Header[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (!name.startsWith(':')) found.push([name, raw[at + 1] ?? '']);
  }
  return found;
}
