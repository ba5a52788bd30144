import { SallyportError } from '@sallyport/protocol';
import { isDeepJson } from '../../shared/json-depth.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The value of JSON that every reader reads in the same way: what is signed is then what is carried out.
 *
 * Refuses with `EnvelopeMalformed` what is not UTF-8 or not JSON, what is nested too deeply, an object with a key twice, an integer that a
 * JavaScript number cannot hold, `__proto__`, and half characters.
 */
export function parseSealJson(body: Uint8Array): unknown {
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(body);
    value = isDeepJson(text) ? undefined : JSON.parse(text);
  } catch (cause) {
    throw malformed('the body is not JSON in UTF-8', cause);
  }
  if (value === undefined) throw malformed('the body is nested too deeply');
  const keys = countKeys(value);
  // SECURITY: of two equal keys one reader takes the first, another the last. A parsed object has lost one.
  if (keys !== countKeysOfText(text)) throw malformed('an object has the same key twice');
  return value;
}

function countKeys(value: unknown): number {
  if (typeof value === 'number') {
    // SECURITY: 9007199254740993 is read as ...992 here and as itself elsewhere.
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
      throw malformed('a number is too large to be read exactly');
    return 0;
  }
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw malformed('a text has half a character');
    return 0;
  }
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const member of value) count += countKeys(member);
    return count;
  }
  for (const [key, member] of Object.entries(value)) {
    // SECURITY: `__proto__` as an own key turns into a prototype wherever the value is merged or spread.
    if (key === '__proto__' || !key.isWellFormed()) throw malformed('a key has no place in an envelope');
    count += 1 + countKeys(member);
  }
  return count;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** INVARIANT: the text is valid JSON: a text is a key exactly when a colon follows it. */
function countKeysOfText(text: string): number {
  let count = 0;
  for (let open = text.indexOf('"'); open !== -1; ) {
    let at = text.indexOf('"', open + 1);
    while (isEscaped(text, at)) at = text.indexOf('"', at + 1);
    at += 1;
    while (text.charCodeAt(at) <= 0x20) at += 1;
    if (text.charCodeAt(at) === COLON) count += 1;
    open = text.charCodeAt(at) === QUOTE ? at : text.indexOf('"', at);
  }
  return count;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - 1 - before) % 2 === 1;
}

function malformed(message: string, cause?: unknown): SallyportError {
  return new SallyportError('EnvelopeMalformed', { message, ...(cause === undefined ? {} : { cause }) });
}
