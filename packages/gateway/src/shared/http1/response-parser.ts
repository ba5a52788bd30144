import type { Header } from '../http-message.ts';
import { BadMessage } from './bad-message.ts';
import { BodyReader } from './body-reader.ts';
import { type BodyFraming, CHUNKED, FramingFields, NO_BODY, UNTIL_CLOSE } from './framing.ts';
import { HEAD_LIMITS, type HeadLimits, HeadScanner } from './head-scanner.ts';
import { readFields } from './read-fields.ts';

export interface ParsedResponseHead {
  /** 101, or 200…599 */
  readonly status: number;
  readonly reason: string;
  readonly version: 10 | 11;
  /** every field in order, framing and hop-by-hop ones too */
  readonly headers: readonly Header[];
  readonly body: BodyFraming;
  /** whether the server will take another request on this connection */
  readonly keepAlive: boolean;
}

/** What the parser tells. Each may throw; the parser is then of no more use. */
export interface ResponseHandler {
  /** 1xx other than 101 */
  onInformational(status: number, headers: readonly Header[]): void;
  onHead(head: ParsedResponseHead): void;
  onBody(chunk: Buffer): void;
  onEnd(trailers: readonly Header[]): void;
}

const MOST_INFORMATIONAL = 16;
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5][0-9]{2})(?: ([\t\x20-\x7e\x80-\xff]*))?$/;

/**
 * Reads responses from bytes in any portions, as strictly as requests are read. `start` says what was asked before
 * each of them. `push` gives how many bytes it took: fewer than there were means that bytes follow that belong to
 * no response (or, after 101, to the new protocol).
 */
export class ResponseParser {
  readonly #handler: ResponseHandler;
  readonly #limits: HeadLimits;
  readonly #scanner: HeadScanner;
  readonly #onBody: (chunk: Buffer) => void;
  #body: BodyReader | undefined;
  #state: 'idle' | 'head' | 'body' | 'complete' | 'failed' = 'idle';
  #method = 'GET';
  #mayswitch = false;
  #informational = 0;

  constructor(handler: ResponseHandler, limits: HeadLimits = HEAD_LIMITS) {
    this.#handler = handler;
    this.#limits = limits;
    this.#scanner = new HeadScanner(limits.headBytes);
    this.#onBody = (chunk) => this.#handler.onBody(chunk);
  }

  get isComplete(): boolean {
    return this.#state === 'complete';
  }

  /** A request with this method is on its way; its response is what comes next. `maySwitch`: 101 is an answer to it. */
  start(method: string, maySwitch = false): void {
    if (this.#state === 'failed') return;
    this.#state = 'head';
    this.#method = method;
    this.#mayswitch = maySwitch;
    this.#informational = 0;
  }

  push(chunk: Buffer): number {
    let at = 0;
    try {
      while (at < chunk.length && (this.#state === 'head' || this.#state === 'body')) {
        at = this.#state === 'head' ? this.#readHead(chunk, at) : this.#readBody(chunk, at);
      }
      if (this.#state === 'failed') throw new BadMessage('truncated');
      return at;
    } catch (error) {
      this.#state = 'failed';
      throw error;
    }
  }

  /** The server closed the connection: ends a body that lasts until then, refuses every other one that is not whole. */
  finish(): void {
    if (this.#state === 'idle' || this.#state === 'complete') return;
    const body = this.#state === 'body' ? this.#body : undefined;
    this.#state = 'failed';
    if (body === undefined) throw new BadMessage('truncated');
    body.finish();
    this.#state = 'complete';
    this.#handler.onEnd(body.trailers);
  }

  #readHead(chunk: Buffer, from: number): number {
    const end = this.#scanner.scan(chunk, from);
    if (end === -1) return chunk.length;
    const head = parseHead(this.#scanner.takeText(), this.#method, this.#limits);
    if (head.status < 200 && head.status !== 101) {
      this.#informational++;
      if (this.#informational > MOST_INFORMATIONAL) throw new BadMessage('too-many-informational');
      this.#handler.onInformational(head.status, head.headers);
      return end;
    }
    if (head.status === 101 && !this.#mayswitch) throw new BadMessage('unexpected-switch');
    this.#begin(head);
    return end;
  }

  #begin(head: ParsedResponseHead): void {
    const { body } = head;
    if (body.kind === 'none' || (body.kind === 'length' && body.bytes === 0)) {
      this.#state = 'complete';
      this.#handler.onHead(head);
      this.#handler.onEnd([]);
      return;
    }
    this.#body = new BodyReader(body, this.#onBody);
    this.#state = 'body';
    this.#handler.onHead(head);
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

function parseHead(text: string, method: string, limits: HeadLimits): ParsedResponseHead {
  const end = text.indexOf('\r\n');
  const line = end === -1 ? text : text.slice(0, end);
  const found = STATUS_LINE.exec(line);
  if (found === null)
    throw new BadMessage(
      /^HTTP\/1\.[01] \d{3}(?: |$)/.test(line) ? 'unsupported-status' : 'malformed-status-line',
    );
  const version = found[1] === '1' ? 11 : 10;
  const status = Number(found[2]);
  const framing = new FramingFields(true);
  const headers = readFields(text, end + 2, limits.fields, (name, value) => framing.visit(name, value));
  framing.check(version);
  const body = bodyOf(status, method, framing);
  return {
    status,
    reason: found[3] ?? '',
    version,
    headers,
    body,
    keepAlive: body.kind !== 'close' && framing.keepsAlive(version),
  };
}

function bodyOf(status: number, method: string, framing: FramingFields): BodyFraming {
  if (status < 200 || status === 204) {
    // SECURITY: a body where none may be is the next response to one reader and this one's to another.
    if (framing.isChunked || (framing.length ?? 0) !== 0) throw new BadMessage('body-not-allowed');
    return NO_BODY;
  }
  if (method === 'HEAD' || status === 304) return NO_BODY;
  if (framing.isChunked) return CHUNKED;
  return framing.length === undefined ? UNTIL_CLOSE : { kind: 'length', bytes: framing.length };
}
