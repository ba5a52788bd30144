import { lstatSync, readFileSync } from 'node:fs';
import { isDeepJson } from '@sallyport/gateway/json-depth';
import { SallyportError } from '@sallyport/protocol';

/** What a file is to become; `after` undefined: it goes. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly mode?: number;
  /** what is in it is not shown */
  readonly isSecret?: boolean;
}

const LARGEST = 32 * 1024 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Text of a settings file; undefined when there is none. Throws `SettingsUnusable` for a file that cannot be changed
 * and put back exactly: a link, a folder, something that may not be written, or bytes that are no text.
 */
export function readSettings(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) throw unusable(path, 'is a link', 'replace it by the file that it leads to');
  if (!stats.isFile()) throw unusable(path, 'is not a file', 'move it out of the way');
  if ((stats.mode & 0o200) === 0) throw unusable(path, 'may not be written', `make it writable: chmod u+w`);
  if (stats.size > LARGEST) throw unusable(path, 'is too large for settings', 'look at what is in it');
  try {
    return utf8.decode(readFileSync(path));
  } catch (cause) {
    throw unusable(path, 'cannot be read as text', 'look at what is in it', cause);
  }
}

export type Json = Record<string, unknown>;

/** The object in a JSON file; empty when there is no file. Throws `SettingsUnusable`, comments included. */
export function parseSettings(path: string, text: string | undefined): Json {
  if (text === undefined || text.trim() === '') return {};
  // What is changed is written again as a whole, which takes stack for every level.
  if (isDeepJson(text)) throw unusable(path, 'is nested too deeply for settings', 'look at what is in it');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'it is no JSON';
    throw unusable(path, `is not valid JSON: ${why}`, 'mend it first; comments are not JSON', cause);
  }
  if (!isJson(value)) throw unusable(path, 'does not hold an object', 'mend it first');
  return value;
}

/** The same value as it would be written in place of `text`: its indentation, its last line. */
export function formatLike(text: string | undefined, value: Json): string {
  const indent = /^[\t ]+(?=")/m.exec(text ?? '')?.[0] ?? (text?.includes('\n') === false ? '' : '  ');
  const end = text === undefined || text.endsWith('\n') ? '\n' : '';
  return `${JSON.stringify(value, null, indent)}${end}`;
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function unusable(path: string, what: string, hint: string, cause?: unknown): SallyportError {
  return new SallyportError('SettingsUnusable', {
    message: `\`${path}\` ${what}, so nothing was changed`,
    hint,
    ...(cause === undefined ? {} : { cause }),
  });
}
