import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** One answer as it was on the wire. */
export interface WireAnswer {
  readonly status: number;
  /** as it came, status line included */
  readonly head: string;
  readonly body: string;
}

const CHUNK_END = '\r\n0\r\n\r\n';

/** A connection that sends bytes as they are, and tells one answer from the next. */
export class Wire implements Disposable {
  readonly socket: Socket;
  #text = '';
  #isClosed = false;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.setEncoding('latin1');
    this.socket.on('data', (chunk: string) => {
      this.#text += chunk;
    });
    // A reset is one of the ways to be cut.
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      this.#isClosed = true;
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Each piece is on its way alone, and most probably read alone. */
  async send(...pieces: readonly (string | Buffer)[]): Promise<void> {
    if (this.socket.connecting) await once(this.socket, 'connect');
    for (const piece of pieces) {
      this.socket.write(piece, 'latin1');
      if (pieces.length > 1) await wait(3);
    }
  }

  /** The next answer; undefined when the connection ends instead. */
  async answer(): Promise<WireAnswer | undefined> {
    for (;;) {
      const taken = takeAnswer(this.#text);
      if (taken !== undefined) {
        this.#text = this.#text.slice(taken.end);
        return taken.answer;
      }
      if (this.#isClosed) return undefined;
      await Promise.race([once(this.socket, 'data'), once(this.socket, 'close')]);
    }
  }

  async closed(): Promise<void> {
    if (!this.#isClosed) await once(this.socket, 'close');
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}

function takeAnswer(text: string): { readonly answer: WireAnswer; readonly end: number } | undefined {
  const border = text.indexOf('\r\n\r\n');
  if (border === -1) return undefined;
  const head = text.slice(0, border);
  const start = border + 4;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
  // From the blank line on: a body without chunks is its end alone.
  const at = isChunked ? text.indexOf(CHUNK_END, border + 2) : -1;
  if (isChunked && at === -1) return undefined;
  const end = isChunked ? at + CHUNK_END.length : start + Number(length ?? 0);
  if (text.length < end) return undefined;
  return { answer: { status: Number(head.slice(9, 12)), head, body: text.slice(start, end) }, end };
}
