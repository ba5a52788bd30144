import { isMembers } from './request-body.ts';
import type { RequestView } from './request-view.ts';

/**
 * Names by which frameworks let a request run another method than its request line says, letters and digits alone:
 * `X-HTTP-Method-Override`, `x_http_method_override` and `$http[method]` are read alike by one server or another.
 */
const ALWAYS: ReadonlySet<string> = new Set([
  'xhttpmethodoverride',
  'httpmethodoverride',
  'xmethodoverride',
  'methodoverride',
  'overridemethod',
  'xhttpmethod',
  'xhttpverb',
  'xmethod',
  'xrestmethod',
  'xoriginalmethod',
  'xforwardedmethod',
  'xrequestedmethod',
  'xrequestmethod',
]);
/** Names that also mean other things: they count where they hold a method, or where something marks them (`_method`). */
const SOMETIMES: ReadonlySet<string> = new Set([
  'method',
  'http',
  'httpmethod',
  'requestedmethod',
  'requestmethod',
  'verb',
  'httpverb',
]);
/** Methods that nobody means by a word of their own, as `?method=search` and `?method=copy` may be. */
const VERBS: ReadonlySet<string> = new Set('POST PUT PATCH DELETE PURGE MKCOL PROPPATCH'.split(' '));
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

type Kind = 'always' | 'sometimes' | 'never';

/** What a name of a header, a parameter or a field says about the method, whoever decodes it and how often. */
export function overrideKind(name: string): Kind {
  // `_method[]` and `_method[0]` are lists of one name.
  const plain = decodeFully(name)
    .trim()
    .replace(/(?<=.)\[.*$/s, '');
  const letters = plain.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
  if (ALWAYS.has(letters)) return 'always';
  if (!SOMETIMES.has(letters)) return 'never';
  // PHP reads a leading dot and an open bracket as an underscore.
  return /^[^A-Za-z0-9]/.test(plain) ? 'always' : 'sometimes';
}

/** Whether a name and a value together make `method` another one. GET, HEAD and OPTIONS are alike: all of them read. */
export function isMethodOverride(name: string, value: string, method: string): boolean {
  const kind = overrideKind(name);
  return kind !== 'never' && changesMethod(kind, value, method);
}

export function changesMethod(kind: Exclude<Kind, 'never'>, value: string, method: string): boolean {
  const wanted = decodeFully(value).trim().toUpperCase();
  if (wanted === method || (SAFE.has(wanted) && SAFE.has(method))) return false;
  return kind === 'always' || VERBS.has(wanted);
}

const HINT = /method|http|verb|[%+]/i;

/** The same for a query, or for a form, which is written like one. */
export function hasOverrideInQuery(query: string, method: string): boolean {
  if (!HINT.test(query)) return false;
  for (const part of query.split(/[&;]/)) {
    const border = part.indexOf('=');
    const name = border === -1 ? part : part.slice(0, border);
    if (!HINT.test(name)) continue;
    if (isMethodOverride(name, border === -1 ? '' : part.slice(border + 1), method)) return true;
  }
  return false;
}

/** The same for a body: a form, a form in parts, or the members of a JSON object, as its media type says. */
export function hasOverrideInBody(view: RequestView): boolean {
  const { bodyPrefix } = view.head;
  if (bodyPrefix === undefined || bodyPrefix.length === 0) return false;
  const type = view.headers('content-type').join(',').toLowerCase();
  const isForm = type.includes('urlencoded');
  const isParts = type.includes('multipart/');
  if (!isForm && !isParts && !type.includes('json')) return false;
  const text = Buffer.from(bodyPrefix.buffer, bodyPrefix.byteOffset, bodyPrefix.length).toString('latin1');
  if (isForm) return hasOverrideInQuery(text, view.method);
  if (isParts) return hasOverrideInParts(text, view.method);
  if (!/method|http|verb|\\u/i.test(text)) return false;
  const members = view.wholeJson();
  if (!isMembers(members)) return false;
  return Object.entries(members).some(([name, value]) => isMethodOverride(name, String(value), view.method));
}

const PART_NAME = /\bname\*?\s*=\s*(?:"([^"\r\n]*)"|([^\s;"]+))/gi;

function hasOverrideInParts(text: string, method: string): boolean {
  for (const match of text.matchAll(PART_NAME)) {
    // `name*=utf-8''_method` has the charset before it.
    const name = (match[1] ?? match[2] ?? '').replace(/^[\w-]*'[\w-]*'/, '');
    const kind = overrideKind(name);
    if (kind === 'never') continue;
    const rest = text.slice(match.index, match.index + 1024);
    const value = /\r?\n\r?\n([^\r\n]*)/.exec(rest)?.[1] ?? '';
    if (changesMethod(kind, value, method)) return true;
  }
  return false;
}

const ESCAPE = /%u([0-9a-f]{4})|%([0-9a-f]{2})/gi;
const DECODINGS = 4;

/** Percent escapes (`%5f`, and `%u005f` as IIS reads it) and pluses, decoded until nothing changes any more. */
function decodeFully(text: string): string {
  let decoded = text;
  for (let times = 0; times < DECODINGS && /[%+]/.test(decoded); times += 1) {
    decoded = decoded
      .replaceAll('+', ' ')
      .replace(ESCAPE, (_, wide: string | undefined, byte: string | undefined) =>
        String.fromCharCode(Number.parseInt(wide ?? byte ?? '', 16)),
      );
  }
  return decoded;
}
