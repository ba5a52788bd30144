import type { Writable } from 'node:stream';
import type { FeedLine } from '../feed/feed.ts';
import type { AuditSink } from './audit-sink.ts';

/** Lines on standard output, for log collectors. Starts with the next event. Leaves the stream open. */
export class StdoutSink implements AuditSink {
  readonly id = 'sinks.stdout';
  readonly resume = 'none';
  readonly #stream: Writable;
  // A reader that goes away must not end the gateway; `write` hears of it as well.
  readonly #ignore = (): void => {};

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on('error', this.#ignore);
  }

  async write(lines: readonly FeedLine[]): Promise<void> {
    const text = lines.map((line) => `${line.json}\n`).join('');
    await new Promise<void>((resolve, reject) => {
      this.#stream.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    this.#stream.off('error', this.#ignore);
  }
}
