import { isOverrideHeader } from '../../actions/index.ts';
import type { Header } from '../../shared/http-message.ts';
import { isForbiddenTrailer, isHopByHop, lowerFieldName, nominatedFields } from '../../shared/http1/index.ts';

/** Framing and routing: written anew from the parsed form. */
const REWRITTEN: ReadonlySet<string> = new Set(['host', 'content-length', 'expect', 'x-creds']);

/** Headers that carry a credential of the agent's own, at whatever host. */
const AUTH: ReadonlySet<string> = new Set([
  'authorization',
  'x-api-key',
  'api-key',
  'x-auth-token',
  'x-access-token',
  'x-amz-security-token',
  'x-goog-api-key',
  'x-goog-iam-authorization-token',
  'private-token',
  'x-vault-token',
  'x-github-token',
  'dd-api-key',
  'dd-application-key',
]);

export interface StripRules {
  /** the host gets the agent's own auth */
  readonly passesAuth: boolean;
  /** a credential will be lent: its cookies live on our side */
  readonly isRouted: boolean;
  readonly extra: ReadonlySet<string>;
  /** Whether a header of this name, in lower case, stays because of what it holds: a placeholder that is replaced. */
  readonly isStandIn: (name: string, value: string) => boolean;
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
    // SECURITY: an agent's own credential never goes upstream, wherever it got it from [CR-3].
    if (
      (isAuth(lower, read, rules) || isSubprotocolAuth(read, header[1], rules)) &&
      !rules.isStandIn(lower, header[1])
    )
      continue;
    kept.push(header);
  }
  return kept;
}

/** What may follow a body: trailers come after the verdict, so they carry nothing that a head could not. */
export function stripTrailers(trailers: readonly Header[], extra: ReadonlySet<string>): readonly Header[] {
  if (trailers.length === 0) return trailers;
  const rules = { passesAuth: false, isRouted: true, extra };
  return trailers.filter(([name]) => {
    const lower = lowerFieldName(name);
    const read = asRead(lower);
    const isNone = isForbiddenTrailer(read) || isOverrideHeader(lower) || isHopByHop(read);
    return !isNone && !isAuth(lower, read, rules);
  });
}

/** SECURITY: CGI and its heirs read an underscore like a hyphen, so `X_Api_Key` is `X-Api-Key` to them. */
function asRead(lower: string): string {
  return lower.includes('_') ? lower.replaceAll('_', '-') : lower;
}

type AuthRules = Pick<StripRules, 'passesAuth' | 'isRouted' | 'extra'>;

function isAuth(lower: string, read: string, { passesAuth, isRouted, extra }: AuthRules): boolean {
  if (passesAuth) return false;
  if (AUTH.has(read) || extra.has(lower) || extra.has(read)) return true;
  return isRouted && (read === 'cookie' || read === 'cookie2');
}

// Browsers cannot set headers of a WebSocket, so Kubernetes and model APIs take a token as a subprotocol.
const SUBPROTOCOL_TOKEN = /bearer|api-?key|authorization|access-?token/i;

function isSubprotocolAuth(read: string, value: string, { passesAuth }: AuthRules): boolean {
  return !passesAuth && read === 'sec-websocket-protocol' && SUBPROTOCOL_TOKEN.test(value);
}
