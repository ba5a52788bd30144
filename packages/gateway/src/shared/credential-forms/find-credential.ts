import { fieldsOf } from './multipart.ts';
import { isSignatureName, parameterCertainty } from './names.ts';
import { holdsSecretText, mayHoldOthers, pairsInside } from './nested-values.ts';
import { isContract, isPlainValue, isSample, isStepOrFolder, isSwitch, isWords } from './plain-values.ts';
import { isPublicHere, type Place } from './public-parameters.ts';
import { secretPath } from './secret-paths.ts';
import { holdsKnownKey, isOwnPlaceholder, isSignedToken, looksRandom } from './values.ts';

/** Something in a request that lets in whoever sends it. */
export interface FoundCredential {
  readonly where: Place['where'];
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
  const what = secretPath(host, path) ?? (holdsKnownKey(readable(path)) ? 'a key' : undefined);
  const inPath = { where: 'path', name: what ?? '', isSignature: false } as const;
  if (what !== undefined && !isExcused(inPath)) return inPath;
  if (path.includes(';')) {
    const pairs = path.slice(path.indexOf(';') + 1).replaceAll('/', ';');
    const found = findInPairs(pairs, { where: 'path', host, path, query }, isExcused);
    if (found !== undefined) return found;
  }
  return query === '' ? undefined : findInPairs(query, { where: 'query', host, path, query }, isExcused);
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
  const place: Place = { where: 'form', host, path: '', query: '' };
  if (URL_ENCODED.test(contentType)) return findInPairs(text.trim(), place, isExcused);
  if (!MULTIPART.test(contentType)) return undefined;
  for (const { names, value } of fieldsOf(text)) {
    for (const name of names) {
      const found = judgePair(name, value, place);
      if (found !== undefined && !isExcused(found)) return found;
    }
  }
  return undefined;
}

const URL_ENCODED = /^\s*application\/x-www-form-urlencoded/i;
const MULTIPART = /^\s*multipart\//i;

function findInPairs(text: string, place: Place, isExcused: IsExcused): FoundCredential | undefined {
  // Looked for once, for all of them.
  const isEscaped = /[%+]/.test(text);
  // Some servers end a parameter at a semicolon too.
  for (const part of text.includes(';') ? text.split(/[&;]/) : text.split('&')) {
    const equals = part.indexOf('=');
    if (equals === -1 && part.length < 20) continue;
    const [name, value] = equals === -1 ? ['', part] : [part.slice(0, equals), part.slice(equals + 1)];
    const found = isEscaped ? judgePair(decoded(name), decoded(value), place) : judgePair(name, value, place);
    if (found !== undefined && !isExcused(found)) return found;
  }
  return undefined;
}

/** What of a query makes the URL open to whoever has it, in one spelling; undefined when nothing does. */
export function signatureIn(query: string): string | undefined {
  const found: string[] = [];
  for (const part of query.split(/[&;]/)) {
    const equals = part.indexOf('=');
    const name = equals === -1 ? '' : (decoded(part.slice(0, equals)) ?? '');
    if (name !== '' && isSignatureName(name))
      found.push(JSON.stringify([name, decoded(part.slice(equals + 1)) ?? '']));
  }
  return found.length === 0 ? undefined : found.sort().join();
}

/** `undefined`: escaped more often than any program does. */
function judgePair(
  name: string | undefined,
  value: string | undefined,
  place: Place,
): FoundCredential | undefined {
  // Most pairs: a short value under a name that says nothing.
  if (name !== undefined && value !== undefined && value.length < SHORTEST_INNER && isSilent(name))
    return undefined;
  const { where } = place;
  // A key in the place of a name is not shown.
  if (name === undefined || holdsKnownKey(name)) return { where, name: '', isSignature: false };
  if (value === '' || (value !== undefined && isOwnPlaceholder(value))) return undefined;
  if (value !== undefined && !isCredential(name, value, place) && !isInside(value, place, 0))
    return undefined;
  const shown = name.replaceAll(/[^\x21-\x7e]/g, '?').slice(0, NAME_AT_MOST);
  return { where, name: shown, isSignature: isSignatureName(name) };
}

/** Nothing that is shorter has the form of a key, or holds another value. */
const SHORTEST_INNER = 8;

function isSilent(name: string): boolean {
  return name.length < 20 && parameterCertainty(name) === 'none' && !KEYS_OF_HOSTS.has(name.toLowerCase());
}

/** Values inside of values inside of values: nobody means more than that. */
const DEEPEST = 3;

/** Whether a value is an address, a form, JSON or a header that carries one. */
function isInside(value: string, place: Place, depth: number): boolean {
  if (!mayHoldOthers(value)) return false;
  if (holdsSecretText(value)) return true;
  for (const { name, value: inner, as } of pairsInside(value)) {
    const text = decoded(inner);
    if (text === undefined) return true;
    if (text === '' || isOwnPlaceholder(text)) continue;
    // `key` names many things in JSON; what is certain elsewhere is certain there.
    const isOpen = as !== 'pair' && parameterCertainty(name) === 'possible';
    const isOne = isOpen ? holdsKnownKey(text) : isCredential(name.trim(), text, place);
    if (isOne && (as !== 'alone' || looksRandom(text))) return true;
    if (depth < DEEPEST && isInside(text, place, depth + 1)) return true;
  }
  return false;
}

/** What services call their keys, where the name alone says nothing; and the ends of their hosts. */
const KEYS_OF_HOSTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['key', ['.googleapis.com', '.weatherapi.com', '.ipify.org']],
  ['code', ['.azurewebsites.net']],
  ['appid', ['.openweathermap.org']],
]);

function isCredential(name: string, value: string, place: Place): boolean {
  // GitHub keeps caches of builds by key, with hashes in it.
  if (name === 'key' && place.host === 'api.github.com') return holdsKnownKey(value);
  const suffixes = KEYS_OF_HOSTS.get(name.toLowerCase());
  if (suffixes?.some((suffix) => place.host.endsWith(suffix)) === true) return !isSwitch(value);
  return isByName(name, value) && !isPublicHere(name, value, place);
}

function isByName(name: string, value: string): boolean {
  switch (parameterCertainty(name)) {
    case 'certain':
      return !isSwitch(value) && !isSample(value);
    case 'chosen':
      return !isSwitch(value) && !isStepOrFolder(value);
    case 'issued':
      return !isSwitch(value) && !isWords(value) && !isSample(value);
    case 'likely':
      return !isPlainValue(value) && !isSample(value) && !isContract(value);
    case 'possible':
      return looksRandom(value) && !isSample(value) && !isContract(value);
    case 'none':
      return holdsKnownKey(value);
    case 'ordinary':
      return holdsKnownKey(value) && !isSignedToken(value);
  }
}

/** More often than this nothing is escaped that anyone means to be read. */
const ESCAPED_AT_MOST = 8;

/** The text of a name or value, decoded as often as it was escaped; undefined when that does not end. */
function decoded(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text;
  let now = text.replaceAll('+', ' ');
  for (let times = 0; times < ESCAPED_AT_MOST; times += 1) {
    if (!now.includes('%')) return now;
    const next = decodedOnce(now);
    if (next === now) return now;
    now = next;
  }
  return undefined;
}

/** A path without escapes, as far as that can be read. */
function readable(path: string): string {
  return path.includes('%') ? (decoded(path.replaceAll('+', '%2B')) ?? path) : path;
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
