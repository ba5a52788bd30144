import { isSignatureName, parameterCertainty } from './names.ts';
import { secretPath } from './secret-paths.ts';
import {
  holdsKnownKey,
  isPlainValue,
  isSignedToken,
  isStandInText,
  isSwitch,
  looksRandom,
} from './values.ts';

/** Something in a request that lets in whoever sends it. */
export interface FoundCredential {
  readonly where: 'path' | 'query' | 'form';
  /** name of the parameter, or what the path is; for people */
  readonly name: string;
  /** it is part of the signature of a URL */
  readonly isSignature: boolean;
}

/** Whether it is the agent's own after all, or something that it was lent or handed. */
export type IsExcused = (found: FoundCredential) => boolean;

const NAME_AT_MOST = 64;

/** The first credential of the agent's own in a path or query. `path`: normalised. */
export function findInAddress(
  { host, path, query }: { readonly host: string; readonly path: string; readonly query: string },
  isExcused: IsExcused,
): FoundCredential | undefined {
  const what = secretPath(host, path) ?? (holdsKnownKey(path) ? 'a key' : undefined);
  const inPath = { where: 'path', name: what ?? '', isSignature: false } as const;
  if (what !== undefined && !isExcused(inPath)) return inPath;
  if (path.includes(';')) {
    const found = findInPairs(
      path.slice(path.indexOf(';') + 1).replaceAll('/', ';'),
      'path',
      host,
      isExcused,
    );
    if (found !== undefined) return found;
  }
  return query === '' ? undefined : findInPairs(query, 'query', host, isExcused);
}

/** Whether a body of this type is a form. */
export function isFormType(contentType: string): boolean {
  return URL_ENCODED.test(contentType) || MULTIPART.test(contentType);
}

/** The same in a form, as far as it is here. */
export function findInForm(
  text: string,
  contentType: string,
  host: string,
  isExcused: IsExcused,
): FoundCredential | undefined {
  if (URL_ENCODED.test(contentType)) return findInPairs(text.trim(), 'form', host, isExcused);
  if (!MULTIPART.test(contentType)) return undefined;
  for (const [, head = '', value = ''] of text.matchAll(PART)) {
    const name = PART_NAME.exec(head)?.[1];
    if (name === undefined || /;\s*filename\*?\s*=/i.test(head)) continue;
    const found = judgePair(name, value, 'form', host);
    if (found !== undefined && !isExcused(found)) return found;
  }
  return undefined;
}

const URL_ENCODED = /^\s*application\/x-www-form-urlencoded/i;
const MULTIPART = /^\s*multipart\/form-data/i;
const PART =
  /content-disposition:([^\r\n]{1,1024})\r?\n(?:[^\r\n]{1,1024}\r?\n){0,8}\r?\n([^\r\n]{0,8192})/gi;
const PART_NAME = /;\s*name\s*=\s*"?([^";]{1,256})/i;

function findInPairs(
  text: string,
  where: FoundCredential['where'],
  host: string,
  isExcused: IsExcused,
): FoundCredential | undefined {
  // Some servers end a parameter at a semicolon too.
  for (const part of text.includes(';') ? text.split(/[&;]/) : text.split('&')) {
    const equals = part.indexOf('=');
    if (equals === -1 && part.length < 20) continue;
    const [name, value] = equals === -1 ? ['', part] : [part.slice(0, equals), part.slice(equals + 1)];
    const found = judgePair(decoded(name), decoded(value), where, host);
    if (found !== undefined && !isExcused(found)) return found;
  }
  return undefined;
}

/** What of a query makes the URL open to whoever has it, in one spelling; undefined when nothing does. */
export function signatureIn(query: string): string | undefined {
  const found: string[] = [];
  for (const part of query.split(/[&;]/)) {
    const equals = part.indexOf('=');
    const name = equals === -1 ? '' : decoded(part.slice(0, equals));
    if (name !== '' && isSignatureName(name))
      found.push(JSON.stringify([name, decoded(part.slice(equals + 1))]));
  }
  return found.length === 0 ? undefined : found.sort().join();
}

function judgePair(
  name: string,
  value: string,
  where: FoundCredential['where'],
  host: string,
): FoundCredential | undefined {
  if (value === '' || isStandInText(value)) return undefined;
  if (!isCredential(name, value, host)) return undefined;
  const shown = name.replaceAll(/[^\x21-\x7e]/g, '?').slice(0, NAME_AT_MOST);
  return { where, name: shown, isSignature: isSignatureName(name) };
}

/** What services call their keys, where the name alone says nothing. */
const KEYS_OF_HOSTS = [
  ['.googleapis.com', 'key'],
  ['.azurewebsites.net', 'code'],
  ['.openweathermap.org', 'appid'],
  ['.weatherapi.com', 'key'],
  ['.ipify.org', 'key'],
] as const;

function isCredential(name: string, value: string, host: string): boolean {
  // GitHub keeps caches of builds by key, with hashes in it.
  if (name === 'key' && host === 'api.github.com') return holdsKnownKey(value);
  const lower = name.toLowerCase();
  if (KEYS_OF_HOSTS.some(([suffix, key]) => key === lower && host.endsWith(suffix))) return !isSwitch(value);
  switch (parameterCertainty(name)) {
    case 'certain':
      return !isSwitch(value);
    case 'likely':
      return !isPlainValue(value);
    case 'possible':
      return looksRandom(value);
    case 'none':
      return holdsKnownKey(value);
    case 'ordinary':
      return holdsKnownKey(value) && !isSignedToken(value);
  }
}

/** The text of a name or value; decoded again when that leaves more escapes, as careless servers do. */
function decoded(text: string): string {
  if (!/[%+]/.test(text)) return text;
  const once = decodedOnce(text.replaceAll('+', ' '));
  return /%[0-9A-Fa-f]{2}/.test(once) ? decodedOnce(once) : once;
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Bytes that are no UTF-8: what can be read is read.
    return text.replaceAll(/%([0-7][0-9A-Fa-f])/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
}
