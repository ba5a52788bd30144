import { createHmac } from 'node:crypto';
import type { Secret } from '../../../shared/secret.ts';

/**
 * Headers that prove a post is ours: `v1=` and the hex HMAC-SHA-256 of the timestamp, a dot and the body.
 *
 * The timestamp (Unix seconds) is signed, too: a receiver refuses old ones, so that a copy is worth nothing.
 */
export function signatureHeaders(
  secret: Secret,
  body: string,
  nowMs: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const digest = createHmac('sha256', secret.reveal()).update(`${timestamp}.${body}`).digest('hex');
  return { 'x-sallyport-timestamp': timestamp, 'x-sallyport-signature': `v1=${digest}` };
}
