import type { Header, OutgoingRequest } from '../shared/http-message.ts';
import { findPlaceholders } from './placeholders.ts';
import { findReferences } from './references.ts';

/** A request, only to be looked at. */
type Seen = Pick<Readonly<OutgoingRequest>, 'target' | 'body'> & { readonly headers: readonly Header[] };
const NONE: readonly string[] = [];

const LETTER_B = 98;
const BASIC = /^basic\s+([A-Za-z0-9+/]+={0,2})\s*$/i;

/**
 * Every placeholder and one-time reference in a request, wherever it stands: in its path, query and headers, Basic
 * authentication decoded, and in a body that is at hand. References count in the body only.
 */
export function findMentions(request: Seen): readonly string[] {
  // Most requests hold none, and this looks at every one of them: nothing is made before something is found.
  let found = findPlaceholders(decodedTarget(request.target));
  for (const header of request.headers) {
    const value = header[1];
    found = both(found, findPlaceholders(value));
    const basic = basicText(value);
    if (basic !== undefined) found = both(found, findPlaceholders(basic));
  }
  if (request.body === undefined) return found;
  return both(both(found, findPlaceholders(request.body)), findReferences(request.body));
}

/** Whether a body mentions any. */
export function mayMention(body: Uint8Array): boolean {
  return findPlaceholders(body).length > 0 || findReferences(body).length > 0;
}

function both(some: readonly string[], others: readonly string[]): readonly string[] {
  if (others.length === 0) return some;
  return some.length === 0 ? others : [...new Set([...some, ...others])];
}

function decodedTarget(target: string): string {
  if (!target.includes('%')) return target;
  return target.replaceAll(/%(2d|5f|[3-7][0-9a-f])/gi, (_, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9_-]/.test(character) ? character : `%${hex}`;
  });
}

function basicText(value: string): string | undefined {
  if ((value.charCodeAt(0) | 32) !== LETTER_B) return undefined;
  const [, encoded] = BASIC.exec(value) ?? NONE;
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
}
