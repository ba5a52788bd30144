import { BadMessage } from './bad-message.ts';
import type { FieldName } from './field-names.ts';

// RFC 9110 6.5.1: what frames, routes, authenticates, modifies or describes a message must stand before it.
const FORBIDDEN: ReadonlySet<string> = new Set([
  'transfer-encoding',
  'content-length',
  'content-encoding',
  'content-type',
  'content-range',
  'host',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'max-forwards',
  'cache-control',
  'range',
  'authorization',
  'proxy-authorization',
  'proxy-authenticate',
  'proxy-connection',
  'www-authenticate',
  'x-api-key',
  'x-creds',
  'cookie',
  'set-cookie',
  'location',
  'http2-settings',
]);

/** Whether a field has no place after a body. */
export function isForbiddenTrailer(lower: string): boolean {
  return FORBIDDEN.has(lower) || lower.startsWith('proxy-') || lower.startsWith('if-');
}

/** SECURITY: a server that merges trailers into the head would get fields that nobody judged or stripped. */
export function refuseForbiddenTrailer({ lower }: FieldName): void {
  if (isForbiddenTrailer(lower)) throw new BadMessage('forbidden-trailer');
}
