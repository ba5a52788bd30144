import type { Header, OutgoingRequest } from '../shared/http-message.ts';
import type { Secret } from '../shared/secret.ts';
import { findPlaceholders } from './placeholders.ts';
import { findReferences } from './references.ts';

type Message = Pick<OutgoingRequest, 'target' | 'headers' | 'body'>;
/** The same, only to be looked at. */
type Seen = Pick<Readonly<OutgoingRequest>, 'target' | 'body'> & { readonly headers: readonly Header[] };
const NONE: readonly string[] = [];
/** How a value is written at the place where its stand-in was. */
type Writing = (value: string) => string;

const LETTER_B = 98;
const BASIC = /^basic\s+([A-Za-z0-9+/]+={0,2})\s*$/i;

/**
 * Every placeholder and one-time reference in a request: in its query and headers, Basic authentication decoded, and in
 * a body that is at hand. References count in the body only.
 */
export function findStandIns(request: Seen): readonly string[] {
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

/** Whether a body names anything by a stand-in. */
export function mayHoldStandIn(body: Uint8Array): boolean {
  return findPlaceholders(body).length > 0 || findReferences(body).length > 0;
}

function both(some: readonly string[], others: readonly string[]): readonly string[] {
  if (others.length === 0) return some;
  return some.length === 0 ? others : [...new Set([...some, ...others])];
}

/**
 * Puts values in the place of stand-ins, in place: encoded as the query, the JSON or the form wants them. Stand-ins that
 * `valueFor` does not know stay as they are; whoever calls refuses the request before.
 */
export function replaceStandIns(request: Message, valueFor: (standIn: string) => Secret | undefined): void {
  request.target = replaceInTarget(request.target, valueFor);
  request.headers = request.headers.map((header) => replaceInHeader(header, valueFor));
  if (request.body === undefined) return;
  const found = [...findPlaceholders(request.body), ...findReferences(request.body)];
  if (found.length === 0) return;
  const write = writingOf(request.headers);
  let body = Buffer.from(request.body).toString('latin1');
  for (const one of found) {
    const value = valueFor(one);
    if (value === undefined) continue;
    // The bytes of the value as UTF-8, one character for each, as the rest of the body is held here.
    const bytes = Buffer.from(write(value.reveal()), 'utf8').toString('latin1');
    body = body.replaceAll(one, () => bytes);
  }
  request.body = Buffer.from(body, 'latin1');
}

function replaceInHeader([name, text]: Header, valueFor: (standIn: string) => Secret | undefined): Header {
  const basic = basicText(text);
  if (basic !== undefined) {
    const changed = replaceIn(basic, valueFor, asItIs);
    return changed === basic ? [name, text] : [name, `Basic ${Buffer.from(changed).toString('base64')}`];
  }
  return [name, replaceIn(text, valueFor, asItIs)];
}

function replaceInTarget(target: string, valueFor: (standIn: string) => Secret | undefined): string {
  const plain = replaceIn(target, valueFor, encodeURIComponent);
  const decoded = decodedTarget(plain);
  // Some clients encode what need not be: only then is the target written anew.
  if (decoded === plain || findPlaceholders(decoded).length === 0) return plain;
  return plain
    .split(/([?&=/])/)
    .map((part) => replaceIn(decodedTarget(part), valueFor, encodeURIComponent, part))
    .join('');
}

/** `otherwise`: what is given when nothing was replaced. */
function replaceIn(
  text: string,
  valueFor: (standIn: string) => Secret | undefined,
  write: Writing,
  otherwise: string = text,
): string {
  let changed = text;
  for (const one of findPlaceholders(text)) {
    const value = valueFor(one);
    if (value !== undefined) changed = changed.replaceAll(one, () => write(value.reveal()));
  }
  return changed === text ? otherwise : changed;
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

function writingOf(headers: readonly Header[]): Writing {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1].toLowerCase() ?? '';
  if (/[/+]json\b|graphql|ndjson/.test(type)) return (value) => JSON.stringify(value).slice(1, -1);
  if (type.startsWith('application/x-www-form-urlencoded')) return encodeURIComponent;
  return asItIs;
}

function asItIs(value: string): string {
  return value;
}
