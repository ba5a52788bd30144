import { parseHost } from '../host.ts';

/** A host, and the port if one was written. */
export interface Authority {
  /** canonical, as `parseHost` gives it */
  readonly host: string;
  readonly port: number | undefined;
}

const KEPT_AT_MOST = 1_000;
const LONGEST_KEPT = 128;
const known = new Map<string, Authority>();
const PORT = /^[1-9][0-9]{0,4}$/;
const NON_ASCII = /[^\x21-\x7e]/;

/**
 * Reads `host`, `host:port`, `[v6]` or `[v6]:port`, as a Host field or a request target has it.
 *
 * `undefined` for everything else: userinfo, paths, lists, blanks, non-ASCII, an empty or impossible port.
 */
export function readAuthority(text: string): Authority | undefined {
  const found = known.get(text);
  if (found !== undefined) return found;
  const authority = parse(text);
  if (authority !== undefined && known.size < KEPT_AT_MOST && text.length <= LONGEST_KEPT) {
    // A slice of a head keeps the whole head in memory.
    known.set(Buffer.from(text, 'latin1').toString('latin1'), authority);
  }
  return authority;
}

function parse(text: string): Authority | undefined {
  if (NON_ASCII.test(text)) return undefined;
  const border = text.startsWith('[') ? text.indexOf(']') + 1 : endOfName(text);
  const host = parseHost(text.slice(0, border));
  if (host === undefined) return undefined;
  if (border === text.length) return { host: host.text, port: undefined };
  if (text[border] !== ':') return undefined;
  const digits = text.slice(border + 1);
  if (!PORT.test(digits) || Number(digits) > 65_535) return undefined;
  return { host: host.text, port: Number(digits) };
}

/** An IPv6 address without brackets is no host here: nobody could tell where its port begins. */
function endOfName(text: string): number {
  const colon = text.indexOf(':');
  return colon === -1 ? text.length : colon;
}
