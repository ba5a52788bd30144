import type { Duplex } from 'node:stream';
import { corkForTurn } from '../../shared/cork-for-turn.ts';
import type { Header } from '../../shared/http-message.ts';
import {
  ChunkedWriter,
  lowerFieldName,
  type RequestHead,
  writeInformationalHead,
  writeResponseHead,
  writeSwitchHead,
} from '../../shared/http1/index.ts';
import type { BodyListener, Incoming, Origin } from './incoming.ts';

/** What a request may ask of the connection that it came on. */
export interface H1Carrier {
  readonly socket: Duplex;
  readonly signal: AbortSignal;
  /** false: no other request is read after this one */
  mayKeepAlive(): boolean;
  readBody(wanted: boolean): void;
  /** the answer is out; `isLast`: the connection ends with it */
  onAnswered(isLast: boolean): void;
  /** Gives the connection away, with what was read too far. */
  detach(): Duplex;
  /** Ends the connection at once. */
  cut(): void;
}

const JOINED_AT_MOST = 16_384;
const NO_BODY: ReadonlySet<number> = new Set([204, 304]);

/** A request on an HTTP/1.1 connection. */
export class H1Incoming implements Incoming {
  readonly protocol = 'h1';
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly hasBody: boolean;
  readonly bodyBytes: number | undefined;
  readonly upgrade: 'websocket' | undefined;
  listener: BodyListener | undefined;
  onDrain: (() => void) | undefined;
  onLeft: (() => void) | undefined;
  readonly #carrier: H1Carrier;
  readonly #head: RequestHead;
  #mustContinue: boolean;
  #isWanted = false;
  #hasAnswered = false;
  #isDone = false;
  #isLast = false;
  #isBodiless = false;
  #chunks: ChunkedWriter | undefined;
  /** a head that waits for the first piece of its body, so that both go out as one */
  #waiting: string | undefined;

  constructor(head: RequestHead, origin: Origin, carrier: H1Carrier) {
    this.#head = head;
    this.#carrier = carrier;
    this.scheme = origin.scheme;
    this.host = origin.host;
    this.port = origin.port;
    this.method = head.method;
    this.target = head.target;
    this.headers = head.headers;
    const { body } = head;
    this.hasBody = body.kind === 'chunked' || (body.kind === 'length' && body.bytes > 0);
    this.bodyBytes = body.kind === 'length' ? body.bytes : undefined;
    this.upgrade = head.upgrade;
    this.#mustContinue = head.expectsContinue;
  }

  get signal(): AbortSignal {
    return this.#carrier.signal;
  }

  /** A head that still waits can be taken back. */
  get hasAnswered(): boolean {
    return this.#hasAnswered && this.#waiting === undefined;
  }

  resume(): void {
    if (this.#isDone) return;
    if (this.#mustContinue) {
      this.#mustContinue = false;
      if (!this.#hasAnswered) this.#carrier.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    }
    this.#isWanted = true;
    this.#carrier.readBody(true);
  }

  pause(): void {
    this.#isWanted = false;
    this.#carrier.readBody(false);
  }

  get isBodyWanted(): boolean {
    return this.#isWanted;
  }

  informational(status: number, headers: readonly Header[]): void {
    if (this.#hasAnswered || this.#isDone || this.#head.version === 10) return;
    this.#carrier.socket.write(writeInformationalHead(status, headers), 'latin1');
  }

  head(status: number, headers: readonly Header[]): void {
    if (this.hasAnswered || this.#isDone) return;
    this.#isBodiless = this.method === 'HEAD' || NO_BODY.has(status);
    const isSized = this.#isBodiless || headers.some(([name]) => lowerFieldName(name) === 'content-length');
    const framing = isSized ? 'given' : this.#head.version === 11 ? 'chunked' : 'close';
    // The client waits with a body that nobody wanted, or still sends one: where it ends, nobody will know.
    this.#isLast =
      !this.#head.keepAlive || framing === 'close' || this.#mustContinue || !this.#carrier.mayKeepAlive();
    this.#waiting = writeResponseHead({ status, headers, body: framing, keepAlive: !this.#isLast });
    this.#hasAnswered = true;
    this.#chunks = framing === 'chunked' ? new ChunkedWriter(this.#carrier.socket) : undefined;
    if (!this.#isLast && this.#head.version === 10) this.#waiting = keptAlive(this.#waiting);
    process.nextTick(flushed, this);
  }

  write(chunk: Uint8Array): boolean {
    if (this.#isDone || this.#isBodiless || chunk.length === 0) return true;
    const { socket } = this.#carrier;
    corkForTurn(socket);
    const head = this.#waiting;
    if (head !== undefined && this.#chunks === undefined && chunk.length <= JOINED_AT_MOST) {
      this.#waiting = undefined;
      const whole = Buffer.allocUnsafe(head.length + chunk.length);
      whole.write(head, 0, 'latin1');
      whole.set(chunk, head.length);
      return socket.write(whole);
    }
    this.flush();
    return this.#chunks === undefined ? socket.write(chunk) : this.#chunks.write(chunk);
  }

  end(trailers: readonly Header[]): void {
    if (this.#isDone) return;
    this.flush();
    if (!this.#isBodiless) this.#chunks?.end(trailers);
    this.#finish();
    this.#carrier.onAnswered(this.#isLast);
  }

  switchTo(protocol: string, headers: readonly Header[]): Duplex {
    this.#finish();
    this.#hasAnswered = true;
    const socket = this.#carrier.detach();
    const own = headers.filter(([name]) => !/^(?:connection|upgrade)$/i.test(name));
    socket.write(writeSwitchHead(protocol, own), 'latin1');
    return socket;
  }

  abort(): void {
    if (this.#isDone) return;
    this.#finish();
    this.#carrier.cut();
  }

  /** Its body cannot be read: somebody else answers, and nothing that is said here goes out any more. */
  drop(): void {
    this.#waiting = undefined;
    this.#finish();
  }

  #finish(): void {
    this.#isDone = true;
    this.listener = undefined;
    this.onDrain = undefined;
  }

  /** Sends a head that waits for a body no longer. */
  flush(): void {
    const head = this.#waiting;
    if (head === undefined) return;
    this.#waiting = undefined;
    this.#carrier.socket.write(head, 'latin1');
  }
}

function flushed(incoming: H1Incoming): void {
  incoming.flush();
}

/** HTTP/1.0 clients that asked for it must be told. */
function keptAlive(head: string): string {
  return `${head.slice(0, -2)}Connection: keep-alive\r\n\r\n`;
}
