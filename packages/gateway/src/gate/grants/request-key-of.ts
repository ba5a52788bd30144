import { type Action, factsOfDoor, type Json } from '@sallyport/protocol';
import { requestKey } from '../../shared/same-request.ts';
import { requestOf } from '../../targets/index.ts';

/**
 * The key of a request that came by itself; undefined for everything else, and where a credential is lent: whoever allowed
 * the program that makes it was not shown that.
 */
export function requestKeyOf({ door, target, input }: Action): string | undefined {
  if (!factsOfDoor(door).carriesRequests || requestOf(target) === undefined) return undefined;
  const { method, url, headers, body } = input;
  const sha256 = isObject(body) ? body.sha256 : undefined;
  if (target.credential !== undefined || typeof sha256 !== 'string') return undefined;
  if (typeof method !== 'string' || typeof url !== 'string' || !Array.isArray(headers)) return undefined;
  return headers.every(isHeader) ? requestKey({ method, url, sha256, headers }) : undefined;
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isHeader(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'string';
}
