import type { Header } from '../../shared/http-message.ts';
import { isHopByHop, lowerFieldName, nominatedFields } from '../../shared/http1/index.ts';

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
  /** Whether an auth header stays because of what it holds: a placeholder that will be replaced. */
  readonly isStandIn: (value: string) => boolean;
}

/** The headers that go upstream: what is judged, shown and sent is this list. */
export function stripHeaders(headers: readonly Header[], rules: StripRules): Header[] {
  const nominated = nominatedFields(headers);
  const kept: Header[] = [];
  for (const header of headers) {
    const lower = lowerFieldName(header[0]);
    if (REWRITTEN.has(lower) || isHopByHop(lower) || nominated?.has(lower) === true) continue;
    // SECURITY: an agent's own credential never goes upstream, wherever it got it from [CR-3].
    if (isAuth(lower, rules) && !rules.isStandIn(header[1])) continue;
    kept.push(header);
  }
  return kept;
}

function isAuth(lower: string, { passesAuth, isRouted, extra }: StripRules): boolean {
  if (passesAuth) return false;
  return AUTH.has(lower) || (isRouted && (lower === 'cookie' || lower === 'cookie2')) || extra.has(lower);
}
