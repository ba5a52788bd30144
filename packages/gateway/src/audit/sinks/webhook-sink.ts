import { createHmac } from 'node:crypto';
import type { Clock } from '../../shared/clock.ts';
import type { Secret } from '../../shared/secret.ts';
import type { FeedLine } from '../feed/feed.ts';
import type { AuditSink } from './audit-sink.ts';

export interface WebhookSinkOptions {
  /** last part of the sink's id: letters, digits, `-` */
  readonly name: string;
  readonly url: string;
  /** key of the signature; without it requests are not signed */
  readonly secret?: Secret | undefined;
  readonly clock: Clock;
}

/**
 * Posts events as NDJSON. Retries are the feeder's.
 *
 * `Sallyport-Signature: t=<seconds>,v1=<hex>` is HMAC-SHA256 over `<seconds>.<body>`: the receiver checks it and
 * refuses old times. After a crash the last batch may come twice: an event's `id` tells.
 */
export class WebhookSink implements AuditSink {
  readonly id: string;
  readonly resume = 'stored';
  readonly #options: WebhookSinkOptions;

  constructor(options: WebhookSinkOptions) {
    this.id = `sinks.webhook.${options.name}`;
    this.#options = options;
  }

  async write(lines: readonly FeedLine[], signal: AbortSignal): Promise<void> {
    const body = lines.map((line) => `${line.json}\n`).join('');
    const headers = { 'content-type': 'application/x-ndjson', ...this.#signature(body) };
    await httpPost(this.#options.url, headers, body, signal);
  }

  async close(): Promise<void> {}

  #signature(body: string): Readonly<Record<string, string>> {
    const { secret, clock } = this.#options;
    if (secret === undefined) return {};
    const seconds = Math.floor(clock.now() / 1000);
    const digest = createHmac('sha256', secret.reveal()).update(`${seconds}.${body}`).digest('hex');
    return { 'sallyport-signature': `t=${seconds},v1=${digest}` };
  }
}

/** How long a receiver may take to answer, in `ms` */
const TIMEOUT_MS = 10_000;

/** Posts a body and throws unless the answer is a success. The answer's body is not read: it is not ours to keep. */
export async function httpPost(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body,
    // A redirect could lead the trail to another host.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the receiver answered ${response.status}`);
}
