import { canonicalJson, sha256Hex } from './canonical-json.ts';

/** What stands for a value that nobody may see. */
export const REDACTED = '[redacted]';

/** Headers that say something else each time the same request is sent, or nothing about what it does. */
const PASSING =
  /^(?:date|user-agent|accept-encoding|prefer|priority|amz-sdk-request|baggage|b3|x-b3-.*|.*(?:trace|request-?id|correlation-?id|invocation-?id|idempotency|timestamp|nonce|-date).*)$/;

/**
 * The headers that make a request the same when it is sent again, in one order.
 *
 * SECURITY: consent is used when the request comes again, and a header may say what it does (`X-Amz-Target`), with
 * which rights (`X-Amz-Acl`) or in whose place (`X-HTTP-Method-Override`). Whatever is not known to be passing counts
 * [AP-1].
 */
export function lastingHeaders(
  headers: readonly (readonly [string, string])[],
): readonly (readonly [string, string])[] {
  return headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name, value]) => value !== REDACTED && !PASSING.test(name))
    .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
}

/** One request, by everything that it does. */
export interface WholeRequest {
  readonly method: string;
  /** with scheme, host, path and query, as its action shows it */
  readonly url: string;
  /** SHA-256 of the body, in hex; of nothing, where there is none */
  readonly sha256: string;
  /** hidden values as `REDACTED` */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** By these a program says what it would like to read, not what is to be done. */
const WISHES =
  /^(?:accept|accept-language|accept-charset|cache-control|pragma|dnt|upgrade-insecure-requests|sec-gpc|sec-fetch-.*|sec-ch-ua.*)$/;

/**
 * The same for a request that somebody foretold and for the one that came.
 *
 * SECURITY: whatever could make it another request counts: the method, every letter of the address, the body, and the headers
 * but for those that only name the program, the moment or its wishes [AP-1]. A hidden value is never foretold.
 */
export function requestKey({ method, url, sha256, headers }: WholeRequest): string {
  const hidden = headers.filter(([, value]) => value === REDACTED).map(([name]) => name.toLowerCase());
  const lasting = lastingHeaders(headers).filter(([name]) => !WISHES.test(name));
  return sha256Hex(canonicalJson([method, url, sha256, lasting, hidden.toSorted()]));
}
