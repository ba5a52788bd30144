import type { Header, OutgoingRequest } from '../shared/http-message.ts';
import type { Secret } from '../shared/secret.ts';
import { type BodyPlace, fieldsIn } from './body-fields.ts';
import { decodedPart } from './kinds/put.ts';

/** Where the placeholder of a credential is replaced. Anywhere else it stays what it is, worthless. */
export interface Places {
  /** lower case: those that the kind uses */
  readonly headers: readonly string[];
  /** parameters of the query that the kind uses */
  readonly query: readonly string[];
  /** what the credential says of bodies */
  readonly body: readonly BodyPlace[];
  /** the kind signs, or has several values: a placeholder is never replaced, and only names the credential */
  readonly namesOnly: boolean;
}

type Message = Pick<OutgoingRequest, 'target' | 'headers' | 'body'>;
/** The same, only to be looked at. */
type Seen = Pick<Readonly<OutgoingRequest>, 'target' | 'body'> & { readonly headers: readonly Header[] };
type ValueFor = (mention: string) => Secret | undefined;

const PLACEHOLDER = 'sp-placeholder-[0-9a-f]{40}';
/** A scheme, and the name of a parameter: `Bearer …`, `Token token="…"`. */
const ALONE = new RegExp(`^((?:[A-Za-z][A-Za-z0-9-]{0,19} +)?(?:[A-Za-z_]{1,16}=)?"?)(${PLACEHOLDER})("?)$`);
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
/** The other half of Basic authentication: a name, and no letters in a row as a token has them. */
const OTHER_HALF = /^(?!.*[A-Za-z0-9_]{20})[\w.@+%/-]{0,100}$/;
const WHOLE = new RegExp(`^${PLACEHOLDER}$`);

/** Whether a mention is in one of the places. `mayBeBody`: not for a request that runs a model [CR-8]. */
export function isInPlace(request: Seen, mention: string, places: Places, mayBeBody: boolean): boolean {
  for (const [name, value] of request.headers) {
    if (places.headers.includes(name.toLowerCase()) && isAlone(value, mention, places.namesOnly)) return true;
  }
  for (const { name, value } of parametersOf(request.target)) {
    if (!places.query.includes(name)) continue;
    if (value === mention || (places.namesOnly && value.includes(mention))) return true;
  }
  if (!mayBeBody || request.body === undefined || places.body.length === 0) return false;
  return fieldsIn(request.body, request.headers, places.body).some(({ text }) => text === mention);
}

/**
 * Whether the value of a header is a placeholder and nothing else.
 *
 * SECURITY: beside it, an agent's own credential would go upstream: as another parameter, or as the user of Basic
 * authentication, where some servers take a token and do not look at the password [CR-3]. And what is around it would
 * be the agent's words, in which a host may be asked to repeat the rest [CR-8].
 */
export function isAlone(value: string, mention: string, namesOnly: boolean): boolean {
  if (namesOnly) return value.includes(mention);
  return readAlone(value)?.mention === mention;
}

/**
 * Puts values in the place of mentions, in place: encoded as the query, the JSON or the form wants them. What `valueFor`
 * does not know, and what stands anywhere else, stays as it is.
 */
export function replaceInPlaces(
  request: Message,
  places: Places,
  valueFor: ValueFor,
  mayBeBody: boolean,
): void {
  request.target = replaceInQuery(request.target, places.query, valueFor);
  request.headers = request.headers.map((header) => {
    const read = places.headers.includes(header[0].toLowerCase()) ? readAlone(header[1]) : undefined;
    const value = read === undefined ? undefined : valueFor(read.mention);
    return read === undefined || value === undefined ? header : [header[0], read.put(value.reveal())];
  });
  if (mayBeBody && request.body !== undefined && places.body.length > 0)
    request.body = replaceInFields(request.body, request.headers, places.body, valueFor);
}

interface Alone {
  readonly mention: string;
  put(value: string): string;
}

function readAlone(text: string): Alone | undefined {
  const encoded = BASIC.exec(text)?.[1];
  if (encoded === undefined) {
    const [, before = '', mention, after = ''] = ALONE.exec(text) ?? [];
    return mention === undefined ? undefined : { mention, put: (value) => before + value + after };
  }
  const pair = Buffer.from(encoded, 'base64').toString('latin1');
  const colon = pair.indexOf(':');
  const [user, password] = colon === -1 ? [pair, ''] : [pair.slice(0, colon), pair.slice(colon + 1)];
  const basic = (changed: string): string => `Basic ${Buffer.from(changed).toString('base64')}`;
  if (WHOLE.test(user) && OTHER_HALF.test(password))
    return { mention: user, put: (value) => basic(value + pair.slice(user.length)) };
  if (WHOLE.test(password) && OTHER_HALF.test(user))
    return { mention: password, put: (value) => basic(`${user}:${value}`) };
  return undefined;
}

interface Parameter {
  readonly raw: string;
  readonly name: string;
  readonly value: string;
}

function parametersOf(target: string): readonly Parameter[] {
  const mark = target.indexOf('?');
  if (mark === -1) return [];
  return target
    .slice(mark + 1)
    .split('&')
    .map((raw) => {
      const equals = raw.indexOf('=');
      const [name, value] = equals === -1 ? [raw, ''] : [raw.slice(0, equals), raw.slice(equals + 1)];
      return { raw, name: decodedPart(name), value: decodedPart(value) };
    });
}

function replaceInQuery(target: string, names: readonly string[], valueFor: ValueFor): string {
  if (names.length === 0) return target;
  const parameters = parametersOf(target).map(({ raw, name, value }) => {
    const secret = names.includes(name) && WHOLE.test(value) ? valueFor(value) : undefined;
    return secret === undefined
      ? raw
      : raw.slice(0, raw.indexOf('=') + 1) + encodeURIComponent(secret.reveal());
  });
  return parameters.length === 0 ? target : `${target.slice(0, target.indexOf('?'))}?${parameters.join('&')}`;
}

function replaceInFields(
  body: Uint8Array,
  headers: readonly Header[],
  places: readonly BodyPlace[],
  valueFor: ValueFor,
): Uint8Array {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const { start, end, text, write } of fieldsIn(body, headers, places)) {
    const value = valueFor(text);
    if (value === undefined) continue;
    pieces.push(body.subarray(from, start), Buffer.from(write(value.reveal()), 'utf8'));
    from = end;
  }
  return from === 0 ? body : Buffer.concat([...pieces, body.subarray(from)]);
}
