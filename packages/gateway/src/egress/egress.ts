import type { Duplex } from 'node:stream';
import { SallyportError } from '@sallyport/protocol';
import type { Destination, OutgoingExchange, OutgoingRequest, ResponseSink } from '../shared/http-message.ts';
import { Exchange, type ExchangeOptions } from './exchange.ts';
import { EGRESS_LIMITS, type EgressLimits } from './limits.ts';
import { type NetworkConfig, Networks } from './networks.ts';
import { Opener, type OwnListener } from './opener.ts';
import { Pool } from './pool.ts';
import { type Resolver, systemResolver } from './resolve.ts';
import { systemRoots } from './trust.ts';
import { type UpgradeOutcome, upgradeOn } from './upgrade.ts';
import { tooMany } from './upstream-errors.ts';

export interface EgressOptions {
  /** the config in force; asked again and again, and compared by identity */
  readonly config: () => NetworkConfig;
  /** where relative `ca_files` start: the home */
  readonly folder: string;
  /** what the gateway itself listens on: never a target */
  readonly ownListeners: () => readonly OwnListener[];
  /** a CA file of a new config cannot be read: its certificates are not trusted */
  readonly onProblem: (error: Error) => void;
  /** the system's own when absent */
  readonly resolver?: Resolver;
  readonly limits?: Partial<EgressLimits>;
}

/**
 * The only way out. Whoever calls has a verdict: nothing here decides whether a host may be talked to, only
 * whether the address that it leads to may be dialled.
 *
 * Each name is looked up once, every address found is checked, a checked one is dialled, and TLS is verified.
 * Errors are `SallyportError`s that an agent may read. A redirect is an answer like any other.
 */
export interface Egress {
  /** Sends a request. Never tells the sink anything before it returns. */
  exchange(request: OutgoingRequest, sink: ResponseSink, options: ExchangeOptions): OutgoingExchange;
  /** A pipe for bytes that are not looked at; no TLS on our side, whatever the scheme. */
  connect(destination: Destination, options: { readonly signal: AbortSignal }): Promise<Duplex>;
  /** The same to a port of this machine, which a person opened: an allowed forward of a run, and nothing else. */
  connectHere(destination: Destination, options: { readonly signal: AbortSignal }): Promise<Duplex>;
  /** Asks for another protocol (`websocket`). The request has no body. */
  upgrade(
    request: OutgoingRequest,
    protocol: string,
    options: { readonly signal: AbortSignal },
  ): Promise<UpgradeOutcome>;
  /** PEM of all that this tenant's connections trust; undefined where that is what the system trusts. For programs that do TLS themselves. */
  bundle(tenant: string): string | undefined;
  /** Ends every request and closes every connection. */
  close(): Promise<void>;
}

/** Opens the way out. Throws `ConfigInvalid` for a CA file that cannot be used. */
export function createEgress(options: EgressOptions): Egress {
  return new PooledEgress(options);
}

class PooledEgress implements Egress {
  readonly #limits: EgressLimits;
  readonly #networks: Networks;
  readonly #opener: Opener;
  readonly #pool: Pool;
  readonly #closing = new AbortController();

  constructor(options: EgressOptions) {
    const { config, folder, onProblem, ownListeners, resolver = systemResolver } = options;
    this.#limits = { ...EGRESS_LIMITS, ...options.limits };
    this.#networks = new Networks({ config, folder, onProblem, onChange: () => this.#pool.retire() });
    this.#opener = new Opener({ networks: this.#networks, ownListeners, resolver, limits: this.#limits });
    this.#pool = new Pool(this.#opener, this.#limits);
  }

  exchange(request: OutgoingRequest, sink: ResponseSink, options: ExchangeOptions): OutgoingExchange {
    const exchange = new Exchange(request, sink, options);
    if (options.signal.aborted || this.#closing.signal.aborted) {
      const { reason } = options.signal.aborted ? options.signal : this.#closing.signal;
      queueMicrotask(() => exchange.fail(reason));
      return exchange;
    }
    this.#networks.refresh();
    this.#pool.start(exchange);
    return exchange;
  }

  async connect(to: Destination, { signal }: { readonly signal: AbortSignal }): Promise<Duplex> {
    return this.#alone(to, () => this.#opener.plain(to, this.#anyOf(signal)));
  }

  async connectHere(to: Destination, { signal }: { readonly signal: AbortSignal }): Promise<Duplex> {
    return this.#alone(to, () => this.#opener.toThisMachine(to, this.#anyOf(signal)));
  }

  async upgrade(
    request: OutgoingRequest,
    protocol: string,
    options: { readonly signal: AbortSignal },
  ): Promise<UpgradeOutcome> {
    const signal = this.#anyOf(options.signal);
    const socket = await this.#alone(request, () => this.#opener.forHttp(request, signal, ['http/1.1']));
    return upgradeOn(socket, request, protocol, { signal, headMs: this.#limits.headMs });
  }

  bundle(tenant: string): string | undefined {
    this.#networks.refresh();
    const { certificates } = this.#networks.of(tenant);
    return certificates.length === 0 ? undefined : `${[...systemRoots(), ...certificates].join('\n')}\n`;
  }

  async close(): Promise<void> {
    const stopping = new SallyportError('Unavailable', { message: 'the gateway is stopping' });
    this.#closing.abort(stopping);
    await this.#pool.close(stopping);
  }

  #anyOf(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#closing.signal]);
  }

  /** A connection outside the pool: it counts as one of all, and ends when the gateway does. */
  async #alone<T extends Duplex>(to: Destination, open: () => Promise<T>): Promise<T> {
    this.#networks.refresh();
    if (!this.#pool.take()) throw tooMany(to, `${this.#limits.total} connections are in use`);
    let socket: T;
    try {
      socket = await open();
    } catch (error) {
      this.#pool.give();
      throw error;
    }
    const stop = (): void => void socket.destroy();
    this.#closing.signal.addEventListener('abort', stop, { once: true });
    socket.once('close', () => {
      this.#closing.signal.removeEventListener('abort', stop);
      this.#pool.give();
    });
    return socket;
  }
}
