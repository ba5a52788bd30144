import type { Risk } from '@sallyport/protocol';
import type { RequestView } from './request-view.ts';

/** Why a request is a write whatever its provider's table says. */
export interface WriteSignal {
  readonly why: string;
  readonly risk: Risk;
}

const METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

// Headers that make frameworks run another method or another path than the request line says.
const OVERRIDES = new Set([
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  'x-method',
  'x-rest-method',
  'x-original-method',
  'x-forwarded-method',
  'x-original-url',
  'x-rewrite-url',
  'x-override-url',
]);
const OVERRIDE_QUERY =
  /(?:^|[&;])(?:_|%5f|x-(?:http-)?|\$|%24|\$http|%24http)method(?:-override)?(?:%5b|\[|[=&;]|$)/i;

/**
 * Finds what makes a request a write, whoever serves it: a method that is not one of the seven, a tunnel, a
 * protocol upgrade, a method or path override, a GET, HEAD or OPTIONS with a body.
 */
export function findWriteSignal(view: RequestView): WriteSignal | undefined {
  const { head } = view;
  if (head.scheme === 'tunnel') return { why: 'a tunnel', risk: 'high' };
  if (!METHODS.has(head.method)) return { why: 'an unknown method', risk: 'critical' };
  if (head.scheme === 'ws' || head.scheme === 'wss' || head.upgrade !== undefined) return UPGRADE;
  if (view.target.query !== '' && OVERRIDE_QUERY.test(view.target.query)) return OVERRIDE;

  let body = !head.bodyComplete || (head.bodyPrefix !== undefined && head.bodyPrefix.length > 0);
  for (const header of head.headers) {
    switch (meaningOf(header[0])) {
      case 'nothing':
        break;
      case 'upgrade':
        return UPGRADE;
      case 'override':
        return OVERRIDE;
      case 'body':
        body = true;
        break;
      case 'length':
        if (header[1].trim() !== '0') body = true;
        break;
    }
  }
  return body && view.isSafe ? { why: `a ${head.method} with a body`, risk: 'high' } : undefined;
}

type Meaning = 'nothing' | 'upgrade' | 'override' | 'body' | 'length';

const known = new Map<string, Meaning>();
const NAMES_AT_MOST = 1000;
/** No name that matters is longer, and what is kept must stay small. */
const LONGEST_KEPT = 64;

/** What a header of this name says about the request. The same few names come with every one: each is read once. */
function meaningOf(name: string): Meaning {
  let meaning = known.get(name);
  if (meaning === undefined) {
    meaning = readName(name.toLowerCase());
    if (name.length <= LONGEST_KEPT && known.size < NAMES_AT_MOST) known.set(name, meaning);
  }
  return meaning;
}

function readName(name: string): Meaning {
  switch (name) {
    case 'upgrade':
    case ':protocol':
    case 'http2-settings':
      return 'upgrade';
    case 'transfer-encoding':
      return 'body';
    case 'content-length':
      return 'length';
    default:
      // CGI and its heirs read an underscore like a hyphen.
      return OVERRIDES.has(name.replaceAll('_', '-')) ? 'override' : 'nothing';
  }
}

const UPGRADE: WriteSignal = { why: 'a protocol upgrade', risk: 'high' };
const OVERRIDE: WriteSignal = { why: 'a method override', risk: 'critical' };
