import { createHash, type Hash } from 'node:crypto';
import { SallyportError } from '@sallyport/protocol';
import type { BodyTee } from '../../audit/index.ts';
import type { Header, OutgoingExchange } from '../../shared/http-message.ts';
import type { Spool, Spools } from '../../shared/spool.ts';
import type { BodyListener, Incoming } from './incoming.ts';

const NOTHING = Buffer.alloc(0);

const UNENDED = {
  message: 'people must be asked about the whole body, and it does not end',
  hint: 'end the body before you wait for the answer; streams both ways need a rule that allows them',
};

/** What all bodies together may hold in memory that are read on behind their beginning. */
const READ_TOGETHER = 256 * 1024 * 1024;

/** Where the body of an allowed request goes. */
type Upstream = Pick<OutgoingExchange, 'write' | 'end'>;

/**
 * The body of one request on its way through the door: first its beginning is held, then it is streamed on, or kept on
 * disk while people are asked. What it holds in memory is bounded by the preview and one portion of the connection; and,
 * for what must be read whole, by what `readOn` is told and by what all of them may hold together.
 */
export class BodyIntake implements BodyListener {
  readonly #incoming: Incoming;
  readonly #previewBytes: number;
  readonly #mayFollow: (trailers: readonly Header[]) => readonly Header[];
  #held: Buffer[] = [];
  #heldBytes = 0;
  #bytes = 0;
  #isEnded: boolean;
  #trailers: readonly Header[] = [];
  #wake: (() => void) | undefined;
  #upstream: Upstream | undefined;
  #hash: Hash | undefined;
  #spool: Spool | undefined;
  /** bytes that it holds before it waits to be asked for more */
  #most: number;
  #wasReadOn = false;
  /** bytes behind the preview that every body of this process holds: one session must not fill the memory for all */
  static #readOn = 0;
  #ownReadOn = 0;
  readonly #tee: BodyTee | undefined;

  /** `mayFollow`: those of the trailers that go on; `tee`: looks on, where the trail keeps bodies */
  constructor(
    incoming: Incoming,
    previewBytes: number,
    mayFollow: (trailers: readonly Header[]) => readonly Header[],
    tee?: BodyTee,
  ) {
    this.#incoming = incoming;
    this.#previewBytes = previewBytes;
    this.#most = previewBytes;
    this.#mayFollow = mayFollow;
    this.#isEnded = !incoming.hasBody;
    this.#tee = tee;
    incoming.listener = this;
  }

  /** whether all of it has come */
  get isComplete(): boolean {
    return this.#isEnded;
  }

  /** bytes that have come */
  get bytes(): number {
    return this.#bytes;
  }

  get trailers(): readonly Header[] {
    return this.#trailers;
  }

  /** The digest of a body that was streamed, once it has ended. */
  digest(): string | undefined {
    return this.#isEnded ? this.#hash?.digest('hex') : undefined;
  }

  /** Reads the beginning: until the preview is full, the body ends, or a body of unknown size pauses. */
  async preview(pauseMs: number): Promise<Buffer> {
    if (!this.#isEnded) {
      this.#incoming.resume();
      // What came with the head is read as soon as whoever reads has done so: most bodies are all here then.
      await undefined;
    }
    const isFull = (): boolean => this.#isEnded || this.#heldBytes >= this.#previewBytes;
    if (!isFull()) {
      const { bodyBytes } = this.#incoming;
      const mayPause = bodyBytes === undefined || bodyBytes > this.#previewBytes;
      await this.#until(isFull, mayPause ? pauseMs : undefined);
    }
    if (!this.#isEnded) this.#incoming.pause();
    const whole = this.whole();
    return whole.length > this.#previewBytes ? whole.subarray(0, this.#previewBytes) : whole;
  }

  /** The whole body when it is in memory. */
  whole(): Buffer {
    if (this.#held.length > 1) this.#held = [Buffer.concat(this.#held)];
    return this.#held[0] ?? NOTHING;
  }

  /** The whole body, when it has come in one go; undefined while more may come, and where it was read on. */
  wholeHere(): Buffer | undefined {
    return this.#isEnded && !this.#wasReadOn ? this.whole() : undefined;
  }

  /** bytes that are kept on disk; undefined: none */
  get spooledBytes(): number | undefined {
    return this.#spool?.bytes;
  }

  /**
   * Reads on until all of it is in memory. False when it has more than `most` bytes, when nothing comes for `silentMs`,
   * or when bodies of others take the room: then it goes on as if nobody had asked.
   */
  async readOn(most: number, silentMs: number): Promise<boolean> {
    const { bodyBytes } = this.#incoming;
    if (this.#isEnded) return this.#bytes <= most;
    if (bodyBytes !== undefined && bodyBytes > most) return false;
    this.#wasReadOn = true;
    this.#most = most;
    this.#incoming.resume();
    for (;;) {
      const before = this.#bytes;
      await this.#until(() => this.#isEnded || this.#bytes > before, silentMs);
      this.#account();
      if (this.#isEnded) return this.#bytes <= most;
      if (this.#bytes === before || this.#heldBytes >= most || BodyIntake.#readOn > READ_TOGETHER) break;
    }
    this.#incoming.pause();
    this.#most = this.#previewBytes;
    return false;
  }

  /** Counts what it holds behind the preview with what all others do. */
  #account(): void {
    const now = Math.max(0, this.#heldBytes - this.#previewBytes);
    BodyIntake.#readOn += now - this.#ownReadOn;
    this.#ownReadOn = now;
  }

  /**
   * Keeps the whole body on disk. Throws what a spool throws, when the agent leaves, and `RequestTimeout` when nothing
   * has come for `silentMs`: a client that waits for an answer before it ends its body would wait for ever.
   */
  async spool(
    spools: Pick<Spools, 'open'>,
    most: number,
    silentMs: number,
  ): Promise<{ readonly bytes: number; readonly sha256: string }> {
    const spool = await spools.open(most);
    this.#spool = spool;
    for (;;) {
      const chunks = this.#held;
      this.#held = [];
      this.#heldBytes = 0;
      this.#account();
      for (const chunk of chunks) await spool.write(chunk);
      if (this.#held.length > 0) continue;
      if (this.#isEnded) break;
      this.#incoming.resume();
      await this.#until(() => this.#isEnded || this.#held.length > 0, silentMs);
      if (!this.#isEnded && this.#held.length === 0) throw new SallyportError('RequestTimeout', UNENDED);
    }
    return { bytes: spool.bytes, sha256: spool.digest() };
  }

  /** Sends what was held or kept, then the rest as it comes. */
  async sendTo(upstream: Upstream): Promise<void> {
    if (this.#spool !== undefined) {
      await this.#sendSpool(this.#spool, upstream);
      return;
    }
    this.#hash = createHash('sha256');
    let mayGoOn = true;
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    this.#account();
    for (const chunk of held) {
      this.#hash.update(chunk);
      mayGoOn = upstream.write(chunk);
    }
    this.#upstream = upstream;
    if (this.#isEnded) upstream.end(this.#trailers);
    else if (mayGoOn) this.#incoming.resume();
  }

  /** Upstream takes more. */
  drain(): void {
    if (this.#spool !== undefined) this.#wake?.();
    else if (this.#upstream !== undefined && !this.#isEnded) this.#incoming.resume();
  }

  /** Frees what is kept. */
  async close(): Promise<void> {
    this.#wake = undefined;
    this.#held = [];
    this.#heldBytes = 0;
    this.#account();
    await this.#spool?.close();
  }

  onBody(chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#tee?.add(chunk);
    if (this.#upstream !== undefined) {
      this.#hash?.update(chunk);
      if (!this.#upstream.write(chunk)) this.#incoming.pause();
      return;
    }
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes >= this.#most) this.#incoming.pause();
    this.#wake?.();
  }

  onBodyEnd(trailers: readonly Header[]): void {
    this.#isEnded = true;
    this.#trailers = this.#mayFollow(trailers);
    this.#upstream?.end(this.#trailers);
    this.#wake?.();
  }

  async #sendSpool(spool: Spool, upstream: Upstream): Promise<void> {
    let position = 0;
    while (position < spool.bytes) {
      const piece = await spool.read(position);
      if (piece.length === 0) throw new Error('the spool is shorter than it was');
      position += piece.length;
      let isReady = upstream.write(piece);
      if (!isReady) {
        await this.#until(
          () => isReady,
          undefined,
          () => {
            isReady = true;
          },
        );
      }
    }
    upstream.end(this.#trailers);
  }

  /** Waits until `isSo`, at most `pauseMs` between two events. Rejects when the agent leaves. */
  #until(isSo: () => boolean, pauseMs: number | undefined, onWake?: () => void): Promise<void> {
    const { signal } = this.#incoming;
    // What was asked for may have come while it was asked for.
    if (isSo() && !signal.aborted) return Promise.resolve();
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const settle = (error?: unknown): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', left);
        this.#wake = undefined;
        if (error === undefined) resolve();
        else reject(error);
      };
      const left = (): void => settle(signal.reason ?? new Error('the agent left'));
      const watch = (): void => {
        clearTimeout(timer);
        if (pauseMs !== undefined) timer = setTimeout(settle, pauseMs);
      };
      this.#wake = () => {
        onWake?.();
        if (isSo()) settle();
        else watch();
      };
      signal.addEventListener('abort', left, { once: true });
      if (signal.aborted) left();
      else watch();
    });
  }
}
