import ipaddr from 'ipaddr.js';
import { parseHost } from './host.ts';

/** What kind of place an address is. Everything but `public` is closed unless the policy opens it. */
export type IpRange =
  | 'public'
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'metadata'
  | 'multicast'
  | 'reserved'
  | 'cgnat'
  | 'unspecified'
  | 'broadcast';

// Services that hand out credentials to whoever asks from the machine. Some live in ranges that look public.
const METADATA = new Set([
  '169.254.169.254', // AWS, GCP, Azure, DigitalOcean, OpenStack, Oracle
  '169.254.170.2', // AWS ECS task credentials
  '169.254.170.23', // AWS EKS pod identity
  '169.254.0.23', // Tencent Cloud
  '100.100.100.200', // Alibaba Cloud
  '168.63.129.16', // Azure wire server
  '192.0.0.192', // Oracle Cloud, classic
  'fd00:ec2::254', // AWS
  'fd00:ec2::23', // AWS EKS pod identity
  'fd20:ce::254', // GCP
  'fe80::a9fe:a9fe', // OpenStack
  'fd00:42::42', // Scaleway
]);

const IPV4_RANGES: Readonly<Record<string, IpRange>> = {
  unicast: 'public',
  unspecified: 'unspecified',
  broadcast: 'broadcast',
  multicast: 'multicast',
  linkLocal: 'link-local',
  loopback: 'loopback',
  carrierGradeNat: 'cgnat',
  private: 'private',
};

const IPV6_RANGES: Readonly<Record<string, IpRange>> = {
  unspecified: 'unspecified',
  multicast: 'multicast',
  linkLocal: 'link-local',
  loopback: 'loopback',
  uniqueLocal: 'private',
  deprecatedSiteLocal: 'private',
};

/**
 * What kind of place an address is, whatever its notation and family: an IPv4 address inside an IPv6 one
 * (mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP) is judged as itself. What is no address, and every
 * range that is not known to be public, is `reserved`.
 */
export function ipRange(text: string): IpRange {
  const host = parseHost(text);
  if (host === undefined || host.kind !== 'ip') return 'reserved';
  if (METADATA.has(host.text)) return 'metadata';
  if (host.family === 4) return IPV4_RANGES[ipaddr.IPv4.parse(host.text).range()] ?? 'reserved';

  const address = ipaddr.IPv6.parse(host.text);
  const own = IPV6_RANGES[address.range()];
  if (own !== undefined) return own;
  const inside = ipv4Inside(address.parts);
  if (inside.length > 0) {
    // SECURITY: a Teredo address names two IPv4 addresses; the one that is not public decides.
    return inside.map(ipRange).find((range) => range !== 'public') ?? 'public';
  }
  // 2000::/3 is all that is handed out; `range()` calls the rest of the space unicast too.
  const global = ((address.parts[0] ?? 0) & 0xe000) === 0x2000;
  return global && address.range() === 'unicast' ? 'public' : 'reserved';
}

/** The IPv4 addresses that an address carries inside, as dotted quads: none for IPv4 and for plain IPv6. */
export function embeddedIpv4(text: string): readonly string[] {
  const host = parseHost(text);
  if (host === undefined || host.kind !== 'ip' || host.family === 4) return [];
  return ipv4Inside(ipaddr.IPv6.parse(host.text).parts);
}

function ipv4Inside(parts: readonly number[]): readonly string[] {
  const [p0 = 0, p1 = 0, p2 = 0, p3 = 0, p4 = 0, p5 = 0, p6 = 0, p7 = 0] = parts;
  const low = quad(p6, p7);
  if (p0 === 0 && p1 === 0 && p2 === 0 && p3 === 0) {
    // compatible ::a.b.c.d, mapped ::ffff:a.b.c.d, translated ::ffff:0:a.b.c.d (RFC 4291, 2765)
    if (p4 === 0 && p5 === 0 && (p6 !== 0 || p7 > 1)) return [low];
    if ((p4 === 0 && p5 === 0xffff) || (p4 === 0xffff && p5 === 0)) return [low];
  }
  // NAT64, well-known prefix 64:ff9b::/96 (RFC 6052). The local-use 64:ff9b:1::/48 stays `reserved`: where
  // its IPv4 part stands is the network's own choice.
  if (p0 === 0x64 && p1 === 0xff9b && p2 === 0 && p3 === 0 && p4 === 0 && p5 === 0) return [low];
  if (p0 === 0x2002) return [quad(p1, p2)];
  // Teredo (RFC 4380): the server in the clear, the client with every bit flipped.
  if (p0 === 0x2001 && p1 === 0) return [quad(p2, p3), quad(p6 ^ 0xffff, p7 ^ 0xffff)];
  // ISATAP (RFC 5214): any prefix, then 0000:5efe or 0200:5efe before the address.
  if ((p4 & 0xfdff) === 0 && p5 === 0x5efe) return [low];
  return [];
}

function quad(high: number, low: number): string {
  return `${high >> 8}.${high & 0xff}.${low >> 8}.${low & 0xff}`;
}
