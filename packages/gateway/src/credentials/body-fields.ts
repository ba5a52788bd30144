import type { Header } from '../shared/http-message.ts';
import { decodedPart } from './kinds/put.ts';

/** Fields of bodies of one media type. */
export interface BodyPlace {
  /** lower case, without parameters */
  readonly contentType: string;
  /** `client_secret`; in JSON also `auth.token` */
  readonly fields: ReadonlySet<string>;
}

/** One text in a body: where its bytes stand, and how another one is written there. */
export interface BodyField {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  write(value: string): string;
}

const FORM = 'application/x-www-form-urlencoded';
const TYPE = /^([\w.+-]+\/[\w.+-]+)\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i;
const NONE: readonly BodyField[] = [];
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The texts of a body that stand in one of the places, in their order. Nothing for a body that is packed, is of another
 * type, has two types, or cannot be read: a server might read it in another way.
 */
export function fieldsIn(
  body: Uint8Array,
  headers: readonly Header[],
  places: readonly BodyPlace[],
): readonly BodyField[] {
  const type = typeOf(headers);
  const fields = places.flatMap((place) => (place.contentType === type ? [...place.fields] : []));
  if (fields.length === 0) return NONE;
  const wanted = new Set(fields);
  // One character for each byte: places in the text are places in the body.
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  return type === FORM ? formFields(text, wanted) : jsonFields(text, wanted);
}

function typeOf(headers: readonly Header[]): string | undefined {
  let type: string | undefined;
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (lower === 'content-encoding' && value.trim().toLowerCase() !== 'identity') return undefined;
    if (lower !== 'content-type') continue;
    if (type !== undefined) return undefined;
    type = TYPE.exec(value.trim())?.[1]?.toLowerCase() ?? '';
  }
  return type;
}

function formFields(text: string, wanted: ReadonlySet<string>): readonly BodyField[] {
  const found: BodyField[] = [];
  let start = 0;
  for (const part of text.split('&')) {
    const equals = part.indexOf('=');
    if (equals !== -1 && wanted.has(decodedPart(part.slice(0, equals)))) {
      found.push({
        start: start + equals + 1,
        end: start + part.length,
        text: decodedPart(part.slice(equals + 1)),
        write: encodeURIComponent,
      });
    }
    start += part.length + 1;
  }
  return found;
}

/** How deep a place may lie: fields have at most eight names. What lies deeper is passed over. */
const DEEPEST = 64;

function jsonFields(text: string, wanted: ReadonlySet<string>): readonly BodyField[] {
  if (!isJson(text)) return NONE;
  const found: BodyField[] = [];
  /** names that lead to where we are; an element of a list has none, and nothing below it is a place */
  const path: (string | undefined)[] = [];
  let name: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const value = JSON.parse(text.slice(at, end + 1)) as string;
      if (isName(text, end + 1)) name = value;
      else if (wanted.has(pathOf(path, name)))
        found.push({ start: at, end: end + 1, text: value, write: (value) => JSON.stringify(value) });
      at = end;
    } else if (code === 0x7b || code === 0x5b) {
      path.push(name);
      if (path.length > DEEPEST) return NONE;
      name = undefined;
    } else if (code === 0x7d || code === 0x5d) {
      path.pop();
      name = undefined;
    } else if (code === 0x2c) name = undefined;
  }
  return found;
}

function pathOf(path: readonly (string | undefined)[], name: string | undefined): string {
  // The first is the whole body, which has no name. A list on the way is a gap, and so is a name with a dot in it.
  const names = [...path.slice(1), name];
  return names.some((one) => one === undefined || one.includes('.')) ? '' : names.join('.');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

// INVARIANT: the text is valid JSON, so that strings and brackets are all there is to look at.
function isName(text: string, at: number): boolean {
  let next = at;
  while (/\s/.test(text.charAt(next))) next += 1;
  return text.charAt(next) === ':';
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
