import type { Socket } from 'node:net';
import type { Header, HttpAnswer } from '../../../shared/http-message.ts';
import { type WrittenFraming, writeResponseHead } from '../../../shared/http1/index.ts';

export interface PlainAnswerParts {
  readonly socket: Socket;
  /** aborts with the session whose answer it is */
  readonly ended: AbortSignal;
  /** whether the connection goes on after this answer */
  readonly keepsAlive: () => boolean;
  /** for how long, which the client is told */
  readonly keepAliveSeconds: number;
  /** All of it is on its way, or nobody can get it any more. */
  readonly onOver: (answer: PlainAnswer) => void;
}

/**
 * The answer to one message, written straight to its connection.
 *
 * SECURITY: once it is over nothing is written any more: it would be read as part of the next answer.
 */
export class PlainAnswer implements HttpAnswer {
  readonly #parts: PlainAnswerParts;
  #head: { readonly status: number; readonly headers: readonly Header[] } | undefined;
  #phase: 'nothing' | 'stream' | 'over' = 'nothing';
  #listeners: (() => void)[] = [];
  #isLast = false;

  constructor(parts: PlainAnswerParts) {
    this.#parts = parts;
  }

  get destroyed(): boolean {
    return this.#phase === 'over';
  }

  get writableLength(): number {
    return this.#parts.socket.writableLength;
  }

  get writableNeedDrain(): boolean {
    return this.#parts.socket.writableNeedDrain;
  }

  /** what the client was told; as for node's, 200 before that */
  get status(): number {
    return this.#head?.status ?? 200;
  }

  /** whether the connection ends with it */
  get isLast(): boolean {
    return this.#isLast;
  }

  writeHead(status: number, given: Readonly<Record<string, string | number>>): void {
    if (this.#head !== undefined) throw new Error('the head of this answer was written before');
    const headers: Header[] = [];
    for (const name in given) {
      // The length is ours to say: it is that of the text.
      if (name !== 'content-length') headers.push([name, String(given[name])]);
    }
    headers.push(['Date', dateNow()]);
    this.#head = { status, headers };
  }

  write(text: string): void {
    if (this.#isCut() || text === '') return;
    const head = this.#phase === 'nothing' ? this.#writeHead('chunked') : '';
    this.#phase = 'stream';
    this.#parts.socket.write(`${head}${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
  }

  end(text = ''): void {
    if (this.#isCut()) return;
    const { socket } = this.#parts;
    if (this.#phase === 'nothing') {
      // One piece: what follows in a second one is another packet, and wakes the client twice.
      socket.write(`${this.#writeHead({ bytes: Buffer.byteLength(text) })}${text}`);
    } else {
      this.write(text);
      socket.write('0\r\n\r\n');
    }
    this.close();
  }

  destroy(): void {
    // The connection may be about something else by now.
    if (this.#phase !== 'over') this.#parts.socket.destroy();
  }

  once(_event: 'close', listener: () => void): void {
    if (this.#phase === 'over') queueMicrotask(listener);
    else this.#listeners.push(listener);
  }

  /** Nothing more is written: it is complete, or the connection is gone. */
  close(): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
    this.#parts.onOver(this);
  }

  /** SECURITY: nothing of an answer leaves after the session has ended, not even that it will not come [ID-3]. */
  #isCut(): boolean {
    if (this.#phase !== 'over' && this.#parts.ended.aborted) this.#parts.socket.destroy();
    return this.#phase === 'over' || this.#parts.ended.aborted;
  }

  #writeHead(body: WrittenFraming): string {
    if (this.#head === undefined) throw new Error('an answer begins with its head');
    const { keepsAlive, keepAliveSeconds: seconds } = this.#parts;
    this.#isLast = !keepsAlive();
    return writeResponseHead({ ...this.#head, body, keepAlive: this.#isLast ? false : { seconds } });
  }
}

let date = '';
let dateSecond = 0;

/** To the second, and so made once for all answers of one. */
function dateNow(): string {
  const now = Date.now();
  const second = Math.floor(now / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    date = new Date(now).toUTCString();
  }
  return date;
}
