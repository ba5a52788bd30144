/**
 * How surely a name says that its value is a credential.
 *
 * - `certain`: whatever the value is (`api_key`, `private_token`, `X-Amz-Signature`).
 * - `likely`: unless the value plainly is none (`token`, `sig`, `auth`).
 * - `possible`: only a value that looks random is one (`key`, `share_token`).
 * - `none`: only a value that has the form of a provider's key is one.
 * - `ordinary`: the same, but for signed tokens, which mark pages and forms too (`page_token`, `cursor`, `state`).
 */
export type Certainty = 'certain' | 'likely' | 'possible' | 'none' | 'ordinary';

// All of these are matched with the name in lower case, without what separates its words: `X-Api-Key`, `api_key`,
// `apiKey` and `apikey` are one name.
const ORDINARY_TOKEN =
  /(?:page|paging|pagination|next|prev|previous|continuation|continue|cursor|scroll|skip|sync|resume|start|starting|after|before|marker|delta|iterator)token$|csrf|xsrf|authenticitytoken|requestverificationtoken|(?:cursor|continuation|marker|state|nonce|after|before)$/;
const ORDINARY_KEY =
  /(?:idempotency|cache|surrogate|partition|shard|row|sort|order|public|publishable|site|foreign|primary|storage|object|file|start|end|evaluated|hash|range|dedup|deduplication|encryption|customer|kms|websocket|turn|mon|hot|short)keys?$/;
const CERTAIN_KEY =
  /(?:api|app|application|access|secret|secretaccess|subscription|functions?|account|service|admin|master|private|signing|shared|sharedaccess|write|insert|license|consumer|auth|sas|developer|user|client)key$|accesskeyid$|accesskeysecret$|googleaccessid$/;
const CERTAIN_TOKEN =
  /(?:access|api|auth|authentication|authorization|bearer|private|personal|job|deploy|oauth|refresh|session|security|id|user|service|bot|client|device|registration|runner|vault|secret|jwt|sas|app|account|admin|trigger|feed|github|gitlab)token$/;
const CERTAIN_OTHER =
  /(?:client|app|consumer|api|shared|webhook|signing|account|user)secret$|(?:amz|goog|oss|cos|obs|tos|oauth|hmac|request|q)signature$|credentials?$|password$|passwd$|passphrase$|^x?(?:authorization|bearer|jwt)$/;
const LIKELY = /^x?(?:token|sig|signature|auth|secret|sas|hmac|assertion|clientassertion|authn|authz)$/;
const POSSIBLE =
  /(?:key|token|secret|signature|sig|sign|auth|pass|pwd|session|sessionid|sid|ticket|jwt|hmac)$/;

/** No name that matters is longer; what is kept must stay small. */
const LONGEST = 64;
const NAMES_AT_MOST = 2_000;
const known = new Map<string, Certainty>();

/** What the name of a parameter or of a field of a form says; decoded, in any spelling. */
export function parameterCertainty(name: string): Certainty {
  let certainty = known.get(name);
  if (certainty === undefined) {
    certainty = readName(name);
    if (name.length <= LONGEST && known.size < NAMES_AT_MOST) known.set(name, certainty);
  }
  return certainty;
}

function readName(name: string): Certainty {
  const joined = joinedName(name);
  // The first is Laravel's token against forged forms; sites of Java put the other into every link.
  if (name === '_token' || joined === 'jsessionid') return 'ordinary';
  if (ORDINARY_TOKEN.test(joined)) return 'ordinary';
  if (ORDINARY_KEY.test(joined)) return 'none';
  if (CERTAIN_KEY.test(joined) || CERTAIN_TOKEN.test(joined) || CERTAIN_OTHER.test(joined)) return 'certain';
  if (LIKELY.test(joined)) return 'likely';
  return POSSIBLE.test(joined) ? 'possible' : 'none';
}

function joinedName(name: string): string {
  // What decides stands at the end, and a name has no bound of its own.
  return (
    name
      .slice(-4 * LONGEST)
      .replaceAll(/[^A-Za-z0-9]+/g, '')
      // The second key of two is one as well: `api_key2`, `apikey[0]`.
      .replace(/[0-9]{1,8}$/, '')
      .toLowerCase()
  );
}

const SIGNED_URL =
  /(?:signature|sig|sas|hmac|jwt)$|^x?(?:amz|goog)(?:credential|securitytoken)$|accesskeyid$|googleaccessid$/;

/**
 * Whether a parameter is part of what makes a URL open to whoever has it: a signature, or a token for this one thing. Whoever
 * made it may hand it to others; a key that opens more is never handed.
 */
export function isSignatureName(name: string): boolean {
  const joined = joinedName(name);
  return SIGNED_URL.test(joined) || (joined.endsWith('token') && parameterCertainty(name) !== 'certain');
}

const HEADER_WORD = /(?:^|-)(?:auth|authorization|authentication|authn|authz)(?:-|$)/;
const HEADER_PART = /password|passwd|passphrase|secret|credential|signature/;
const HEADER_END = /(?:key|keys|token|auth|jwt|bearer|assertion|hmac|sig|pat|sas)$/;
/** Keys that no other word gives away, and names that only sound like one. */
const HEADER_ALSO: ReadonlySet<string> = new Set(['x-honeycomb-team', 'x-registry-config', 'dpop']);
const HEADER_ORDINARY: ReadonlySet<string> = new Set(['npm-auth-type']);

/**
 * Whether a header of this name carries a credential. `lower`: in lower case, and with hyphens for underscores.
 *
 * SECURITY: what is not known and has the form of one counts; the few that only sound like one are listed above [CR-9].
 */
export function isCredentialHeader(lower: string): boolean {
  // gRPC: bytes under a name, and the name is what counts.
  const name = lower.endsWith('-bin') ? lower.slice(0, -4) : lower;
  if (HEADER_ALSO.has(name)) return true;
  if (HEADER_ORDINARY.has(name)) return false;
  if (HEADER_WORD.test(name)) return true;
  const joined = joinedName(name);
  if (ORDINARY_TOKEN.test(joined) || ORDINARY_KEY.test(joined)) return false;
  return HEADER_PART.test(joined) || HEADER_END.test(joined);
}
