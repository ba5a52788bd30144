import { isCredentialHeader } from './header-names.ts';
import { parameterCertainty } from './names.ts';
import { secretPath } from './secret-paths.ts';
import { hasUserinfo, looksRandom } from './values.ts';

const PIECES = /[?&#;]/;
// The quote ends both, so that each is read once.
const MEMBER = /"([^"\\]{1,128})"\s{0,64}:\s{0,64}"((?:[^"\\]|\\.){1,4096})"/g;
const QUOTED_ONCE = /'([^'\\]{1,128})'\s{0,64}:\s{0,64}'((?:[^'\\]|\\.){1,4096})'/g;
const ADDRESS = /https?:\/\/([^\s/?#"'<>@:]{1,255})(?::\d{1,5})?([^\s?#"'<>]{0,2048})/gi;
const USER = /:\/\/([^\s/?#@:]{16,256})@/;
const SCHEME =
  /(?:^|[:\s"'])(?:bearer|basic|token|api-?key|bot|jwt|digest|negotiate)[ \t]{1,8}([A-Za-z0-9._~+/=-]{16,4096})/gi;
const HEADER =
  /(?:^|[\s"',{])((?:[A-Za-z]{1,20}[-_]){0,6}[A-Za-z]{1,20})["']?\s{0,8}:\s{0,8}["']?([^\s"',]{16,4096})/g;

/** A name and its value inside of a value. */
export interface InnerPair {
  readonly name: string;
  readonly value: string;
  /** `pair`: of an address or form; `member`: of JSON, where `key` names many things; `alone`: may be what someone looks for */
  readonly as: 'pair' | 'member' | 'alone';
}

/** Whether a value may hold others: most do not, and that is quickly seen. */
export function mayHoldOthers(value: string): boolean {
  return value.length >= 8 && /[=:\s]/.test(value);
}

/** Pairs inside of a value: of an address or a form that it is, or of JSON. Linear, whatever the value is. */
export function* pairsInside(value: string): Generator<InnerPair> {
  if (value.includes('=')) {
    const as = PIECES.test(value) ? 'pair' : 'alone';
    for (const piece of value.split(PIECES)) {
      const equals = piece.indexOf('=');
      if (equals > 0) yield { name: piece.slice(0, equals), value: piece.slice(equals + 1), as };
    }
  }
  if (value.includes(':'))
    for (const [, name = '', inner = ''] of value.matchAll(value.includes('"') ? MEMBER : QUOTED_ONCE))
      yield { name, value: inner.replaceAll(/\\(["'\\/])/g, '$1'), as: 'member' };
}

/** Whether a value is, or holds, an address that lets in whoever has it, or what else belongs into a header. */
export function holdsSecretText(value: string): boolean {
  if (value.includes('://')) {
    if (value.includes('@') && (hasUserinfo(value) || looksRandom(USER.exec(value)?.[1] ?? ''))) return true;
    for (const [, host = '', path = ''] of value.matchAll(ADDRESS))
      if (secretPath(host.toLowerCase(), path) !== undefined) return true;
  }
  for (const [, token = ''] of value.matchAll(SCHEME)) if (looksRandom(token)) return true;
  if (!value.includes(':')) return false;
  for (const [, name = '', held = ''] of value.matchAll(HEADER))
    if (isSurely(name) && looksRandom(held)) return true;
  return false;
}

/** A name of one word may be what someone looks for: `key:…`. */
function isSurely(name: string): boolean {
  if (parameterCertainty(name) === 'certain') return true;
  return name.includes('-') && isCredentialHeader(name.toLowerCase().replaceAll('_', '-'));
}
