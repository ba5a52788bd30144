import { isOrdinaryName, joinedName, parameterCertainty } from './names.ts';
import { isCredentialText, isCredentialValue, isUuid, looksRandom } from './values.ts';

/**
 * How surely the name of a header says that its value is a credential.
 *
 * - `certain`: whatever the value is.
 * - `possible`: a value that looks random is one (`X-Ticket`).
 * - `session`: the same, but for a UUID, by which clients mark what belongs together.
 * - `text`: words for people (`X-Title`), in which a scheme like `Token` is only a word.
 * - `none`: only a value that has the form of one is one.
 */
type HeaderCertainty = 'certain' | 'possible' | 'session' | 'text' | 'none';

/** Keys that no word of their name gives away, from the documentation of each service. */
const ALSO: ReadonlySet<string> = new Set([
  ...['x-honeycomb-team', 'x-registry-config', 'dpop', 'cst', 'x-jfrog-art-api', 'x-art-api'],
  ...['x-ebay-api-cert-name', 'x-ovh-consumer', 'vmware-api-session-id', 'x-restsvcsessionid'],
  ...['x-parse-master', 'x-odoo-session-id', 'x-openerp-session-id', 'x-trello-application'],
]);

/** What follows says something about a credential, and is none: `Npm-Auth-Type`, `Signature-Input`. */
const ABOUT =
  /-(?:type|version|method|algorithm|alg|input|agent|mode|scheme|format|expires|expiry|ttl|policy|required|status|level|length|count|limit|remaining)$/;
/** `Accept-Signature` asks for one. */
const ASKS = /^(?:x-)?(?:accept|want|request-accept)-/;

const AUTH = /(?:^|-)(?:auth|authorization|authentication|authn|authz|oauth|oauth2)(?:-|$)/;
const LAST_WORD = /(?:^|-)(?:pat|sas|sig|sign|pass|pwd|psw|pw|cert|clientcert|creds?|saml|session)$/;
const PART = /password|passwd|passphrase|passcode|secret|credential|signature|macaroon|wsse|hmac/;
const END = /(?:key|keys|token|auth|jwt|bearer|assertion|hmac|cookie|cookies|authorization)$/;
/** Words of English that end like one. */
const ENGLISH = /(?:don|mon|tur|whis|hoc|joc|hot|turn|lac|mic|flun|malar|smo|short)keys?$/;
/** Of what keeps strangers out; others only pass by a cache. */
const BYPASS = /(?:protection|auth|waf|firewall|captcha|sso|login|deployment|maintenance)bypass$/;
const MAYBE = /(?:^|-)(?:ticket|sid|sessid|otp|pin|api|access|login|grant|bypass)$/;
const SESSION = /session-?id$/;
const OF_SESSION = /session(?:-?id)?$/;
/** Programs and protocols that mark with a session what belongs together: nobody logs in with one. */
const MARKS =
  /(?:^|-)(?:mcp|a2a|npm|client|code|claude|codex|cursor|copilot|opencode|agent|agentcore|runtime|conversation|chat|thread|trace|request|browser|device|tab|window|page|editor|vscode|cli|app|ide|litellm|langfuse|langsmith|helicone|portkey|sentry|posthog|amplitude|datadog|dd|rum|analytics|telemetry|correlation|affinity|sticky|test|build|run|job|upload|stream|sse|websocket|transmission|playback|debug)-/;
const TEXT =
  /(?:^|-)(?:title|name|description|subject|message|comment|summary|label|labels|note|notes|reason|caption|topic|user-agent|ua)$/;

function readName(lower: string): HeaderCertainty {
  // gRPC: bytes under a name, and the name is what counts.
  const name = lower.endsWith('-bin') ? lower.slice(0, -4) : lower;
  if (ALSO.has(name)) return 'certain';
  if (ABOUT.test(name) || ASKS.test(name)) return TEXT.test(name) ? 'text' : 'none';
  if (AUTH.test(name)) return 'certain';
  if (name === 'session-id' || (MARKS.test(name) && OF_SESSION.test(name))) return 'none';
  if (LAST_WORD.test(name)) return 'certain';
  const joined = joinedName(name);
  if (isOrdinaryName(joined) || ENGLISH.test(joined)) return 'none';
  if (PART.test(joined) || END.test(joined) || parameterCertainty(name) === 'certain') return 'certain';
  if (BYPASS.test(joined)) return 'certain';
  if (SESSION.test(name)) return 'session';
  if (MAYBE.test(name)) return 'possible';
  return TEXT.test(name) ? 'text' : 'none';
}

const known = new Map<string, HeaderCertainty>();
const NAMES_AT_MOST = 1_000;
/** No name that matters is longer, and what is kept must stay small. */
const LONGEST_KEPT = 64;

/** The same few names come with every request: each is looked at once. */
function headerCertainty(lower: string): HeaderCertainty {
  let certainty = known.get(lower);
  if (certainty === undefined) {
    certainty = readName(lower);
    if (lower.length <= LONGEST_KEPT && known.size < NAMES_AT_MOST) known.set(lower, certainty);
  }
  return certainty;
}

/**
 * Whether a header of this name carries a credential, whatever its value is. `lower`: in lower case, and with hyphens for
 * underscores.
 *
 * SECURITY: what is not known and has the form of one counts; the few that only sound like one are listed above [CR-9].
 */
export function isCredentialHeader(lower: string): boolean {
  return headerCertainty(lower) === 'certain';
}

/** Whether a header carries a credential, by its name, by the form of its value, or by both. */
export function carriesCredential(lower: string, value: string): boolean {
  switch (headerCertainty(lower)) {
    // First what most are.
    case 'none':
      return isCredentialValue(value);
    case 'certain':
      return true;
    case 'possible':
      return isCredentialValue(value) || looksRandom(value);
    case 'session':
      return isCredentialValue(value) || (looksRandom(value) && !isUuid(value));
    case 'text':
      return isCredentialText(value);
  }
}
