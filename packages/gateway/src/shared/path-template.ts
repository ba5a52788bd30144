const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NUMBER = /^\d+$/;
const NUMBER_WITH_ENDING = /^\d+(\.[a-z]{1,5})$/;
const HEX = /^[0-9a-f]+$/i;
/** As short as git writes a commit. */
const SHORTEST_HASH = 7;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const SHORTEST_OPAQUE = 16;
/** Words and dates change between letters and digits, or from a small letter to a capital, less often than this. */
const CHANGES_PER_SIGN = 0.3;

/**
 * The shape of a path: segments that only say which one (numbers, UUIDs, hashes, long opaque ones) become `{}`, also
 * before and after a colon (`42:cancel` is `{}:cancel`). What looks like a name stays: a template shall not make one
 * of two things that people call by different names. Takes a normalised path, in linear time.
 */
export function pathTemplate(path: string): string {
  let template = '';
  let start = 0;
  for (let at = 0; at <= path.length; at += 1) {
    const sign = at === path.length ? '' : path.charAt(at);
    if (sign !== '/' && sign !== ':' && sign !== '') continue;
    template += templateOf(path.slice(start, at)) + sign;
    start = at + 1;
  }
  return template;
}

function templateOf(part: string): string {
  if (NUMBER.test(part)) return '{}';
  const ending = NUMBER_WITH_ENDING.exec(part)?.[1];
  if (ending !== undefined) return `{}${ending}`;
  if (UUID.test(part) || isHash(part) || ULID.test(part) || isOpaque(part)) return '{}';
  // A brace that somebody sent is no mark of ours.
  return part.replaceAll('{', '%7B').replaceAll('}', '%7D');
}

/** Hexadecimal with a digit in it: `facade` is a word, and so is `defaced`. */
const isHash = (part: string): boolean => part.length >= SHORTEST_HASH && HEX.test(part) && /\d/.test(part);

type Kind = 'digit' | 'small' | 'capital';

function isOpaque(part: string): boolean {
  if (part.length < SHORTEST_OPAQUE) return false;
  let signs = 0;
  let digits = 0;
  let changes = 0;
  let before: Kind | undefined;
  for (let at = 0; at < part.length; at += 1) {
    const kind = kindOf(part.charCodeAt(at));
    if (kind === 'other') return false;
    if (kind === 'joint') continue;
    signs += 1;
    if (kind === 'digit') digits += 1;
    // A capital and the small letters behind it are one word.
    if (before !== undefined && before !== kind && !(before === 'capital' && kind === 'small')) changes += 1;
    before = kind;
  }
  const isMixed = digits > 0 && digits < signs;
  return isMixed && signs >= SHORTEST_OPAQUE && changes >= signs * CHANGES_PER_SIGN;
}

function kindOf(code: number): Kind | 'joint' | 'other' {
  if (code >= 0x30 && code <= 0x39) return 'digit';
  if (code >= 0x61 && code <= 0x7a) return 'small';
  if (code >= 0x41 && code <= 0x5a) return 'capital';
  // `-`, `.`, `=`, `_`, `~`: what base64 and prefixes of ids are made of
  return code === 0x2d || code === 0x2e || code === 0x3d || code === 0x5f || code === 0x7e
    ? 'joint'
    : 'other';
}
