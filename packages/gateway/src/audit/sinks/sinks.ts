import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { AuditSinkConfig } from '../../config/index.ts';
import type { FeedLine } from '../feed/feed.ts';
import type { AuditSink, SinkDefinition, SinkDefinitions } from './audit-sink.ts';
import { JsonlSink } from './jsonl-sink.ts';
import { OtlpSink } from './otlp-sink.ts';
import { WebhookSink } from './webhook-sink.ts';

/** Every kind of sink that the config's schema accepts. */
export const SINKS = {
  jsonl: {
    docs: { form: 'a line in a file', restart: 'goes on behind the last line that it has' },
    references: () => [],
    open: ({ max_bytes: rotateBytes }, { folder }) => new JsonlSink({ folder, rotateBytes }),
  },
  stdout: {
    docs: { form: 'a line on standard output', restart: 'begins with the next event' },
    references: () => [],
    open: (_config, { stdout }) => new StdoutSink(stdout),
  },
  webhook: {
    docs: { form: 'a line of a signed POST', restart: 'goes on where it was; the last lines may come twice' },
    references: ({ secret }) => (secret === undefined ? [] : [secret]),
    open: ({ url, secret }, { clock, secrets }) =>
      new WebhookSink({
        ...{ name: nameOf(url), url, clock },
        secret: secret === undefined ? undefined : secrets.get(secret),
      }),
  },
  otel: {
    docs: { form: 'an OpenTelemetry log record', restart: 'goes on where it was; the last may come twice' },
    references: ({ headers }) => Object.values(headers),
    open: ({ endpoint, headers }, { secrets }) =>
      new OtlpSink({
        name: nameOf(endpoint),
        endpoint: endpoint.replace(/\/v1\/logs\/?$/, ''),
        headers: Object.fromEntries(
          Object.entries(headers).flatMap(([header, reference]) => {
            const value = secrets.get(reference);
            return value === undefined ? [] : [[header, value]];
          }),
        ),
        serviceName: 'sallyport',
      }),
  },
} satisfies SinkDefinitions;

/** The definition of a sink that the config names. */
export function sinkDefinition(config: AuditSinkConfig): SinkDefinition {
  // The map has for each kind the definition of its settings; the compiler sees only the union of both.
  return SINKS[config.kind] as SinkDefinition;
}

/** By its place, not by its number in the list: its cursor must not become that of another one. */
function nameOf(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 12);
}

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
