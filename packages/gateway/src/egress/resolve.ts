import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type AddressPolicy, closedBecause } from '../shared/closed-address.ts';
import { parseHost } from '../shared/host.ts';
import type { Destination } from '../shared/http-message.ts';
import { addressClosed, nameNotFound } from './upstream-errors.ts';

/** Every address of a name, in the order in which they are tried. Rejects when there is none. */
export type Resolver = (name: string) => Promise<readonly string[]>;

/** The system's own way: the hosts file and the name servers of the machine. */
export const systemResolver: Resolver = async (name) => {
  const found = await lookup(name, { all: true, order: 'verbatim' });
  return found.map(({ address }) => address);
};

export interface ResolveOptions {
  readonly resolver: Resolver;
  readonly policy: AddressPolicy;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/**
 * The addresses to dial for a destination, canonical, in order, each one checked. Asks the resolver once,
 * and for a literal address not at all.
 *
 * Rejects with `AddressClosed` when any one of them is closed: taking the open ones of a name that also
 * leads inside would let its owner choose. Rejects with `NameNotFound` when there is none.
 */
export async function resolveChecked(to: Destination, options: ResolveOptions): Promise<readonly string[]> {
  const found = isIP(to.host) === 0 ? await lookUp(to, options) : [to.host];
  const addresses = new Set<string>();
  for (const address of found) {
    // SECURITY: all of them, not only the one that is dialled.
    const because = closedBecause(address, to, options.policy);
    if (because !== undefined) throw addressClosed(to, because);
    addresses.add(parseHost(address)?.text ?? address);
  }
  if (addresses.size === 0) throw nameNotFound(to, undefined);
  return [...addresses];
}

async function lookUp(to: Destination, options: ResolveOptions): Promise<readonly string[]> {
  const { resolver, signal, timeoutMs } = options;
  const late = Object.assign(new Error('the look-up took too long'), { code: 'ETIMEOUT' });
  try {
    return await within(resolver(to.host), { signal, timeoutMs, late: () => late });
  } catch (error) {
    if (signal.aborted) throw error;
    throw nameNotFound(to, error);
  }
}

/** Waits for a promise, but not longer than this, and not past the signal. The promise itself goes on. */
export function within<T>(
  promise: Promise<T>,
  limits: { readonly signal: AbortSignal; readonly timeoutMs: number; readonly late: () => Error },
): Promise<T> {
  const { signal, timeoutMs, late } = limits;
  return new Promise((resolve, reject) => {
    const stop = (): void => settle(() => reject(signal.reason));
    const timer = setTimeout(() => settle(() => reject(late())), timeoutMs);
    const settle = (how: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      how();
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}
