import { isIPv6 } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { SallyportError } from '@sallyport/protocol';

/** A host in its one spelling: what is judged, shown, recorded and dialled. */
export type ParsedHost =
  /** ASCII (IDNA), lower case, no trailing dot */
  | { readonly kind: 'name'; readonly text: string }
  /** dotted quad, or RFC 5952 without brackets */
  | { readonly kind: 'ip'; readonly text: string; readonly family: 4 | 6 };

const MAX_NAME = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
// Most hosts are written in their canonical form already. The last label starts with a letter, so this can
// never swallow an IPv4 notation; `xn--` goes the long way.
const PLAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
// SECURITY: `domainToASCII` reads a URL's host: it cuts at `/ ? # \`, decodes `%2e` and drops tabs. Whoever
// dials does not, so none of these may reach it.
const FORBIDDEN = /[\p{Cc}\s/\\?#@%:[\]<>^|`{}"']/u;
const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;
const DOTTED_QUAD = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

/**
 * The one reading of a host as it is written in a URL, a Host header, a CONNECT target or a policy: no port.
 *
 * Gives names in ASCII, lower case, with at most one trailing dot removed; an IPv4 address in any notation
 * that `inet_aton` or a browser takes (decimal, octal, hex, short) as dotted quad; IPv6 with or without
 * brackets in RFC 5952 form, and an IPv4-mapped one as the IPv4 address that the kernel dials.
 * Underscores are allowed in labels, because service names and buckets have them.
 *
 * Refuses (`undefined`): userinfo, ports, slashes, percent signs, spaces, control characters, zone ids, empty
 * labels, labels that begin or end with a hyphen, broken punycode, over-long names and labels, wildcards.
 * Idempotent: `parseHost(parseHost(x).text)` is the same host.
 */
export function parseHost(input: string): ParsedHost | undefined {
  if (input.length <= MAX_NAME && PLAIN.test(input) && !input.includes('xn--')) {
    return { kind: 'name', text: input };
  }
  // Mapping may shorten a name, but nothing longer than this is a host.
  if (input.length === 0 || input.length > 4 * MAX_NAME) return undefined;
  if (input.startsWith('[')) return input.endsWith(']') ? parseIpv6(input.slice(1, -1)) : undefined;
  if (input.includes(':')) return parseIpv6(input);
  if (FORBIDDEN.test(input)) return undefined;

  let ascii = domainToASCII(input);
  if (ascii.endsWith('.')) ascii = ascii.slice(0, -1);
  if (DOTTED_QUAD.test(ascii)) return { kind: 'ip', text: ascii, family: 4 };
  if (ascii.length === 0 || ascii.length > MAX_NAME) return undefined;
  return ascii.split('.').every(isLabel) ? { kind: 'name', text: ascii } : undefined;
}

function isLabel(label: string): boolean {
  if (!LABEL.test(label)) return false;
  return !label.startsWith('xn--') || domainToUnicode(label) !== label;
}

function parseIpv6(text: string): ParsedHost | undefined {
  if (text.includes('%') || !isIPv6(text)) return undefined;
  // Not ipaddr.js: it reads the compatible `::1.2.3.4` as the mapped `::ffff:1.2.3.4`.
  const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const mapped = MAPPED.exec(canonical);
  if (mapped === null) return { kind: 'ip', text: canonical, family: 6 };
  // SECURITY: the kernel dials `::ffff:a.b.c.d` over IPv4; one address, one name, so that no rule about the
  // IPv4 address is walked around.
  const high = Number.parseInt(mapped[1] ?? '', 16);
  const low = Number.parseInt(mapped[2] ?? '', 16);
  return { kind: 'ip', text: `${high >> 8}.${high & 0xff}.${low >> 8}.${low & 0xff}`, family: 4 };
}

interface DomainPattern {
  readonly wildcard: boolean;
  /** canonical host, without the `*.` */
  readonly host: string;
}

/** Reads `example.com`, `*.example.com` or an IP literal; `undefined` for anything else (`*`, `a.*.b`, `*.1.2.3.4`). */
export function parseDomainPattern(pattern: string): DomainPattern | undefined {
  const wildcard = pattern.startsWith('*.');
  const host = parseHost(wildcard ? pattern.slice(2) : pattern);
  if (host === undefined || (wildcard && host.kind === 'ip')) return undefined;
  return { wildcard, host: host.text };
}

function requirePattern(pattern: string): DomainPattern {
  const parsed = parseDomainPattern(pattern);
  if (parsed !== undefined) return parsed;
  throw new SallyportError('ConfigInvalid', {
    message: `\`${pattern}\` is not a host pattern`,
    hint: 'write `example.com` for one host, `*.example.com` for all hosts below it, or an IP address',
  });
}

/**
 * Whether `host` falls under `pattern`: the same host, or for `*.example.com` any host below it at any depth,
 * but not `example.com` itself. An IP address never matches a wildcard; a host that does not parse matches
 * nothing. Throws `ConfigInvalid` for a pattern that is none.
 */
export function matchesDomain(pattern: string, host: string): boolean {
  const wanted = requirePattern(pattern);
  const parsed = parseHost(host);
  if (parsed === undefined) return false;
  if (!wanted.wildcard) return parsed.text === wanted.host;
  return parsed.kind === 'name' && parsed.text.endsWith(`.${wanted.host}`);
}

/** Gives the most specific pattern (as it was written) that covers a host, or `undefined`. */
export type DomainMatcher = (host: string) => string | undefined;

/**
 * `matchesDomain` for many patterns: one look-up for each label of the host, however many patterns there are.
 * An exact pattern goes before a wildcard, a longer wildcard before a shorter one. Throws `ConfigInvalid`
 * for a pattern that is none.
 */
export function compileDomainPatterns(patterns: Iterable<string>): DomainMatcher {
  const exact = new Map<string, string>();
  const below = new Map<string, string>();
  for (const pattern of patterns) {
    const { wildcard, host } = requirePattern(pattern);
    const map = wildcard ? below : exact;
    if (!map.has(host)) map.set(host, pattern);
  }
  return (host) => {
    // Most hosts come in their one spelling already, and many lists are empty.
    const same = exact.get(host);
    if (same !== undefined || (below.size === 0 && exact.size === 0)) return same;
    const parsed = parseHost(host);
    if (parsed === undefined) return undefined;
    const found = exact.get(parsed.text);
    if (found !== undefined || parsed.kind === 'ip' || below.size === 0) return found;
    for (let dot = parsed.text.indexOf('.'); dot !== -1; dot = parsed.text.indexOf('.', dot + 1)) {
      const pattern = below.get(parsed.text.slice(dot + 1));
      if (pattern !== undefined) return pattern;
    }
    return undefined;
  };
}

/** Names and addresses of this machine, in the spelling of `parseHost`. */
export const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;
