import type { Logger } from '../audit/index.ts';
import type { Listeners } from '../servers/index.ts';
import type { GatewayEvents } from './gateway-events.ts';

export interface ShutdownParts {
  readonly listeners: Listeners;
  readonly events: GatewayEvents;
  readonly log: Logger;
  /** everything that was opened, to be closed in reverse */
  readonly stack: AsyncDisposableStack;
  /** aborted first, so that streams end by themselves */
  readonly stopping: AbortController;
}

export type StopHow = 'stopped' | 'killed';

/** The one way down, taken once, by whoever asks first. */
export class Shutdown {
  readonly #parts: ShutdownParts;
  readonly #closed = Promise.withResolvers<void>();
  #begun: Promise<void> | undefined;

  constructor(parts: ShutdownParts) {
    this.#parts = parts;
  }

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  stop(how: StopHow): Promise<void> {
    // `killed` also cuts what an orderly stop is still waiting for.
    if (how === 'killed') this.#parts.listeners.cut();
    this.#begun ??= this.#run(how);
    return this.#begun;
  }

  async #run(how: StopHow): Promise<void> {
    const { listeners, events, log, stack, stopping } = this.#parts;
    try {
      stopping.abort();
      await listeners.close();
      await events.record(how === 'killed' ? 'GatewayEvent::Killed' : 'GatewayEvent::Stopped', {
        pid: process.pid,
      });
    } catch (error) {
      // A trail that cannot be written must not keep the gateway alive.
      log.error({ err: error }, 'the stop was not recorded');
    }
    try {
      await stack.disposeAsync();
    } finally {
      this.#closed.resolve();
    }
  }
}
