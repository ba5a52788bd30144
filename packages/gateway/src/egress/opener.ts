import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Destination } from '../shared/http-message.ts';
import { dial, secure } from './dial.ts';
import type { EgressLimits } from './limits.ts';
import type { Networks } from './networks.ts';
import { type Resolver, resolveChecked } from './resolve.ts';
import { machineAddresses } from './this-machine.ts';
import { addressClosed } from './upstream-errors.ts';

/** One port that the gateway itself listens on. Which address it is bound to does not matter. */
export interface OwnListener {
  readonly port: number;
}

export interface OpenerOptions {
  readonly networks: Networks;
  readonly ownListeners: () => readonly OwnListener[];
  readonly resolver: Resolver;
  readonly limits: EgressLimits;
}

const THIS_MACHINE = '127.0.0.1';

/** Opens connections to where they may go: the only place that looks up names and the only one that dials. */
export class Opener {
  readonly #options: OpenerOptions;

  constructor(options: OpenerOptions) {
    this.#options = options;
  }

  /** A plain connection to a checked address. */
  async plain(to: Destination, signal: AbortSignal): Promise<Socket> {
    const { networks, ownListeners, resolver, limits } = this.#options;
    const addresses = await resolveChecked(to, {
      resolver,
      signal,
      timeoutMs: limits.resolveMs,
      policy: {
        open: networks.of(to.tenant).open,
        ownPorts: new Set(ownListeners().map(({ port }) => port)),
        machine: machineAddresses(),
      },
    });
    return dial(to, addresses, { signal, timeoutMs: limits.connectMs });
  }

  /** A connection to a port of this machine. Whoever calls has a verdict that says which; never to a door of ours. */
  async toThisMachine(to: Destination, signal: AbortSignal): Promise<Socket> {
    const { ownListeners, limits } = this.#options;
    // SECURITY: through here an agent would be someone on this machine to the operator side [ID-1].
    if (ownListeners().some(({ port }) => port === to.port)) throw addressClosed(to, 'own-listener');
    return dial(to, [THIS_MACHINE], { signal, timeoutMs: limits.connectMs, allowHalfOpen: true });
  }

  /** `plain` with TLS on it when the scheme says so. */
  async forHttp(
    to: Destination,
    signal: AbortSignal,
    protocols: readonly string[],
  ): Promise<Socket | TLSSocket> {
    const socket = await this.plain(to, signal);
    if (to.scheme === 'http') return socket;
    return secure(to, socket, {
      signal,
      timeoutMs: this.#options.limits.tlsMs,
      context: this.#options.networks.of(to.tenant).trust(),
      protocols,
    });
  }
}
