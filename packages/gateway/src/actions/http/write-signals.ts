import type { Risk } from '@sallyport/protocol';
import { changesMethod, hasOverrideInBody, hasOverrideInQuery, overrideKind } from './method-override.ts';
import type { RequestView } from './request-view.ts';

/** Why a request is a write whatever its provider's table says. */
export interface WriteSignal {
  readonly why: string;
  readonly risk: Risk;
}

const METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Headers that make a server act on another path or host than the request line says, hyphens alone. What only tells who
 * asked (`X-Forwarded-For`) or how (`X-Forwarded-Proto`) is none.
 */
const PATH_OVERRIDES =
  /^(?:forwarded|(?:http-)?x-(?:host|url|uri|path|script-name|(?:original|originating|rewrite|rewritten|override|forwarded|forwarder|real|proxy|backend|upstream|envoy-original|http)-(?:request-)?(?:url|uri|path|host|server|prefix|destinationurl|path-override|host-override|url-override))|request-ur[il]|base-url|script-name|path-info|destination-url|host-override|url-override)$/;

/**
 * Finds what makes a request a write, whoever serves it: a method that is not one of the seven, a tunnel, a
 * protocol upgrade, a method or path override, a GET, HEAD or OPTIONS with a body.
 */
export function findWriteSignal(view: RequestView): WriteSignal | undefined {
  const { head } = view;
  if (head.scheme === 'tunnel') return { why: 'a tunnel', risk: 'high' };
  if (!METHODS.has(head.method)) return { why: 'an unknown method', risk: 'critical' };
  if (head.scheme === 'ws' || head.scheme === 'wss' || head.upgrade !== undefined) return UPGRADE;
  if (view.target.query !== '' && hasOverrideInQuery(view.target.query, head.method)) return OVERRIDE;

  let body = !head.bodyComplete || (head.bodyPrefix !== undefined && head.bodyPrefix.length > 0);
  for (const header of head.headers) {
    const meaning = meaningOf(header[0]);
    switch (meaning) {
      case 'nothing':
        break;
      case 'upgrade':
        return UPGRADE;
      case 'path':
        return OVERRIDE;
      case 'always':
      case 'of-http':
      case 'sometimes':
        if (changesMethod(meaning, header[1], head.method)) return OVERRIDE;
        break;
      case 'body':
        body = true;
        break;
      case 'length':
        if (header[1].trim() !== '0') body = true;
        break;
    }
  }
  if (!body) return undefined;
  if (view.isSafe) return { why: `a ${head.method} with a body`, risk: 'high' };
  return hasOverrideInBody(view) ? OVERRIDE : undefined;
}

type Meaning = 'nothing' | 'upgrade' | 'path' | 'always' | 'of-http' | 'sometimes' | 'body' | 'length';

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

/** Whether a header makes a server run another method or another path, whatever it holds. */
export function isOverrideHeader(name: string): boolean {
  const meaning = meaningOf(name);
  return meaning === 'path' || meaning === 'always';
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
  }
  // CGI and its heirs read an underscore like a hyphen.
  if (PATH_OVERRIDES.test(name.replaceAll('_', '-'))) return 'path';
  const kind = overrideKind(name);
  return kind === 'never' ? 'nothing' : kind;
}

const UPGRADE: WriteSignal = { why: 'a protocol upgrade', risk: 'high' };
const OVERRIDE: WriteSignal = { why: 'a method override', risk: 'critical' };
