import { isOverrideHeader } from '../../actions/index.ts';
import { carriesCredential } from '../../shared/credential-forms/header-names.ts';
import { looksRandom } from '../../shared/credential-forms/values.ts';
import type { Header } from '../../shared/http-message.ts';
import { isForbiddenTrailer, isHopByHop, lowerFieldName, nominatedFields } from '../../shared/http1/index.ts';

/** Framing and routing: written anew from the parsed form. */
const REWRITTEN: ReadonlySet<string> = new Set(['host', 'content-length', 'expect', 'x-creds']);

export interface StripRules {
  /** the host gets the agent's own auth */
  readonly passesAuth: boolean;
  /** more names, lower case */
  readonly extra: ReadonlySet<string>;
  /** Of a `Cookie` header, what the agent was handed by this site; undefined when that is nothing. */
  readonly cookiesOf: (value: string) => string | undefined;
  /** Whether a header of this name, in lower case, stays because of what it holds: a placeholder that is replaced. */
  readonly isMention: (name: string, value: string) => boolean;
}

/** The headers that go upstream: what is judged, shown and sent is this list. */
export function stripHeaders(headers: readonly Header[], rules: StripRules): Header[] {
  const nominated = nominatedFields(headers);
  const kept: Header[] = [];
  for (const header of headers) {
    const lower = lowerFieldName(header[0]);
    if (nominated?.has(lower) === true) continue;
    const read = asRead(lower);
    // SECURITY: reverse proxies and old clients tell servers with some which path or method was meant. From an agent, that
    // would be another request than the one that was judged [GA-8].
    if (REWRITTEN.has(read) || isOverrideHeader(lower) || isHopByHop(read)) continue;
    if (rules.passesAuth) kept.push(header);
    else if (read === 'cookie' || read === 'cookie2') {
      const handed = rules.cookiesOf(header[1]);
      if (handed !== undefined) kept.push([header[0], handed]);
      // SECURITY: an agent's own credential never goes upstream, wherever it got it from [CR-3, CR-9].
    } else if (!isAuth(lower, read, header[1], rules.extra) || rules.isMention(lower, header[1])) {
      kept.push(header);
    }
  }
  return kept;
}

/** What may follow a body: trailers come after the verdict, so they carry nothing that a head could not. */
export function stripTrailers(trailers: readonly Header[], extra: ReadonlySet<string>): readonly Header[] {
  if (trailers.length === 0) return trailers;
  return trailers.filter(([name, value]) => {
    const lower = lowerFieldName(name);
    const read = asRead(lower);
    const isNone = isForbiddenTrailer(read) || isOverrideHeader(lower) || isHopByHop(read);
    return !isNone && !read.startsWith('cookie') && !isAuth(lower, read, value, extra);
  });
}

/** SECURITY: CGI and its heirs read an underscore like a hyphen, so `X_Api_Key` is `X-Api-Key` to them. */
function asRead(lower: string): string {
  return lower.includes('_') ? lower.replaceAll('_', '-') : lower;
}

// Browsers cannot set headers of a WebSocket, so Kubernetes and model APIs take a token as a subprotocol.
const SUBPROTOCOL_TOKEN = /bearer|key|auth|token|jwt|secret|passw/i;

/** Whether a header carries a credential, by its name or by the form of its value. */
function isAuth(lower: string, read: string, value: string, extra: ReadonlySet<string>): boolean {
  if (carriesCredential(read, value)) return true;
  if (extra.size > 0 && (extra.has(lower) || extra.has(read))) return true;
  if (read !== 'sec-websocket-protocol') return false;
  return SUBPROTOCOL_TOKEN.test(value) || value.split(',').some((word) => looksRandom(word.trim()));
}
