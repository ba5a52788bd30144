/** A request target in one spelling. */
export interface RequestTarget {
  /** normalised, without query: `/repos/a/b`; `*` for `OPTIONS *`; empty for a tunnel */
  readonly path: string;
  /** raw, without the question mark; empty when there is none */
  readonly query: string;
  /** dot segments or empty segments were resolved: servers differ on what the target means */
  readonly rewritten: boolean;
  /** carries an encoded slash, backslash or percent sign: servers differ on where a segment ends */
  readonly veiled: boolean;
  /** why no classifier may trust this target, and no verdict should allow it */
  readonly problem?: string;
}

const PLAIN = /^\/[A-Za-z0-9\-._~!$&'()*+,;=:@/]*$/;
const ALLOWED = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/%|"<>^`{}[\]]*$/;
const ESCAPE = /%([0-9A-Fa-f]{2})/g;
const BROKEN_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
const UNRESERVED = /[A-Za-z0-9\-._~]/;
const CONTROL_ESCAPE = /%(?:[01][0-9A-F]|7F)/;
// Two spellings of one character: UTF-8 forbids them, careless decoders take them.
const OVERLONG = /%(?:C[01]|E0%[89]|F0%8|F[5-9A-F])/;
const ENCODED_SLASH = /%(?:25)*(?:2F|5C)/g;
const ENCODED_DOT = /%(?:25)*2E/g;
const DOT_SEGMENT = /\/\.{1,2}(?:[/;]|$)/;
const VEILED = /%(?:2F|5C|25)/;
const QUERY_FORBIDDEN = /[^\x21-\x7e]|#/;

/**
 * Brings path and query of a request into one spelling: escapes of unreserved characters decoded, other
 * escapes in upper case, `.`, `..` and empty segments resolved. An encoded slash is kept and flagged.
 *
 * Refuses (`problem`): control characters and spaces, raw or encoded; non-ASCII characters; backslashes;
 * broken escapes; overlong UTF-8; a fragment; a path that climbs above the root; `..;` segments; dot segments that
 * show once an encoded slash is decoded, or that are encoded twice; anything that is not in origin form. The path of a refused target is as it was sent.
 */
export function normalizeRequestTarget(target: string): RequestTarget {
  const mark = target.indexOf('?');
  const raw = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? '' : target.slice(mark + 1);
  const queryProblem = QUERY_FORBIDDEN.test(query) ? 'the query has a forbidden character' : undefined;

  if (queryProblem === undefined && PLAIN.test(raw) && !raw.includes('//') && !raw.includes('/.')) {
    return { path: raw, query, rewritten: false, veiled: false };
  }
  if (raw === '*' && mark === -1) return { path: raw, query, rewritten: false, veiled: false };
  const problem = queryProblem ?? pathProblem(raw);
  if (problem !== undefined) return { path: raw, query, rewritten: false, veiled: true, problem };

  const decoded = raw.replace(ESCAPE, (sequence, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : sequence.toUpperCase();
  });
  const veiled = VEILED.test(decoded);
  const segments = decoded.slice(1).split('/');
  const kept = resolveSegments(segments);
  if (kept === undefined) {
    return { path: raw, query, rewritten: true, veiled, problem: 'the path climbs above the root' };
  }
  const path = `/${kept.join('/')}`;
  return { path, query, rewritten: path !== decoded, veiled };
}

function pathProblem(raw: string): string | undefined {
  if (!raw.startsWith('/')) return 'the target is not in origin form';
  if (raw.includes('\\')) return 'the path contains a backslash';
  if (!ALLOWED.test(raw)) return 'the path has a forbidden character';
  if (BROKEN_ESCAPE.test(raw)) return 'the path has a broken percent escape';
  const upper = raw.toUpperCase();
  if (CONTROL_ESCAPE.test(upper)) return 'the path has an encoded control character';
  if (OVERLONG.test(upper)) return 'the path has overlong UTF-8';
  // Some servers cut path parameters off before they resolve dots: `/a/..;x/b` is `/b` to them.
  if (/\/(?:\.|%2E){1,2};/.test(upper)) return 'the path has a dot segment with parameters';
  return hidesDots(upper) ? 'the path hides a dot segment behind escapes' : undefined;
}

/**
 * SECURITY: nginx and others decode `%2F` before they resolve dots, so `/public/..%2Fadmin` is `/admin` to them, and a
 * rule about `/public/**` would open it. No client writes such a path by itself [GA-8].
 */
function hidesDots(upper: string): boolean {
  if (!VEILED.test(upper)) return false;
  return DOT_SEGMENT.test(upper.replace(ENCODED_SLASH, '/').replace(ENCODED_DOT, '.'));
}

/** Resolves `.`, `..` and empty segments, keeping a trailing slash; `undefined` when `..` leaves the root. */
function resolveSegments(segments: readonly string[]): readonly string[] | undefined {
  const kept: string[] = [];
  const last = segments.length - 1;
  for (const [index, segment] of segments.entries()) {
    if (segment === '..') {
      if (kept.length === 0) return undefined;
      kept.pop();
    } else if (segment !== '.' && segment !== '') {
      kept.push(segment);
      continue;
    }
    if (index === last && kept.length > 0) kept.push('');
  }
  return kept;
}
