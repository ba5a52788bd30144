import { assertNever } from '../../shared/assert-never.ts';
import { isMembers } from './request-body.ts';
import type { RequestView } from './request-view.ts';

/**
 * Names by which frameworks let a request run another method than its request line says, letters and digits alone:
 * `X-HTTP-Method-Override`, `x_http_method_override` and `$http[method]` are read alike by one server or another.
 */
const ALWAYS =
  /(?:method|verb)override|override(?:http)?(?:method|verb)|^(?:http)*x(?:http|rest|original|forwarded|requested|request|real|actual|tunnel|tunneled)*(?:method|verb)$/;
/** Names that also mean other things: they count where they hold a method, or where something marks them (`_method`). */
const SOMETIMES: ReadonlySet<string> = new Set(['method', 'verb', 'http']);
const OF_HTTP: ReadonlySet<string> = new Set(['httpmethod', 'httpverb', 'requestedmethod', 'requestmethod']);
/** Methods that nobody means by a word of their own, as `?method=search` and `?method=copy` may be. */
const VERBS: ReadonlySet<string> = new Set('POST PUT PATCH DELETE PURGE MKCOL PROPPATCH MERGE'.split(' '));
/** The others that are registered: they count in capitals, or under a name that speaks of HTTP. */
const OTHERS: ReadonlySet<string> = new Set(
  `ACL BAN BASELINE-CONTROL BIND CHECKIN CHECKOUT CONNECT COPY LABEL LINK LOCK MKACTIVITY MKCALENDAR MKREDIRECTREF
  MKWORKSPACE MOVE ORDERPATCH PROPFIND QUERY REBIND REFRESH REPORT SEARCH TRACE UNBIND UNCHECKOUT UNLINK UNLOCK UPDATE
  UPDATEREDIRECTREF VERSION-CONTROL`.split(/\s+/),
);
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

type Kind = 'always' | 'of-http' | 'sometimes' | 'never';

/** What a name of a header, a parameter or a field says about the method, whoever decodes it and how often. */
export function overrideKind(name: string): Kind {
  const decoded = decodeFully(name);
  // SECURITY: nobody escapes a name that often who does not want to hide it.
  if (decoded === undefined) return 'always';
  const plain = decoded.trim();
  // `_method[]` and `_method[0]` are lists of one name; `a[_method]` and `a._method` are inside another.
  const border = plain.search(/(?<=[^[\].])[[.]/);
  const own = kindOf(border === -1 ? plain : plain.slice(0, border));
  if (own !== 'never' || border === -1) return own;
  const isInside = plain
    .slice(border)
    .split(/[[\].]+/)
    .some((part) => kindOf(part) === 'always');
  return isInside ? 'always' : 'never';
}

function kindOf(plain: string): Kind {
  const letters = plain.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
  if (ALWAYS.test(letters)) return 'always';
  const isHttp = OF_HTTP.has(letters);
  if (!isHttp && !SOMETIMES.has(letters)) return 'never';
  // PHP reads a leading dot and an open bracket as an underscore.
  if (/^[^A-Za-z0-9]/.test(plain)) return 'always';
  return isHttp ? 'of-http' : 'sometimes';
}

/** Whether a name and a value together make `method` another one. GET, HEAD and OPTIONS are alike: all of them read. */
export function isMethodOverride(name: string, value: string, method: string): boolean {
  const kind = overrideKind(name);
  return kind !== 'never' && changesMethod(kind, value, method);
}

export function changesMethod(kind: Exclude<Kind, 'never'>, value: string, method: string): boolean {
  const decoded = decodeFully(value)?.trim();
  if (decoded === undefined) return true;
  const wanted = decoded.toUpperCase();
  if (wanted === method || (SAFE.has(wanted) && SAFE.has(method))) return false;
  switch (kind) {
    case 'always':
      return true;
    case 'of-http':
      return VERBS.has(letters(wanted)) || OTHERS.has(letters(wanted));
    case 'sometimes':
      return VERBS.has(letters(wanted)) || OTHERS.has(letters(decoded));
    default:
      return assertNever(kind);
  }
}

/** Without what nobody sees: a blank of no width, a control character. */
function letters(text: string): string {
  return text.replaceAll(/[^A-Za-z-]/g, '');
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
  for (const name of Object.keys(members))
    if (HINT.test(name) && isMethodOverride(name, String(members[name]), view.method)) return true;
  return INSIDE.test(text) && isOverrideInside(members, view.method);
}

/** What a text must hold for such a name to stand in it: most bodies do not, and are not walked. */
const INSIDE = /override|[^a-z0-9"](?:http.?)?(?:method|verb)"|"x[^"]{0,40}(?:method|verb)"|\\u/i;

/** Inside another value only a name that can mean nothing else counts. `wholeJson` bounds how deep that is. */
function isOverrideInside(value: unknown, method: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) =>
    typeof inner === 'string'
      ? HINT.test(name) && overrideKind(name) === 'always' && changesMethod('always', inner, method)
      : isOverrideInside(inner, method),
  );
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
/** `%25255f` is `%5f`, however often it was escaped. */
const ESCAPED_AGAIN = /%(?:25)+(?=[0-9a-f]{2}|u[0-9a-f]{4})/gi;
const DECODINGS = 8;

/**
 * Percent escapes (`%5f`, and `%u005f` as IIS reads it) and pluses, decoded until nothing changes any more; undefined
 * where that takes longer than anybody means.
 */
function decodeFully(text: string): string | undefined {
  let decoded = text;
  for (let times = 0; /[%+]/.test(decoded); times += 1) {
    const before = decoded;
    decoded = decoded
      .replaceAll('+', ' ')
      .replace(ESCAPED_AGAIN, '%')
      .replace(ESCAPE, (_, wide: string | undefined, byte: string | undefined) =>
        String.fromCharCode(Number.parseInt(wide ?? byte ?? '', 16)),
      );
    if (decoded === before) return decoded;
    if (times === DECODINGS) return undefined;
  }
  return decoded;
}
