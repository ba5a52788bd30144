import { networkInterfaces } from 'node:os';
import { parseHost } from '../shared/host.ts';

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
