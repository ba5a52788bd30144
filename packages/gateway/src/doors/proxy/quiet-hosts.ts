import { SallyportError } from '@sallyport/protocol';
import type { Clock } from '../../shared/clock.ts';

const EVERY_MS = 60_000;
const KEPT_AT_MOST = 1_000;

/** A request that only tells somebody how a program is used: refused without a question. */
export class Telemetry extends SallyportError {
  constructor(host: string) {
    super('DomainNotAllowed', { message: `\`${host}\` collects telemetry` });
  }
}

/** Counts refusals of telemetry, so that the trail has one event a minute for each session and host. */
export class QuietHosts {
  readonly #clock: Clock;
  // process-local: keeps the lines of this process few
  readonly #told = new Map<string, { at: number; since: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many were refused since the last event, this one included; undefined when none is due. */
  count(session: string, host: string): number | undefined {
    const key = `${session} ${host}`;
    const now = this.#clock.now();
    const known = this.#told.get(key);
    if (known !== undefined && now - known.at < EVERY_MS) {
      known.since += 1;
      return undefined;
    }
    this.#told.delete(key);
    this.#told.set(key, { at: now, since: 0 });
    if (this.#told.size > KEPT_AT_MOST) {
      const oldest = this.#told.keys().next();
      if (!oldest.done) this.#told.delete(oldest.value);
    }
    return 1 + (known?.since ?? 0);
  }
}
