/**
 * How surely a name says that its value is a credential.
 *
 * - `certain`: whatever the value is (`api_key`, `private_token`, `X-Amz-Signature`).
 * - `chosen`: whatever a person may have chosen, and that is any word (`pass`, `user_pwd`).
 * - `issued`: unless the value is made of words (`license_key`, `credentials`).
 * - `likely`: unless the value plainly is none (`token`, `sig`, `auth`).
 * - `possible`: only a value that looks random is one (`key`, `share_token`).
 * - `none`: only a value that has the form of a provider's key is one.
 * - `ordinary`: the same, but for signed tokens, which mark pages and forms too (`page_token`, `cursor`, `state`).
 */
export type Certainty = 'certain' | 'chosen' | 'issued' | 'likely' | 'possible' | 'none' | 'ordinary';

// All of these are matched with the name in lower case, without what separates its words: `X-Api-Key`, `api_key`,
// `apiKey` and `apikey` are one name.
const ORDINARY_TOKEN =
  /(?:page|paging|pagination|next|prev|previous|continuation|continue|cursor|scroll|skip|sync|resume|resumption|start|starting|after|before|marker|delta|iterator|list|last|first|position|pos|offset|range|batch|seek|search|query|result|results|more|forward|backward|checkpoint|watch|poll|change|changes|snapshot|bookmark|timeline|idempotency|clientrequest|dedup|deduplication|lock)token$|authenticitytoken$|requestverificationtoken$/;
/** Against forged forms; with a word of a credential in what is left, it is that: `csrf_api_key`. */
const FORGERY = /(?:csrf|xsrf)(?:middleware|protection|magic)?(?:token)?/;
/** Where a page or a log-in goes on. What stands before counts: `api_key_state`. */
const GOES_ON = /(?:cursor|continuation|marker|state|nonce|after|before)$/;
const CREDENTIAL_WORD = /key|token|secret|passw|passp|passc|pwd|credential|jwt|bearer|signature|hmac/;
const LOGIN_WORD = /session|sid$|auth|pass/;
/** Says nothing about what it is the value of. */
const SAYS_NOTHING = /(?<=.)(?:value|val|string|raw|b64|base64|hex|param|v)$/;
const ORDINARY_KEY =
  /(?:idempotency|cache|surrogate|partition|shard|row|sort|order|public|publishable|site|foreign|primary|storage|object|file|start|end|evaluated|hash|range|dedup|deduplication|encryption|customer|kms|websocket|turn|mon|don|tur|whis|hoc|joc|hot|short|lookup|natural|business|composite|group|index|translation|message|issue|project|component|feature|flag|metric|config|setting|property|attribute|field|column|tag|label|dataset|resource|entity|record|document|doc|event|asset|template|theme|locale|menu|parent|reference|unique|correlation|transaction|tracking)keys?$/;
const CERTAIN_KEY =
  /(?:api|access|secret|secretaccess|subscription|functions?|admin|master|private|signing|shared|sharedaccess|write|insert|consumer|auth|sas|developer)key$|accesskeyid$|accesskeysecret$|googleaccessid$/;
/** A machine gives these out; a word under such a name is something else. */
const ISSUED = /(?:app|application|license|service|account|user|client)key$|credentials?$/;
const CERTAIN_TOKEN =
  /(?:access|api|auth|authentication|authorization|bearer|private|personal|job|deploy|oauth|refresh|session|security|id|user|service|bot|client|device|registration|runner|vault|secret|jwt|sas|app|account|admin|trigger|feed|github|gitlab)token$/;
const CERTAIN_OTHER =
  /(?:client|app|consumer|api|shared|webhook|signing|account|user)secret$|(?:amz|goog|oss|cos|obs|tos|oauth|hmac|request|q)signature$|(?:amz|goog)credential$|password$|passwd$|passphrase$|^x?(?:authorization|bearer|jwt)$/;
/** A person may have chosen these: any word is one. */
const CHOSEN =
  /^(?:x|my|user|usr|db|database|admin|login|log|auth|account|acct|root|smtp|ftp|http|https|basic|proxy|wifi|new|old|current|confirm|j|sql|mysql|pg|email|mail|member|client|service|svc)?(?:pass|pwd|psw|passcode|passwort|contrasena|motdepasse|senha|clave)$/;
const LIKELY = /^x?(?:token|sig|signature|auth|secret|sas|hmac|assertion|clientassertion|authn|authz)$/;
const POSSIBLE =
  /(?:key|token|secret|signature|sig|sign|auth|pass|pwd|session|sessionid|sessid|sid|ticket|jwt|hmac|macaroon)$|^(?:ak|sk|tk|pat|api|cst|apk|accesscode)$/;

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
  // The first is Laravel's token against forged forms; sites of Java put the other into every link; S3 lists by the last.
  if (name === '_token' || joined === 'jsessionid' || joined === 'keymarker') return 'ordinary';
  return readJoined(joined);
}

function readJoined(joined: string): Certainty {
  if (isOrdinaryToken(joined)) return 'ordinary';
  if (ORDINARY_KEY.test(joined)) return 'none';
  if (CERTAIN_KEY.test(joined) || CERTAIN_TOKEN.test(joined) || CERTAIN_OTHER.test(joined)) return 'certain';
  if (ISSUED.test(joined)) return 'issued';
  if (CHOSEN.test(joined)) return 'chosen';
  if (LIKELY.test(joined)) return 'likely';
  if (POSSIBLE.test(joined)) return 'possible';
  const before = joined.replace(GOES_ON, '').replace(SAYS_NOTHING, '');
  return before === joined ? 'none' : readJoined(before);
}

function isOrdinaryToken(joined: string): boolean {
  if (ORDINARY_TOKEN.test(joined)) return true;
  if (FORGERY.test(joined)) {
    const rest = joined.replace(FORGERY, '');
    return !CREDENTIAL_WORD.test(rest) && !LOGIN_WORD.test(rest);
  }
  return GOES_ON.test(joined) && !CREDENTIAL_WORD.test(joined);
}

/** Whether a name only sounds like that of a credential; as `joinedName` gives it. */
export function isOrdinaryName(joined: string): boolean {
  return isOrdinaryToken(joined) || ORDINARY_KEY.test(joined);
}

/** A name in lower case, without what separates its words, and without the number at its end. */
export function joinedName(name: string): string {
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
