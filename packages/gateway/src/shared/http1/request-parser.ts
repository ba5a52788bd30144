import type { Header } from '../http-message.ts';
import type { Authority } from './authority.ts';
import { BadMessage } from './bad-message.ts';
import { BodyReader } from './body-reader.ts';
import type { FieldName } from './field-names.ts';
import { type BodyFraming, CHUNKED, NO_BODY } from './framing.ts';
import { HEAD_LIMITS, type HeadLimits, HeadScanner } from './head-scanner.ts';
import { readFields } from './read-fields.ts';
import { RequestFields } from './request-fields.ts';
import { type RequestLine, type RequestSide, readRequestLine } from './request-line.ts';

/** A request of which there is only one reading. */
export interface RequestHead {
  /** as sent: methods are case-sensitive */
  readonly method: string;
  /** path and query; `*` for `OPTIONS *`; empty for CONNECT */
  readonly target: string;
  /** what the target said, absolute form only */
  readonly scheme: 'http' | 'https' | undefined;
  /** what the target names, or else the Host field; both say the same when both are there */
  readonly authority: Authority;
  readonly version: 10 | 11;
  /** every field in order, framing and hop-by-hop ones too */
  readonly headers: readonly Header[];
  readonly body: BodyFraming;
  readonly keepAlive: boolean;
  readonly expectsContinue: boolean;
  /** `websocket`, when the client asks to switch */
  readonly upgrade: 'websocket' | undefined;
}

/** What the parser tells. Each may throw; the parser is then of no more use. */
export interface RequestHandler {
  onHead(head: RequestHead): void;
  onBody(chunk: Buffer): void;
  /** the whole request has come */
  onEnd(trailers: readonly Header[]): void;
}

/**
 * Reads requests, one after the other, from bytes in any portions. Refuses (`BadMessage`) everything that two readers
 * could read in two ways; after that it reads nothing more.
 *
 * `push` gives how many bytes it took. It stops after a head, so that the caller may look before the body is read
 * (a request without body is then complete), and after the end of a request until `next` is called.
 */
export class RequestParser {
  readonly #handler: RequestHandler;
  readonly #side: RequestSide;
  readonly #limits: HeadLimits;
  readonly #scanner: HeadScanner;
  readonly #onBody: (chunk: Buffer) => void;
  #body: BodyReader | undefined;
  #state: 'head' | 'body' | 'complete' | 'failed' = 'head';

  constructor(handler: RequestHandler, side: RequestSide, limits: HeadLimits = HEAD_LIMITS) {
    this.#handler = handler;
    this.#side = side;
    this.#limits = limits;
    this.#scanner = new HeadScanner(limits.headBytes);
    this.#onBody = (chunk) => this.#handler.onBody(chunk);
  }

  /** whether a whole request has been read */
  get isComplete(): boolean {
    return this.#state === 'complete';
  }

  /** whether nothing of a request has come yet */
  get isIdle(): boolean {
    return this.#state === 'head' && !this.#scanner.hasBegun;
  }

  /** Goes on with the request after the complete one. */
  next(): void {
    if (this.#state === 'complete') this.#state = 'head';
  }

  push(chunk: Buffer, from = 0): number {
    try {
      switch (this.#state) {
        case 'head':
          return this.#readHead(chunk, from) - from;
        case 'body':
          return this.#readBody(chunk, from) - from;
        case 'complete':
          return 0;
        case 'failed':
          throw new BadMessage('truncated');
      }
    } catch (error) {
      this.#state = 'failed';
      throw error;
    }
  }

  #readHead(chunk: Buffer, from: number): number {
    const end = this.#scanner.scan(chunk, from);
    if (end === -1) return chunk.length;
    const head = parseHead(this.#scanner.takeText(), this.#side, this.#limits);
    const { body } = head;
    if (body.kind === 'none' || (body.kind === 'length' && body.bytes === 0)) {
      this.#state = 'complete';
      this.#handler.onHead(head);
      this.#handler.onEnd([]);
    } else {
      this.#body = new BodyReader(body, this.#onBody);
      this.#state = 'body';
      this.#handler.onHead(head);
    }
    return end;
  }

  #readBody(chunk: Buffer, from: number): number {
    const body = this.#body;
    if (body === undefined) throw new BadMessage('truncated');
    const end = body.push(chunk, from);
    if (body.isDone) {
      this.#state = 'complete';
      this.#body = undefined;
      this.#handler.onEnd(body.trailers);
    }
    return end;
  }
}

function parseHead(text: string, side: RequestSide, limits: HeadLimits): RequestHead {
  const end = text.indexOf('\r\n');
  const line = readRequestLine(end === -1 ? text : text.slice(0, end), side);
  const fields = new RequestFields();
  const headers = readFields(text, end + 2, limits.fields, (name: FieldName, value: string) =>
    fields.visit(name, value),
  );
  fields.framing.check(line.version);
  const framing = bodyOf(fields);
  // Bytes after CONNECT are the tunnel's to one reader and a body to another.
  if (line.method === 'CONNECT' && framing.kind !== 'none') throw new BadMessage('body-not-allowed');
  const upgrade = fields.upgradeOf(line, framing);
  return {
    method: line.method,
    target: line.target,
    scheme: line.scheme,
    authority: authorityOf(line, fields),
    version: line.version,
    headers,
    body: framing,
    keepAlive: fields.framing.keepsAlive(line.version),
    expectsContinue: fields.expectsContinue && line.version === 11 && framing.kind !== 'none',
    upgrade,
  };
}

function bodyOf({ framing }: RequestFields): BodyFraming {
  if (framing.isChunked) return CHUNKED;
  return framing.length === undefined ? NO_BODY : { kind: 'length', bytes: framing.length };
}

/** SECURITY: a target and a Host that differ are two destinations: one is judged, the other reached. */
function authorityOf(line: RequestLine, { host }: RequestFields): Authority {
  const named = line.authority;
  if (host === undefined) {
    // Python's http.client: `CONNECT host:port HTTP/1.0` and nothing else. The target says it all.
    if (line.method === 'CONNECT' && line.version === 10 && named !== undefined) return named;
    throw new BadMessage('no-host');
  }
  if (named === undefined) return host;
  if (named.host !== host.host) throw new BadMessage('host-mismatch');
  if (line.method === 'CONNECT') {
    if (host.port !== undefined && host.port !== named.port) throw new BadMessage('host-mismatch');
    return named;
  }
  const usual = line.scheme === 'https' ? 443 : 80;
  if ((named.port ?? usual) !== (host.port ?? usual)) throw new BadMessage('host-mismatch');
  return named;
}
