/** Fields that say something about the message itself. */
export const FIELD = {
  other: 0,
  host: 1,
  contentLength: 2,
  transferEncoding: 3,
  connection: 4,
  upgrade: 5,
  expect: 6,
  http2Settings: 7,
} as const;

type Field = (typeof FIELD)[keyof typeof FIELD];

export interface FieldName {
  /** as it was sent */
  readonly name: string;
  readonly lower: string;
  readonly field: Field;
}

const FIELDS: ReadonlyMap<string, Field> = new Map<string, Field>([
  ['host', FIELD.host],
  ['content-length', FIELD.contentLength],
  ['transfer-encoding', FIELD.transferEncoding],
  ['connection', FIELD.connection],
  ['upgrade', FIELD.upgrade],
  ['expect', FIELD.expect],
  ['http2-settings', FIELD.http2Settings],
]);

const KEPT_AT_MOST = 2_000;
const LONGEST_KEPT = 64;
const known = new Map<string, FieldName>();

/** Bytes of a `token` (RFC 9110). */
const TOKEN = new Uint8Array(256);
for (const character of "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
  TOKEN[character.charCodeAt(0)] = 1;

export function isTokenByte(byte: number): boolean {
  return TOKEN[byte] === 1;
}

export function isToken(text: string): boolean {
  if (text.length === 0) return false;
  for (let at = 0; at < text.length; at++) {
    if (TOKEN[text.charCodeAt(at)] !== 1) return false;
  }
  return true;
}

/** The same few names come with every message: each is checked, and made lower case, once. `undefined`: no token. */
export function readFieldName(name: string): FieldName | undefined {
  const found = known.get(name);
  if (found !== undefined) return found;
  if (!isToken(name)) return undefined;
  // A slice of a head keeps the whole head in memory; what is kept must be a text of its own.
  const own = Buffer.from(name, 'latin1').toString('latin1');
  const lower = own.toLowerCase();
  const entry: FieldName = { name: own, lower, field: FIELDS.get(lower) ?? FIELD.other };
  if (known.size < KEPT_AT_MOST && name.length <= LONGEST_KEPT) known.set(own, entry);
  return entry;
}

/** The name in lower case, without making it anew each time. */
export function lowerFieldName(name: string): string {
  return known.get(name)?.lower ?? name.toLowerCase();
}
