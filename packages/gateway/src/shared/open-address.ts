import ipaddr from 'ipaddr.js';
import { parseHost } from './host.ts';
import { embeddedIpv4, ipRange } from './ip-range.ts';

/** One entry of `allow_private`: what it opens, on one port or on all. */
export type OpenAddress =
  | ({ readonly kind: 'range'; readonly family: 4 | 6; readonly base: string; readonly bits: number } & Port)
  /** one host by its name: whatever private address it leads to */
  | ({ readonly kind: 'host'; readonly host: string } & Port);

interface Port {
  /** undefined: every port */
  readonly port: number | undefined;
}

const BRACKETED = /^\[([^[\]]+)\](?::(\d{1,5}))?$/;
const WITH_PORT = /^([^:]+):(\d{1,5})$/;
const CIDR = /^([^/]+)\/(0|[1-9]\d{0,2})$/;
/** Nothing that an agent may want to talk to is there; `0.0.0.0` is this machine by another name. */
const NEVER = new Set(['unspecified', 'multicast', 'broadcast']);

/**
 * Reads `127.0.0.1`, `10.1.0.0/16`, `db.internal.example`, each with `:port` or without; IPv6 with a port is
 * written `[fd00::1]:443` or `[fd00::/8]:443`.
 *
 * Refuses (`undefined`) what is none of these, wildcards, a range with bits set below its prefix (a typo for
 * another range), IPv4 ranges written as IPv6, and what can never be opened: unspecified, multicast, broadcast.
 */
export function parseOpenAddress(text: string): OpenAddress | undefined {
  const parts = split(text);
  if (parts === undefined) return undefined;
  const { name, port } = parts;
  const cidr = CIDR.exec(name);
  const host = parseHost(cidr?.[1] ?? name);
  if (host === undefined) return undefined;
  if (host.kind === 'name') return cidr === null ? { kind: 'host', host: host.text, port } : undefined;

  const widest = host.family === 4 ? 32 : 128;
  const bits = cidr === null ? widest : Number(cidr[2]);
  if (bits > widest) return undefined;
  // SECURITY: a mapped base reads as IPv4, where the same number of bits means another range.
  if (cidr !== null && host.family === 4 && name.includes(':')) return undefined;
  const base = ipaddr.parse(host.text);
  const network = (host.family === 4 ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(
    `${host.text}/${bits}`,
  );
  if (network.toNormalizedString() !== base.toNormalizedString()) return undefined;
  // The base of a translated range (`64:ff9b::/96`) has the unspecified IPv4 address inside, and means the range.
  const own = embeddedIpv4(host.text).length === 0 || bits === widest;
  if (own && bits > 0 && NEVER.has(ipRange(host.text))) return undefined;
  return { kind: 'range', family: host.family, base: host.text, bits, port };
}

function split(text: string): { readonly name: string; readonly port: number | undefined } | undefined {
  const match = text.startsWith('[') ? BRACKETED.exec(text) : WITH_PORT.exec(text);
  if (match === null) return text.startsWith('[') ? undefined : { name: text, port: undefined };
  if (match[2] === undefined) return { name: match[1] ?? '', port: undefined };
  const port = Number(match[2]);
  return port >= 1 && port <= 65_535 ? { name: match[1] ?? '', port } : undefined;
}

/** Whether an address in its canonical form (`parseHost`) lies in the range. */
export function rangeHolds(range: OpenAddress & { readonly kind: 'range' }, address: string): boolean {
  if ((address.includes(':') ? 6 : 4) !== range.family) return false;
  // Both are canonical, and most entries name one address.
  if (range.bits === (range.family === 4 ? 32 : 128)) return range.base === address;
  return ipaddr.parse(address).match(ipaddr.parse(range.base), range.bits);
}
