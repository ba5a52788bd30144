import { createHash } from 'node:crypto';
import type { OutgoingRequest } from '../../../shared/http-message.ts';
import { notSignable } from '../kind.ts';
import type { AgentSigning } from './agent-signing.ts';
import { isS3 } from './endpoint.ts';
import { headerOf } from './request-headers.ts';
import type { SigningScope } from './signing-scope.ts';

/** How the body takes part in the signature. */
export type PayloadPlan =
  /** `x-amz-content-sha256` says this; the body goes as it is */
  | { readonly kind: 'declared'; readonly value: string }
  /** the hash of the whole body is signed and stands nowhere */
  | { readonly kind: 'implied' }
  | {
      readonly kind: 'chunked';
      readonly value: string;
      readonly decodedBytes: number;
      readonly trailers: readonly string[] | undefined;
    };

export const CONTENT_HASH = 'x-amz-content-sha256';
const HASH = /^[0-9a-f]{64}$/;
const UNSIGNED = 'UNSIGNED-PAYLOAD';

/** Throws `RequestNotSignable` for a way to sign bodies that it does not know, or that needs a body not at hand. */
export function planPayload(
  request: OutgoingRequest,
  scope: SigningScope,
  agent: AgentSigning | undefined,
): PayloadPlan {
  const declared = headerOf(request.headers, CONTENT_HASH);
  const streamed = request.isStreamed && request.body === undefined;
  if (declared === undefined) {
    if (!isS3(scope.service)) {
      if (streamed) throw notSignable('the body must be signed as a whole, and is not at hand');
      return { kind: 'implied' };
    }
    const unsigned = agent?.place === 'query' || streamed;
    return { kind: 'declared', value: unsigned ? UNSIGNED : hashOf(request) };
  }
  // What is at hand is hashed again: a placeholder in it may have been replaced.
  if (HASH.test(declared)) return { kind: 'declared', value: streamed ? declared : hashOf(request) };
  if (declared === UNSIGNED || declared === 'STREAMING-UNSIGNED-PAYLOAD-TRAILER') {
    return { kind: 'declared', value: declared };
  }
  const prefix = `STREAMING-${scope.algorithm}-PAYLOAD`;
  if (agent?.place !== 'query' && (declared === prefix || declared === `${prefix}-TRAILER`)) {
    const trailers = declared === prefix ? undefined : trailersOf(request);
    return { kind: 'chunked', value: declared, decodedBytes: decodedBytesOf(request), trailers };
  }
  throw notSignable('`x-amz-content-sha256` asks for a way of signing the body that is not known');
}

/** Whether `planPayload` would have to refuse the request for want of its body. */
export function mustHaveBody(request: OutgoingRequest, service: string): boolean {
  return request.isStreamed && headerOf(request.headers, CONTENT_HASH) === undefined && !isS3(service);
}

function hashOf(request: OutgoingRequest): string {
  return createHash('sha256')
    .update(request.body ?? new Uint8Array())
    .digest('hex');
}

function decodedBytesOf(request: OutgoingRequest): number {
  const text = headerOf(request.headers, 'x-amz-decoded-content-length') ?? '';
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw notSignable('`x-amz-decoded-content-length` is not a number');
}

function trailersOf(request: OutgoingRequest): readonly string[] {
  const names = (headerOf(request.headers, 'x-amz-trailer') ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  if (names.some((name) => name === '')) throw notSignable('`x-amz-trailer` does not name the trailers');
  return names;
}
