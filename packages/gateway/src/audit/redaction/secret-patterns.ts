import { KEY_FORMATS, PRIVATE_KEY } from '../../shared/key-formats.ts';

/** What stands where a secret was. */
export const REDACTED = '[redacted]';

interface SecretPattern {
  readonly pattern: RegExp;
  readonly replacement: string;
}

const NAMES = 'passw(?:or)?d|pwd|passphrase|secret|token|api[-_]?key|access[-_]?key|private[-_]?key';

// INVARIANT: linear time. Every repetition is of one class that its successor cannot start with, or bounded.
const PATTERNS: readonly SecretPattern[] = [
  {
    pattern: new RegExp(`${PRIVATE_KEY}[\\s\\S]*?(?:-----END [A-Z0-9 ]{0,60}-----|$)`, 'g'),
    replacement: REDACTED,
  },
  ...KEY_FORMATS.map((source) => ({ pattern: new RegExp(source, 'g'), replacement: REDACTED })),
  // `git@` is no secret, everything else before an `@` may be.
  { pattern: /:\/\/(?!git@)[^\s/?#"'<>]{1,512}@/g, replacement: `://${REDACTED}@` },
  {
    pattern: /\b(bearer|basic)(\s{1,4})(?=[a-z._~+/-]{0,512}[A-Z0-9=])[A-Za-z0-9._~+/=-]{6,}/g,
    replacement: `$1$2${REDACTED}`,
  },
  {
    pattern: /\b(Bearer|Basic|BEARER|BASIC)(\s{1,4})[A-Za-z0-9._~+/=-]{6,}/g,
    replacement: `$1$2${REDACTED}`,
  },
  // JSON inside a string, quoted once or more: "password":"…"
  { pattern: quotedPair('"'), replacement: `$1${REDACTED}` },
  { pattern: quotedPair("'"), replacement: `$1${REDACTED}` },
  // Forms, queries, environment: password=…
  {
    pattern: new RegExp(`((?:${NAMES})\\s{0,3}=\\s{0,3}["']?)(?!\\[redacted\\])[^\\s"'&,;}]{1,8192}`, 'gi'),
    replacement: `$1${REDACTED}`,
  },
  // Header lines and YAML
  {
    pattern:
      /((?:cookie|authorization|api[-_]key|password|passphrase)\s{0,3}:[ \t]{0,3})(?!\[redacted\])[^\r\n"']{1,8192}/gi,
    replacement: `$1${REDACTED}`,
  },
];

function quotedPair(quote: string): RegExp {
  const open = `(?:${NAMES}|authorization|cookie)(\\\\{0,7}${quote})\\s{0,3}:\\s{0,3}\\2`;
  // A backslash belongs to the value, unless it escapes the quote at its end.
  const value = `(?:[^${quote}\\\\]|\\\\(?!\\\\{0,6}${quote}\\s{0,3}[,}\\]])[\\s\\S]){1,8192}`;
  return new RegExp(`(${open})${value}`, 'gi');
}

// Literal starts of the patterns above, without look-around: a quick no.
const SUSPECT =
  /passw|pwd|passphrase|secret|token|api[-_]?key|access[-_]?key|private[-_ ]?key|authorization|cookie|bearer|basic|eyJ|sp[tkoe]_|gh[pousr]_|github_pat_|glpat-|AKIA|ASIA|xox|xapp-|sk-|k_live_|AIza|npm_|:\/\/[^\s/]{1,512}@/i;

// Three letters out of every alternative above; a text that has none of them cannot match.
const HINTS =
  'ssw pwd ssp ecr oke key iza oki rer asi eyj pt_ pk_ po_ pe_ hp_ ho_ hu_ hs_ hr_ at_ at- aki xox pp- sk- ve_ pm_ ://';
/** No alternative but the address is longer, so that around a hint it is all there. */
const LONGEST_WORD = 13;
const SLASH = 47;
const HINT_MASK = (1 << 18) - 1;
const hintTable = new Uint8Array(HINT_MASK + 1);
for (const hint of HINTS.split(' ')) {
  hintTable[(fold(hint, 0) << 12) | (fold(hint, 1) << 6) | fold(hint, 2)] = 1;
}

/** Six bits of a character, the same for both cases of a letter. */
function fold(text: string, index: number): number {
  return (text.charCodeAt(index) | 32) & 63;
}

/** False when no pattern can match the text. Cheap: run on every event. */
export function maySpeakOfSecrets(text: string): boolean {
  let last3 = 0;
  for (let i = 0; i < text.length; i += 1) {
    last3 = ((last3 << 6) | fold(text, i)) & HINT_MASK;
    if (hintTable[last3] === 0 || i < 2) continue;
    // An address may be long before its `@`: then all of the text is looked at, and otherwise what is around.
    if (text.charCodeAt(i) === SLASH) return SUSPECT.test(text);
    if (SUSPECT.test(text.slice(Math.max(0, i - LONGEST_WORD), i + LONGEST_WORD))) return true;
  }
  return false;
}

/** The text without what looks like a secret. */
export function redactPatterns(text: string): string {
  if (!maySpeakOfSecrets(text)) return text;
  let result = text;
  for (const { pattern, replacement } of PATTERNS) result = result.replace(pattern, replacement);
  return result;
}
