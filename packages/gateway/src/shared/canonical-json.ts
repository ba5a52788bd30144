import { createHash } from 'node:crypto';

/** A value that has no RFC 8785 text. The message says what it is, to follow "it has". */
export class NoJsonForm extends TypeError {}

/**
 * RFC 8785 text of a plain JSON value: the same value always gives the same bytes.
 *
 * Throws `NoJsonForm` for what has no such text: undefined, NaN, infinities, functions, lone surrogates, objects that
 * write themselves (`toJSON`).
 * Written by hand because it runs for every action: four times as fast as the library, which stays as the oracle
 * of its tests (docs/decisions/0005-canonical-json.md).
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'object' && value !== null && isInOrder(value)) {
    const text = JSON.stringify(value);
    // Half a character is written as an escape; a text that only looks like one takes the long way, and is fine.
    if (!HALF_CHARACTER.test(text)) return text;
  }
  return write(value);
}

const HALF_CHARACTER = /\\ud[89a-f]/;

/** Whether the engine's own writer, which is much faster, would write the keys in the order of the RFC. */
function isInOrder(value: unknown): boolean {
  if (typeof value !== 'object') return typeof value === 'number' ? Number.isFinite(value) : isPlain(value);
  if (value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  if ('toJSON' in value) return false;
  let last = '';
  for (const key of Object.keys(value)) {
    if (key < last) return false;
    last = key;
    // Indexed by its own keys; see `record`.
    if (!isInOrder((value as Readonly<Record<string, unknown>>)[key])) return false;
  }
  return true;
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean';
}

function write(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      if (!Number.isFinite(value)) throw new NoJsonForm('a number that is too large');
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? list(value) : record(value);
    // open: any value
    default:
      throw new NoJsonForm(`a value without a JSON form (${typeof value})`);
  }
}

// Nothing in here needs escaping, and every character is whole: the common case by far.
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** RFC 8785 text of one string: `canonicalJson` for whoever puts a text together from its parts. Refuses half characters. */
export function quoted(value: string): string {
  if (value.length < 256 && PLAIN.test(value)) return `"${value}"`;
  if (!value.isWellFormed()) throw new NoJsonForm('text that is not valid Unicode');
  return JSON.stringify(value);
}

function list(values: readonly unknown[]): string {
  let joined = '';
  for (let i = 0; i < values.length; i += 1) joined += `${i === 0 ? '' : ','}${write(values[i])}`;
  return `[${joined}]`;
}

function record(value: object): string {
  // JSON itself may have such a key, and never a function under it.
  if ('toJSON' in value && typeof value.toJSON === 'function')
    throw new NoJsonForm('an object that writes itself');
  const keys = Object.keys(value);
  // The default order is by UTF-16 code units, which is what the RFC asks for.
  if (keys.length > 1) keys.sort();
  let joined = '';
  for (const key of keys) {
    // `in` and Object.keys agree for plain data; the cast only says that it is indexed by its own keys.
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (member === undefined) continue;
    joined += `${joined === '' ? '' : ','}${quoted(key)}:${write(member)}`;
  }
  return `{${joined}}`;
}

/** Lower-case hex SHA-256. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
