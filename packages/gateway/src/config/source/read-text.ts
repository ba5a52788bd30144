import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isHeldBySqlite } from '../../shared/sqlite/held-by-sqlite.ts';

/** a config of this size is a mistake, and parsing it would hold up the gateway */
export const MOST_BYTES = 1_048_576;

// C0 and C1 controls but tab, line feed, carriage return and next line; and the marks that make text read
// other than it is ("Trojan Source"): whoever reviews a policy must see what it says.
const HIDDEN = /[[\p{Cc}--[\t\n\r\u0085]]\u202a-\u202e\u2066-\u2069\ufeff]/v;

/** `before` of a problem is the text up to it, where it has a place. */
export type ReadText =
  | { readonly kind: 'text'; readonly text: string; readonly bytes: Uint8Array; readonly openToAll: boolean }
  | { readonly kind: 'problem'; readonly message: string; readonly hint?: string; readonly before?: string };

/**
 * Reads one file as strict UTF-8. Refuses what is no regular file, too large, or holds hidden characters.
 *
 * Never blocks on a pipe or a device.
 */
export function readText(path: string): ReadText {
  if (isHeldBySqlite(path)) return problem('a file of the database, not a config');
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    return unreadable(error);
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return problem('not a regular file');
    if (stats.size > MOST_BYTES) return tooLarge();
    const bytes = readAtMost(fd, MOST_BYTES + 1);
    if (bytes.length > MOST_BYTES) return tooLarge();
    return decode(bytes, (stats.mode & 0o002) !== 0);
  } catch (error) {
    return unreadable(error);
  } finally {
    closeSync(fd);
  }
}

function readAtMost(fd: number, most: number): Uint8Array {
  const buffer = Buffer.alloc(most);
  let length = 0;
  while (length < most) {
    const got = readSync(fd, buffer, length, most - length, null);
    if (got === 0) break;
    length += got;
  }
  return buffer.subarray(0, length);
}

/** Text of bytes that claim to be a config file. Split from reading so that any bytes can be tried. */
export function decode(bytes: Uint8Array, openToAll = false): ReadText {
  let decoded: string;
  try {
    decoded = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return problem('not UTF-8 text', 'save the file as UTF-8');
  }
  const text = decoded.startsWith('\ufeff') ? decoded.slice(1) : decoded;
  const hidden = HIDDEN.exec(text);
  if (hidden !== null) {
    const code = (hidden[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return { ...problem(`hidden character U+${code}`, 'remove it'), before: text.slice(0, hidden.index) };
  }
  return { kind: 'text', text, bytes, openToAll };
}

function tooLarge(): ReadText {
  return problem('larger than 1 MiB', 'split it with `include`');
}

function unreadable(error: unknown): ReadText {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  if (code === 'ENOENT') return problem('no such file');
  if (code === 'EISDIR') return problem('not a regular file');
  return problem(`cannot be read (${code})`, code === 'EACCES' ? 'check who may read it' : undefined);
}

function problem(message: string, hint?: string): Extract<ReadText, { kind: 'problem' }> {
  return { kind: 'problem', message, ...(hint === undefined ? {} : { hint }) };
}
