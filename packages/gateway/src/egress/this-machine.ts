import { networkInterfaces } from 'node:os';
import type { Ports } from '@sallyport/protocol';
import type { Clock } from '../shared/clock.ts';
import type { MachineFacts } from '../shared/closed-address.ts';
import { parseHost } from '../shared/host.ts';

/** Looking at the interfaces takes longer than judging; they change when a cable or a network does. */
const FRESH_MS = 5_000;

/** What the gate is told of this machine: its addresses, and the ports that the gateway itself listens on. */
export function createThisMachine(ports: () => Ports | undefined, clock: Clock): () => MachineFacts {
  let facts: MachineFacts | undefined;
  let known: Ports | undefined;
  let readAt = 0;
  return () => {
    const now = clock.now();
    const open = ports();
    if (facts === undefined || open !== known || now - readAt >= FRESH_MS) {
      facts = { ownPorts: new Set(Object.values(open ?? {})), machine: machineAddresses() };
      known = open;
      readAt = now;
    }
    return facts;
  };
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
