import { quoted } from '../../shared/canonical-json.ts';
import { isCredentialHeader } from '../../shared/credential-forms/header-names.ts';

/** What stands for a value that nobody may see. */
export const REDACTED = '[redacted]';

/** More that nobody needs to see to decide: cookies, and tokens that are no credentials by themselves. */
const HIDDEN = /cookie|token/;

/** Headers whose values nobody may see. */
function isHidden(lower: string): boolean {
  return HIDDEN.test(lower) || isCredentialHeader(lower.replaceAll('_', '-'));
}

/** What an action needs to know and to write for a header of one name. */
export interface HeaderName {
  /** the whole header as it is shown, if its value is hidden */
  readonly redacted: readonly [string, string] | undefined;
  /** what goes before the value in a preview */
  readonly line: string;
  /** what goes before the value in the JSON list of all headers: as its first entry, or after another value */
  readonly first: string;
  readonly next: string;
}

const known = new Map<string, HeaderName>();
const NAMES_AT_MOST = 1000;
/** No name that matters is longer, and what is kept must stay small. */
const LONGEST_KEPT = 64;

/** The same few names come with every request: each is looked at once. Refuses a name with half a character. */
export function headerName(name: string): HeaderName {
  let entry = known.get(name);
  if (entry === undefined) {
    const item = `[${quoted(name)},"`;
    const redacted = isHidden(name.toLowerCase()) ? Object.freeze([name, REDACTED] as const) : undefined;
    entry = { redacted, line: `\n${name}: `, first: item, next: `"],${item}` };
    if (name.length <= LONGEST_KEPT && known.size < NAMES_AT_MOST) known.set(name, entry);
  }
  return entry;
}

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
