import type { HttpAnswer } from '../../../shared/http-message.ts';

/** What a client that lost its connection may still be given, in characters and in events. */
const KEPT_CHARACTERS = 1024 * 1024;
const KEPT_EVENTS = 1_000;
/** A client that takes in nothing is cut off above this, in bytes: it may come back for the rest. */
const UNREAD_AT_MOST = 4 * 1024 * 1024;
/** after how long a client that lost the stream comes back, in ms */
const RETRY_MS = 1_000;

interface StreamEvent {
  readonly seq: number;
  readonly text: string;
}

/**
 * Messages to a client as server-sent events. The connection may go and come back: what was sent meanwhile is kept,
 * within bounds, and sent again from where the client says that it is.
 */
export class EventStream {
  /** names it within its session */
  readonly key: string;
  readonly #heartbeatMs: number;
  readonly #onDetached: () => void;
  #events: StreamEvent[] = [];
  #characters = 0;
  #seq = 0;
  #response: HttpAnswer | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(key: string, heartbeatMs: number, onDetached: () => void) {
    this.key = key;
    this.#heartbeatMs = heartbeatMs;
    this.#onDetached = onDetached;
  }

  get isAttached(): boolean {
    return this.#response !== undefined;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Takes a response whose head is not written yet. Whoever had the stream before loses it. */
  attach(response: HttpAnswer, headers: Readonly<Record<string, string>>, after = 0): void {
    const before = this.#response;
    this.#drop();
    before?.end();
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
    });
    this.#response = response;
    response.once('close', () => {
      if (this.#response !== response) return;
      this.#drop();
      if (!this.#isOver) this.#onDetached();
    });
    // Says where the stream is before anything happens on it, so that a client can come back to it.
    if (after === 0) response.write(`id: ${this.key}-0\nretry: ${RETRY_MS}\ndata: \n\n`);
    for (const { seq, text } of this.#events) if (seq > after) response.write(text);
    if (this.#isOver) {
      response.end();
      return;
    }
    this.#heartbeat = setInterval(() => {
      if (!response.writableNeedDrain) response.write(': beat\n\n');
    }, this.#heartbeatMs).unref();
  }

  /** One message, as JSON text. */
  send(message: string): void {
    if (this.#isOver) return;
    this.#seq += 1;
    // JSON text has no line break in it.
    const text = `id: ${this.key}-${this.#seq}\nevent: message\ndata: ${message}\n\n`;
    this.#keep({ seq: this.#seq, text });
    const response = this.#response;
    if (response === undefined) return;
    // SECURITY: who asks much and reads nothing must not fill the gateway's memory [TO-9].
    if (response.writableLength > UNREAD_AT_MOST) response.destroy();
    else response.write(text);
  }

  /** Nothing more comes. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const response = this.#response;
    this.#drop();
    response?.end();
  }

  /** SECURITY: memory stays bounded, however long a client stays away [TO-9]. The last message is always kept. */
  #keep(event: StreamEvent): void {
    this.#events.push(event);
    this.#characters += event.text.length;
    let gone = 0;
    while (
      this.#events.length - gone > 1 &&
      (this.#events.length - gone > KEPT_EVENTS || this.#characters > KEPT_CHARACTERS)
    ) {
      this.#characters -= this.#events[gone]?.text.length ?? 0;
      gone += 1;
    }
    if (gone > 0) this.#events = this.#events.slice(gone);
  }

  #drop(): void {
    clearInterval(this.#heartbeat);
    this.#response = undefined;
  }
}
