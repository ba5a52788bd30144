import { SallyportError } from '@sallyport/protocol';
import type { Connection } from './connection.ts';

interface Kept {
  readonly opening: Promise<Connection>;
  connection: Connection | undefined;
  usedAt: number;
}

export interface PeerConnectionsParts {
  readonly server: string;
  readonly most: number;
  /** after a failure no other is opened for so long, in ms; doubled with each one in a row */
  readonly backoffMs: number;
  readonly longestBackoffMs: number;
}

/** The connections of one server that belong to one client each. */
export class PeerConnections {
  readonly #parts: PeerConnectionsParts;
  // process-local: connections of this process
  readonly #kept = new Map<string, Kept>();
  #uses = 0;
  #failures = 0;
  #notBefore = 0;

  constructor(parts: PeerConnectionsParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** At once when it is open. Makes room by closing the idle one that was used longest ago. */
  of(peer: string, open: () => Promise<Connection>): Connection | Promise<Connection> {
    this.#uses += 1;
    const kept = this.#kept.get(peer);
    if (kept !== undefined) {
      kept.usedAt = this.#uses;
      return kept.connection?.isOpen === true ? kept.connection : kept.opening;
    }
    // SECURITY: an agent that calls on and on must not have processes started without end.
    if (performance.now() < this.#notBefore) throw this.#unavailable('could not be started a moment ago');
    if (this.#kept.size >= this.#parts.most) this.#makeRoom();
    const opening = open();
    const made: Kept = { opening, connection: undefined, usedAt: this.#uses };
    this.#kept.set(peer, made);
    opening.then(
      (connection) => {
        made.connection = connection;
        this.#failures = 0;
        // Its client left while it was opened.
        if (this.#kept.get(peer) !== made) void connection.close('its client left');
      },
      () => this.#forget(peer, made),
    );
    return opening;
  }

  /** The connection is gone by itself; the next request opens another. */
  lost(peer: string): void {
    this.#kept.delete(peer);
  }

  /** The open connection of a client, if it has one. */
  peek(peer: string): Connection | undefined {
    return this.#kept.get(peer)?.connection;
  }

  async drop(peer: string, reason: string): Promise<void> {
    const kept = this.#kept.get(peer);
    this.#kept.delete(peer);
    await kept?.connection?.close(reason);
  }

  async dropAll(reason: string): Promise<void> {
    await Promise.all([...this.#kept.keys()].map((peer) => this.drop(peer, reason)));
  }

  #makeRoom(): void {
    let oldest: [string, Kept] | undefined;
    for (const entry of this.#kept) {
      const isIdle = entry[1].connection?.waiting === 0;
      if (isIdle && (oldest === undefined || entry[1].usedAt < oldest[1].usedAt)) oldest = entry;
    }
    if (oldest === undefined) throw this.#unavailable('has its most clients already');
    void this.drop(oldest[0], 'another client needs the room');
  }

  #forget(peer: string, kept: Kept): void {
    if (this.#kept.get(peer) === kept) this.#kept.delete(peer);
    const { backoffMs, longestBackoffMs } = this.#parts;
    this.#notBefore = performance.now() + Math.min(longestBackoffMs, backoffMs * 2 ** this.#failures);
    this.#failures += 1;
  }

  #unavailable(why: string): SallyportError {
    return new SallyportError('ToolServerUnavailable', {
      message: `the tool server \`${this.#parts.server}\` ${why}`,
    });
  }
}
