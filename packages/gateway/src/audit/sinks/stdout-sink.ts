import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { FeedLine } from '../feed/feed.ts';
import type { AuditSink } from './audit-sink.ts';

/** Lines on standard output, for log collectors. Starts with the next event. Leaves the stream open. */
export class StdoutSink implements AuditSink {
  readonly id = 'sinks.stdout';
  readonly resume = 'none';
  readonly #stream: Writable;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  async write(lines: readonly FeedLine[], signal: AbortSignal): Promise<void> {
    if (!this.#stream.writable) throw new Error('standard output is closed');
    const text = lines.map((line) => `${line.json}\n`).join('');
    if (!this.#stream.write(text)) await once(this.#stream, 'drain', { signal });
  }

  async close(): Promise<void> {}
}
