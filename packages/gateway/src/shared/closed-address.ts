import { parseHost } from './host.ts';
import { embeddedIpv4, type IpRange, ipRange } from './ip-range.ts';
import { type OpenAddress, rangeHolds } from './open-address.ts';

/** Why an address may not be dialled. */
export type ClosedBecause = Exclude<IpRange, 'public'> | 'own-address' | 'own-listener';

/** What is known of this machine. */
export interface MachineFacts {
  /** ports that the gateway itself listens on */
  readonly ownPorts: ReadonlySet<number>;
  /** addresses of its interfaces, canonical */
  readonly machine: ReadonlySet<string>;
}

/** What the check knows about the machine and the policy. */
export interface AddressPolicy extends MachineFacts {
  /** entries of `allow_private` that hold for the tenant */
  readonly open: readonly OpenAddress[];
}

/** Where an address was found: the host that was asked for, and its port; undefined when nobody knows which. */
export interface AddressAsk {
  readonly host: string;
  readonly port: number | undefined;
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
  const facts = readAddress(address);
  if (facts === undefined) return 'reserved';
  const { text, range } = facts;
  // SECURITY: before any entry is looked at. Through the proxy an agent must never reach a door of the
  // gateway: the operator side would take it for someone on this machine.
  const own = isOwn(facts, policy.machine);
  if (own && ask.port !== undefined && policy.ownPorts.has(ask.port)) return 'own-listener';
  if (range === 'public') {
    return own && !opened(text, 'private', ask, policy.open) ? 'own-address' : undefined;
  }
  if (NEVER.has(range)) return range;
  return opened(text, range, ask, policy.open) ? undefined : range;
}

function opened(address: string, range: IpRange, ask: AddressAsk, entries: readonly OpenAddress[]): boolean {
  for (const entry of entries) if (opens(entry, address, range, ask)) return true;
  return false;
}

function opens(entry: OpenAddress, address: string, range: IpRange, ask: AddressAsk): boolean {
  if (entry.port !== undefined && entry.port !== ask.port) return false;
  // SECURITY: whoever controls a name chooses its addresses; link-local and metadata must be named themselves.
  if (entry.kind === 'host') return entry.host === ask.host && range !== 'link-local' && range !== 'metadata';
  if (!rangeHolds(entry, address)) return false;
  if (range !== 'link-local' && range !== 'metadata') return true;
  const single = entry.bits === (entry.family === 4 ? 32 : 128);
  // SECURITY: a wide range that happens to hold the metadata service does not mean it.
  return single || isLinkLocalRange(entry);
}

/** 169.254.0.0/16 and fe80::/10, or a part of them. */
function isLinkLocalRange({ base, bits, family }: OpenAddress & { readonly kind: 'range' }): boolean {
  return family === 4 ? base.startsWith('169.254.') && bits >= 16 : /^fe[89ab]/.test(base) && bits >= 10;
}

/** Names that lead to one place by what they are, whoever is asked about them. */
const FIXED_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['localhost', ['127.0.0.1', '::1']],
  ['localhost.localdomain', ['127.0.0.1', '::1']],
  ['localhost4', ['127.0.0.1']],
  ['localhost4.localdomain4', ['127.0.0.1']],
  ['localhost6', ['::1']],
  ['localhost6.localdomain6', ['::1']],
  ['ip6-localhost', ['::1']],
  ['ip6-loopback', ['::1']],
  ['metadata', ['169.254.169.254']],
  ['metadata.google.internal', ['169.254.169.254']],
  ['metadata.goog', ['169.254.169.254']],
  ['instance-data', ['169.254.169.254']],
  ['instance-data.ec2.internal', ['169.254.169.254']],
]);
const LOCALHOST = '.localhost';
/** Names by which engines call the machine around a container, in the container and often on the machine itself. */
const AROUND: ReadonlySet<string> = new Set(
  `host.docker.internal gateway.docker.internal kubernetes.docker.internal vm.docker.internal host.containers.internal
  docker.for.mac.host.internal host.lima.internal host.orb.internal host.minikube.internal
  host.rancher-desktop.internal`.split(/\s+/),
);
/** Zones that the public name system does not have: whatever is in there is of this machine's own network. */
const PRIVATE_ZONES = ['.internal', '.local', '.home.arpa', '.localdomain'];

const NINE = '9'.charCodeAt(0);
const F = 'f'.charCodeAt(0);
const TELLING = /(?:localhost|internal|local|arpa|goog|instance-data|localdomain|ip6-loopback|metadata)$/;
/**
 * Whether a canonical host is one of which its text says nothing: a name that somebody has to look up. Asked for every
 * request, and most hosts end in other letters.
 */
export function isOrdinaryName(host: string): boolean {
  const last = host.charCodeAt(host.length - 1);
  // `g`, `k`, `l`, `n` and `t`; an address ends in a digit, a letter up to `f`, or a colon.
  if (last > F)
    return (
      (last !== 103 && last !== 107 && last !== 108 && last !== 110 && last !== 116) || !TELLING.test(host)
    );
  return last > NINE && !host.includes(':') && !TELLING.test(host);
}

/**
 * Why a host is closed, as far as its own text tells: nothing is looked up. `ask.host` is canonical.
 *
 * Says undefined of a name that may lead to an open address; whoever dials checks what it led to.
 */
export function closedByName(ask: AddressAsk, policy: AddressPolicy): ClosedBecause | undefined {
  const { host } = ask;
  if (isLiteral(host)) return closedBecause(host, ask, policy);
  const fixed = fixedAddresses(host);
  if (fixed !== undefined) {
    let first: ClosedBecause | undefined;
    for (const address of fixed) {
      const because = closedBecause(address, ask, policy);
      if (because === undefined) return undefined;
      first ??= because;
    }
    return first;
  }
  if (!AROUND.has(host)) return undefined;
  // SECURITY: nobody can tell whether it is this machine, so it may be the gateway that listens there.
  if (ask.port !== undefined && policy.ownPorts.has(ask.port)) return 'own-listener';
  return closedZone(ask, policy);
}

/**
 * The same for a name of a zone that the public name system does not have: closed unless an entry may open what it
 * leads to.
 */
export function closedZone({ host, port }: AddressAsk, policy: AddressPolicy): ClosedBecause | undefined {
  if (!PRIVATE_ZONES.some((zone) => host.endsWith(zone))) return undefined;
  const mayBeOpen = policy.open.some(
    (entry) =>
      (entry.port === undefined || entry.port === port) && (entry.kind === 'range' || entry.host === host),
  );
  return mayBeOpen ? undefined : 'private';
}

/** Whether a canonical host is this machine by its own text. */
export function isThisMachine(host: string, { machine }: MachineFacts): boolean {
  const addresses = isLiteral(host) ? [host] : (fixedAddresses(host) ?? []);
  return addresses.some((address) => isOwn(readAddress(address), machine));
}

/** The entry of `allow_private` that would open it; undefined when none can. */
export function openingEntry({ host, port }: AddressAsk, because: ClosedBecause): string | undefined {
  if (because === 'own-listener' || NEVER.has(because)) return undefined;
  const isNamedAlone = because !== 'metadata' && because !== 'link-local';
  const name = isNamedAlone ? host : (fixedAddresses(host)?.[0] ?? host);
  const written = name.includes(':') ? `[${name}]` : name;
  return port === undefined ? written : `${written}:${port}`;
}

// Canonical names end in a letter label: `a.1` is no name, and every IPv6 address has a colon.
function isLiteral(host: string): boolean {
  const last = host.charCodeAt(host.length - 1);
  return (last >= 48 && last <= 57 && readAddress(host) !== undefined) || host.includes(':');
}

function fixedAddresses(host: string): readonly string[] | undefined {
  return FIXED_NAMES.get(host.endsWith(LOCALHOST) ? 'localhost' : host);
}

function isOwn(facts: AddressFacts | undefined, machine: ReadonlySet<string>): boolean {
  if (facts === undefined) return false;
  const { text, range, inside } = facts;
  if (range === 'loopback' || range === 'unspecified' || machine.has(text)) return true;
  return inside.some((address) => isOwn(readAddress(address), machine));
}

/** What the text of an address tells by itself, whoever asks and whatever the policy says. */
interface AddressFacts {
  /** canonical */
  readonly text: string;
  readonly range: IpRange;
  /** IPv4 addresses that it carries */
  readonly inside: readonly string[];
}

/** Reading one takes microseconds, and the same few are asked about with every request. */
const known = new Map<string, AddressFacts>();
const KNOWN_AT_MOST = 512;
/** Longer text is no address, or is written in a way that nobody writes twice. */
const TEXT_AT_MOST = 64;

/** Undefined for text that is no address. */
function readAddress(address: string): AddressFacts | undefined {
  const found = known.get(address);
  if (found !== undefined) return found;
  const parsed = parseHost(address);
  if (parsed?.kind !== 'ip') return undefined;
  const { text } = parsed;
  const facts = { text, range: ipRange(text), inside: embeddedIpv4(text) };
  if (address.length > TEXT_AT_MOST) return facts;
  if (known.size >= KNOWN_AT_MOST) known.clear();
  known.set(address, facts);
  return facts;
}
