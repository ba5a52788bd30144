/**
 * Forms by which providers make their keys known. INVARIANT: each alternative has a literal start and bounded or
 * single-class repetitions, so that it takes linear time, and nothing shorter than `SHORTEST` matches.
 */
const KNOWN = new RegExp(
  [
    'gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}',
    'gl(?:pat|dt|rt|ptt|cbt|soat|imt|agent|ft)-[A-Za-z0-9_-]{16,}',
    'sk-(?:[a-z]{2,12}[0-9]{0,2}-){0,3}(?=[A-Za-z_]*[0-9])[A-Za-z0-9_]{16,}|[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{20,}',
    'sk-or-v[0-9]-[A-Za-z0-9]{20,}|nvapi-[A-Za-z0-9_-]{30,}|tvly-[A-Za-z0-9-]{20,}|dapi[a-f0-9]{32}|CFPAT-[A-Za-z0-9_-]{30,}',
    'phx_[A-Za-z0-9]{30,}|tgp_v1_[A-Za-z0-9_-]{30,}',
    'xox[abeoprs]-[A-Za-z0-9-]{15,}|xapp-[A-Za-z0-9-]{15,}',
    '(?:AKIA|ASIA)[A-Z0-9]{16}',
    'AIza[A-Za-z0-9_-]{30,}|ya29\\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}',
    'npm_[A-Za-z0-9]{30,}|pypi-AgE[A-Za-z0-9_-]{30,}|hf_[A-Za-z0-9]{20,}|rubygems_[a-f0-9]{40,}|cio[A-Za-z0-9]{32}',
    'do[opr]_v1_[a-f0-9]{40,}|dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}',
    'lin_(?:api|oauth)_[A-Za-z0-9]{30,}|ntn_[A-Za-z0-9]{30,}|secret_[A-Za-z0-9]{40,}|figd_[A-Za-z0-9_-]{20,}',
    'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}|key-[0-9a-f]{32}(?![0-9a-f]|\\.(?:[cm]?jsx?|tsx?|css|map|json|html?|png|svg|jpe?g|gif|webp|avif|ico|woff2?|ttf|wasm|txt|md)\\b)|ATATT3[A-Za-z0-9_=-]{20,}|ATBB[A-Za-z0-9]{20,}',
    'glsa_[A-Za-z0-9_]{20,}|glc_[A-Za-z0-9+/=]{30,}|sntry[su]_[A-Za-z0-9_=+/-]{20,}|PMAK-[A-Za-z0-9-]{30,}',
    'tskey-[A-Za-z0-9-]{16,}|nfp_[A-Za-z0-9]{30,}|sbp_[a-f0-9]{40}|r8_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{40,}',
    'xai-[A-Za-z0-9]{40,}|pplx-[A-Za-z0-9]{40,}|hv[sbr]\\.[A-Za-z0-9_-]{20,}|dp\\.(?:pt|st|ct)\\.[A-Za-z0-9.]{30,}',
    'sp[tkoea]_[A-Za-z0-9_-]{16,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}',
    'eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.',
  ]
    .map((part) => `(?:${part})`)
    .join('|')
    .replace(/^/, '(?<![A-Za-z0-9])(?:')
    .concat(')'),
);
const SHORTEST = 20;
/** All that is known has so many of these in a row: most values have not, and that is quickly seen. */
const LONG_RUN = /[A-Za-z0-9_.:=+/-]{20}/;
const PEM = '-----BEGIN ';
/** Keys that AWS prints in its documentation. */
const EXAMPLE = /EXAMPLE$/;

/** Whether a text holds something that has the form of a provider's key, or of a signed token. */
export function holdsKnownKey(text: string): boolean {
  if (text.length < SHORTEST) return false;
  if (text.includes(PEM) && /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/.test(text)) return true;
  const found = LONG_RUN.test(text) ? KNOWN.exec(text)?.[0] : undefined;
  return found !== undefined && !EXAMPLE.test(found);
}

/** A token that says what it is and is signed: `eyJ….….…`. */
export function isSignedToken(text: string): boolean {
  return /^eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*$/.test(text);
}

const SCHEME =
  /^["']?(?:bearer|basic|token|api-?key|digest|negotiate|ntlm|hawk|oauth|jwt|dpop|aws4?|aws4-[\w-]{1,30}|goog4-[\w-]{1,30}|hmac[\w-]{0,20}|sharedkey(?:lite)?|sharedaccesssignature|signature|bot|geniekey|splunk|mac|vapid|key)[ \t]+(?:[^\s,]+$|[\w-]{1,40}=)/i;
/** The two that are hardly a word elsewhere, and a long token behind them, wherever they stand. */
const INSIDE = /\b(?:bearer|basic)[ \t]+[A-Za-z0-9._~+/-]{16}/i;
const NAMED =
  /[?&](?:[\w.%-]{0,40}(?:api[-_.]?key|(?:access|private|auth|job|session|refresh)[-_.]?token|signature|secret)|sig|token)=[^&\s]{3}/i;
const USERINFO = /:\/\/[^\s/?#@]{0,512}:[^\s/?#@]{1,512}@/;

const MARKED = /[ \t@?]/;

/** Schemes that are words of English too, with another word behind them: `Token counter`, `Basic calculator`. */
const PHRASE =
  /^(?:[Tt]oken|[Kk]ey|[Bb]ot|[Dd]igest|[Ss]ignature|[Mm]ac|[Bb]asic|[Hh]awk|[Ss]plunk|[Nn]egotiate)[ \t]+[A-Za-z][a-z]{3,19}[.!?]?$/;

/** The same values come with every request of a client: each is read once, until there are too many of them. */
const read = new Map<string, boolean>();
const readTexts = new Map<string, boolean>();
const READ_AT_MOST = 1_000;
const LONGEST_KEPT = 160;

/** Whether the value of a header has the form of a credential, whatever the header is called. */
export function isCredentialValue(value: string): boolean {
  // Neither a scheme nor an address, and too short for a key: most values, and every one that is new each time.
  if (value.length < SHORTEST && !MARKED.test(value)) return false;
  return readOnce(read, value, readValue);
}

/** The same for words that people read, where a scheme may be just a word. */
export function isCredentialText(value: string): boolean {
  return value.length >= SHORTEST - 8 && readOnce(readTexts, value, readText);
}

function readOnce(kept: Map<string, boolean>, value: string, readIt: (value: string) => boolean): boolean {
  const known = kept.get(value);
  if (known !== undefined) return known;
  const is = readIt(value);
  if (value.length <= LONGEST_KEPT) {
    if (kept.size >= READ_AT_MOST) kept.clear();
    kept.set(value, is);
  }
  return is;
}

function readValue(value: string): boolean {
  return (SCHEME.test(value) && !PHRASE.test(value)) || readText(value);
}

function readText(value: string): boolean {
  if (INSIDE.test(value) || holdsKnownKey(value) || hasUserinfo(value)) return true;
  // An address in a header (`Referer`) carries what it carries anywhere.
  return value.includes('?') && value.includes('=') && NAMED.test(value);
}

/** Whether an address in a text carries a password. */
export function hasUserinfo(text: string): boolean {
  return text.includes('@') && USERINFO.test(text);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const RUN = /[A-Za-z0-9]{12,}/g;

export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** Whether a value looks as if a machine had drawn it: a known form, a UUID, or letters and digits in no order. */
export function looksRandom(value: string): boolean {
  if (UUID.test(value) || holdsKnownKey(value)) return true;
  if (value.length < 16 || /\s/.test(value)) return false;
  for (const [run] of value.slice(0, 1_024).matchAll(RUN)) if (isDisordered(run)) return true;
  return false;
}

/** Words, also joined in camel case or with a year behind them, change between cases and digits less often. */
function isDisordered(run: string): boolean {
  const digits = run.replaceAll(/[^0-9]/g, '').length;
  let changes = 0;
  for (let at = 1; at < run.length; at += 1) if (classOf(run, at) !== classOf(run, at - 1)) changes += 1;
  const share = changes / run.length;
  if (digits === run.length) return false;
  return digits >= 2 ? share >= 0.25 : run.length >= 20 && share >= 0.4;
}

function classOf(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code <= 0x39 ? 0 : code <= 0x5a ? 1 : 2;
}

const OURS = /^(?:sp-placeholder-[0-9a-f]{40}|sp-ref:[A-Za-z0-9][A-Za-z0-9._:-]{0,128}:[0-9a-f]{32})$/;

/** What stands for a credential of ours: worth nothing by itself. */
export function isOwnPlaceholder(value: string): boolean {
  return OURS.test(value);
}
