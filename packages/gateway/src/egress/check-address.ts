import { networkInterfaces } from 'node:os';
import { parseHost } from '../shared/host.ts';
import { embeddedIpv4, type IpRange, ipRange } from '../shared/ip-range.ts';
import { type OpenAddress, rangeHolds } from '../shared/open-address.ts';

/** Why an address may not be dialled. */
export type ClosedBecause = Exclude<IpRange, 'public'> | 'own-address' | 'own-listener';

/** What the check knows about the machine and the policy. */
export interface AddressPolicy {
  /** entries of `allow_private` that hold for the tenant */
  readonly open: readonly OpenAddress[];
  /** ports that the gateway itself listens on */
  readonly ownPorts: ReadonlySet<number>;
  /** addresses of this machine's interfaces, canonical */
  readonly machine: ReadonlySet<string>;
}

/** Where an address was found: the host that was asked for, and its port. */
export interface AddressAsk {
  readonly host: string;
  readonly port: number;
}

// Nobody can open these: there is nothing to talk to, or it is this machine by another name.
const NEVER: ReadonlySet<string> = new Set(['unspecified', 'multicast', 'broadcast']);

/**
 * Why an address is closed; undefined when it may be dialled.
 *
 * Public addresses are open, unless this machine has them. All others are closed until an entry of
 * `allow_private` opens them; an entry by the host's name opens private and loopback addresses, never
 * link-local and metadata ones. Text that is no address is closed.
 */
export function closedBecause(
  address: string,
  ask: AddressAsk,
  policy: AddressPolicy,
): ClosedBecause | undefined {
  const parsed = parseHost(address);
  if (parsed?.kind !== 'ip') return 'reserved';
  const range = ipRange(parsed.text);
  // SECURITY: before any entry is looked at. Through the proxy an agent must never reach a door of the
  // gateway: the operator side would take it for someone on this machine.
  const own = isOwn(parsed.text, range, policy.machine);
  if (own && policy.ownPorts.has(ask.port)) return 'own-listener';
  if (range === 'public') {
    return own && !opened(parsed.text, 'private', ask, policy.open) ? 'own-address' : undefined;
  }
  if (NEVER.has(range)) return range;
  return opened(parsed.text, range, ask, policy.open) ? undefined : range;
}

function opened(address: string, range: IpRange, ask: AddressAsk, entries: readonly OpenAddress[]): boolean {
  return entries.some((entry) => {
    if (entry.port !== undefined && entry.port !== ask.port) return false;
    // SECURITY: whoever controls a name chooses its addresses; link-local and metadata must be named themselves.
    if (entry.kind === 'host')
      return entry.host === ask.host && range !== 'link-local' && range !== 'metadata';
    if (!rangeHolds(entry, address)) return false;
    if (range !== 'link-local' && range !== 'metadata') return true;
    const single = entry.bits === (entry.family === 4 ? 32 : 128);
    // SECURITY: a wide range that happens to hold the metadata service does not mean it.
    return single || isLinkLocalRange(entry);
  });
}

/** 169.254.0.0/16 and fe80::/10, or a part of them. */
function isLinkLocalRange({ base, bits, family }: OpenAddress & { readonly kind: 'range' }): boolean {
  return family === 4 ? base.startsWith('169.254.') && bits >= 16 : /^fe[89ab]/.test(base) && bits >= 10;
}

function isOwn(address: string, range: IpRange, machine: ReadonlySet<string>): boolean {
  if (range === 'loopback' || range === 'unspecified' || machine.has(address)) return true;
  return embeddedIpv4(address).some((inside) => isOwn(inside, ipRange(inside), machine));
}

/** The addresses of this machine's interfaces as they are now, canonical. */
export function machineAddresses(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const entries of Object.values(networkInterfaces())) {
    for (const { address } of entries ?? []) {
      const parsed = parseHost(address.replace(/%.*$/, ''));
      if (parsed !== undefined) found.add(parsed.text);
    }
  }
  return found;
}
