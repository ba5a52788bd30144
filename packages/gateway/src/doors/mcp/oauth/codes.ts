import { hashToken, matchesToken, newToken } from '../../../identity/index.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { Secret } from '../../../shared/secret.ts';
import type { Granted } from './authorizations.ts';

/** in ms */
const LIFE_MS = 60_000;
const CODES_AT_MOST = 64;

/** Authorization codes: each is good once, for a minute. Kept as hashes. */
export class Codes {
  readonly #clock: Clock;
  // process-local: the token of the session behind it must not be stored; a program comes back to this process
  readonly #codes = new Map<string, { readonly granted: Granted; readonly until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** undefined when there are too many */
  issue(granted: Granted): Secret | undefined {
    if (this.#codes.size >= CODES_AT_MOST) return undefined;
    const code = newToken('code');
    this.#codes.set(hashToken(code), { granted, until: this.#clock.now() + LIFE_MS });
    return code;
  }

  /** What a code was given for. It is gone, also when whoever sent it turns out to be somebody else. */
  take(code: string): { readonly granted: Granted; readonly isExpired: boolean } | undefined {
    if (!matchesToken('code', code)) return undefined;
    const key = hashToken(code);
    const found = this.#codes.get(key);
    this.#codes.delete(key);
    return found && { granted: found.granted, isExpired: found.until <= this.#clock.now() };
  }

  /** Forgets codes that nobody sent in time; the sessions behind them are to be ended. */
  sweep(): readonly Granted[] {
    const now = this.#clock.now();
    const lost: Granted[] = [];
    for (const [key, { granted, until }] of this.#codes) {
      if (until > now) continue;
      this.#codes.delete(key);
      lost.push(granted);
    }
    return lost;
  }
}
