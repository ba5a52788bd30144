import { TLSSocket } from 'node:tls';
import type { Destination } from '../shared/http-message.ts';
import type { Exchange } from './exchange.ts';
import { H1Connection, type H1Owner } from './h1-connection.ts';
import { type H2Owner, H2Session } from './h2-session.ts';
import type { EgressLimits } from './limits.ts';
import type { Opener } from './opener.ts';
import { timedOut, tooMany } from './upstream-errors.ts';

/**
 * A host may close a connection that is unused just when we send. What changes nothing is then sent again; for
 * the rest, only connections that were used a moment ago are taken.
 */
const FRESH_MS = 2_000;
const H1 = ['http/1.1'];
const H2 = ['h2', 'http/1.1'];

/** What all hosts share. */
export interface PoolParts {
  readonly opener: Opener;
  readonly limits: EgressLimits;
  /** Takes one of the places for connections; false when there is none. */
  take(): boolean;
  give(): void;
}

/** The connections of one tenant to one host and port. */
export class HostPool implements H1Owner, H2Owner {
  readonly #to: Destination;
  readonly #parts: PoolParts;
  /** last used last */
  readonly #idle: H1Connection[] = [];
  readonly #connections = new Set<H1Connection>();
  readonly #sessions = new Set<H2Session>();
  readonly #waiting: Exchange[] = [];
  readonly #closing = new AbortController();
  #isRetired = false;
  #opening = 0;
  /** whether the host speaks HTTP/2; undefined: not known */
  #speaksH2: boolean | undefined;
  /** those who wait for the HTTP/2 connection that is being opened; undefined: none is */
  #onH2: Exchange[] | undefined;

  constructor(to: Destination, parts: PoolParts) {
    const { tenant, scheme, host, port } = to;
    this.#to = { tenant, scheme, host, port };
    this.#parts = parts;
  }

  get isEmpty(): boolean {
    return this.#connections.size + this.#sessions.size + this.#opening + this.#waiting.length === 0;
  }

  get isFull(): boolean {
    return this.#connections.size + this.#sessions.size + this.#opening >= this.#parts.limits.perHost;
  }

  start(exchange: Exchange): void {
    if (exchange.preferH2 && this.#to.scheme === 'https' && this.#speaksH2 !== false) this.#startH2(exchange);
    else this.#startH1(exchange);
  }

  #startH1(exchange: Exchange): void {
    const now = performance.now();
    const connection = this.#takeIdle(exchange, now);
    if (connection !== undefined) this.#run(connection, exchange, now);
    else if (this.isFull) this.#queue(exchange, now);
    else this.#openFor(exchange);
  }

  #takeIdle(exchange: Exchange, now: number): H1Connection | undefined {
    const mayBeOld = exchange.mayRetry;
    for (let found = this.#idle.pop(); found !== undefined; found = this.#idle.pop()) {
      if (!found.isUsable) continue;
      if (mayBeOld || now - found.idleSince < FRESH_MS) return found;
      // The others were used even longer ago.
      this.#idle.push(found);
      return undefined;
    }
    return undefined;
  }

  #run(carrier: H1Connection | H2Session, exchange: Exchange, now: number): void {
    try {
      carrier.start(exchange, now);
    } catch (error) {
      // Nothing of it was sent, so the connection is as good as before.
      if (carrier instanceof H1Connection) this.onIdle(carrier);
      queueMicrotask(() => exchange.fail(error instanceof Error ? error : new Error(String(error))));
    }
  }

  #queue(exchange: Exchange, now: number): void {
    const { queued, queueMs, perHost } = this.#parts.limits;
    if (this.#waiting.length >= queued) {
      const what = `${perHost} connections to \`${this.#to.host}\` are in use, and ${queued} requests wait`;
      queueMicrotask(() => exchange.fail(tooMany(this.#to, what)));
      return;
    }
    exchange.deadline = now + queueMs;
    this.#waiting.push(exchange);
  }

  #openFor(exchange: Exchange): void {
    const controller = new AbortController();
    exchange.onCancel(() => controller.abort(new Error('the request was given up')));
    void this.#open(H1, AbortSignal.any([controller.signal, this.#closing.signal])).then(
      (connection) => {
        if (!exchange.isDone) this.#run(connection, exchange, performance.now());
        else if (connection instanceof H1Connection) this.onIdle(connection);
      },
      (error: Error) => {
        exchange.fail(error);
        this.#next();
      },
    );
  }

  /** A new connection, counted from its first moment on. Rejects with what an agent may be told. */
  async #open(protocols: readonly string[], signal: AbortSignal): Promise<H1Connection | H2Session> {
    const { opener, limits } = this.#parts;
    if (!this.#parts.take()) throw tooMany(this.#to, `${limits.total} connections are in use`);
    this.#opening++;
    try {
      const socket = await opener.forHttp(this.#to, signal, protocols);
      if (socket instanceof TLSSocket && socket.alpnProtocol === 'h2') {
        const session = new H2Session(socket, this.#to, this, limits);
        this.#sessions.add(session);
        return session;
      }
      const connection = new H1Connection(socket, this.#to, this, limits.headMs);
      this.#connections.add(connection);
      return connection;
    } catch (error) {
      this.#parts.give();
      throw error;
    } finally {
      this.#opening--;
    }
  }

  #startH2(exchange: Exchange): void {
    for (const session of this.#sessions) {
      if (!session.hasRoom) continue;
      this.#run(session, exchange, performance.now());
      return;
    }
    if (this.#onH2 !== undefined) this.#onH2.push(exchange);
    else if (this.isFull) this.#queue(exchange, performance.now());
    else this.#openH2For(exchange);
  }

  #openH2For(exchange: Exchange): void {
    this.#onH2 = [exchange];
    // Not bound to the first that asked: others wait for the same connection.
    void this.#open(H2, this.#closing.signal).then(
      (carrier) => this.#opened(carrier),
      (error: Error) => {
        for (const waiting of this.#takeOnH2()) waiting.fail(error);
      },
    );
  }

  #opened(carrier: H1Connection | H2Session): void {
    const waiting = this.#takeOnH2();
    this.#speaksH2 = carrier instanceof H2Session;
    if (carrier instanceof H1Connection) this.onIdle(carrier);
    for (const exchange of waiting) {
      if (!exchange.isDone) this.start(exchange);
    }
  }

  #takeOnH2(): readonly Exchange[] {
    const waiting = this.#onH2 ?? [];
    this.#onH2 = undefined;
    return waiting;
  }

  #next(): void {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (next.isDone) continue;
      next.deadline = Number.POSITIVE_INFINITY;
      this.start(next);
      return;
    }
  }

  onIdle(connection: H1Connection): void {
    if (this.#isRetired) {
      connection.close(new Error('the network settings changed'));
      return;
    }
    connection.deadline = Number.POSITIVE_INFINITY;
    connection.idleSince = performance.now();
    this.#idle.push(connection);
    this.#next();
  }

  onRoom(): void {
    this.#next();
  }

  onGone(gone: H1Connection | H2Session): void {
    if (gone instanceof H1Connection) {
      this.#connections.delete(gone);
      const at = this.#idle.indexOf(gone);
      if (at !== -1) this.#idle.splice(at, 1);
    } else this.#sessions.delete(gone);
    this.#parts.give();
    this.#next();
  }

  onUnsent(exchange: Exchange): void {
    exchange.wasRetried = true;
    if (this.isFull) this.#queue(exchange, performance.now());
    else if (exchange.preferH2 && this.#speaksH2 === true) this.#startH2(exchange);
    else this.#openFor(exchange);
  }

  /** since when the connection that waits longest is unused; undefined when none is */
  get idleSince(): number | undefined {
    return this.#idle[0]?.idleSince;
  }

  /** Closes the connection that is unused longest. */
  dropOldest(): void {
    this.#idle.shift()?.close(new Error('closed'));
  }

  /** Called from time to time: ends what took too long or is not used any more. */
  sweep(now: number): void {
    const since = now - this.#parts.limits.idleMs;
    while (this.#idle[0] !== undefined && this.#idle[0].idleSince <= since) this.dropOldest();
    for (const session of this.#sessions) {
      session.check(now);
      if (session.isIdle && session.idleSince <= since) session.leave();
    }
    for (const connection of this.#connections) connection.check(now);
    for (const exchange of this.#waiting.splice(0)) {
      if (exchange.isDone) continue;
      if (now <= exchange.deadline) this.#waiting.push(exchange);
      else exchange.fail(timedOut(this.#to, 'is busy with other requests'));
    }
  }

  /** No connection is used again; requests under way may end. */
  retire(): void {
    this.#isRetired = true;
    while (this.#idle.length > 0) this.dropOldest();
    for (const session of this.#sessions) session.leave();
  }

  close(error: Error): void {
    this.#isRetired = true;
    this.#closing.abort(error);
    for (const exchange of [...this.#waiting.splice(0), ...this.#takeOnH2()]) exchange.fail(error);
    for (const connection of this.#connections) connection.close(error);
    for (const session of this.#sessions) session.close(error);
  }
}
