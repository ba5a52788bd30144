import { hashToken, matchesToken, newToken, type Sessions } from '../../../identity/index.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { Secret } from '../../../shared/secret.ts';
import type { Granted } from './authorizations.ts';
import type { OAuthClient } from './client-ids.ts';
import { LIFE_MS, type Principal } from './oauth-parts.ts';

/** Everything that came of one yes: a session at a time, and the token for the next. */
export interface Family {
  readonly client: OAuthClient;
  readonly resource: string;
  readonly principal: Principal;
  readonly codeHash: string;
  readonly until: number;
  /** its last session, alive or expired */
  session: string;
  /** hash of the refresh token that is good now */
  current: string;
  /** hashes of those that were good before */
  readonly used: Set<string>;
  isOver: boolean;
}

const FAMILIES_AT_MOST = 64;
const ROTATIONS_AT_MOST = 500;

/** Who may come for another session token, by hash. In memory alone: after a restart people are asked again. */
export class Families {
  readonly #sessions: Pick<Sessions, 'onEnded'>;
  readonly #clock: Clock;
  // process-local: after a restart people are asked again; a program comes back to this process
  readonly #families = new Set<Family>();

  constructor(sessions: Pick<Sessions, 'onEnded'>, clock: Clock) {
    this.#sessions = sessions;
    this.#clock = clock;
  }

  /** The family of a code, with its first refresh token. */
  begin(
    { request, principal, opened }: Granted,
    code: string,
  ): { readonly family: Family; readonly refresh: Secret } {
    const refresh = newToken('refresh');
    const family: Family = {
      ...{ client: request.client, resource: request.resource, principal, isOver: false },
      session: opened.session.id,
      codeHash: hashToken(code),
      until: this.#clock.now() + LIFE_MS,
      current: hashToken(refresh),
      used: new Set(),
    };
    const [oldest] = this.#families;
    // Its session goes on; only the way to the next one is gone.
    if (oldest !== undefined && this.#families.size >= FAMILIES_AT_MOST) this.forget(oldest);
    this.#families.add(family);
    this.follow(family, opened.session.id);
    return { family, refresh };
  }

  /** From now on this is its session: whoever ends it ends the family. Time alone does not. */
  follow(family: Family, session: string): void {
    family.session = session;
    this.#sessions.onEnded(session, (reason) => {
      if (family.session === session && reason !== 'expired') this.forget(family);
    });
  }

  ofCode(code: string): Family | undefined {
    if (!matchesToken('code', code)) return undefined;
    const hash = hashToken(code);
    return [...this.#families].find(({ codeHash }) => codeHash === hash);
  }

  ofRefreshToken(token: string): { readonly family: Family; readonly isCurrent: boolean } | undefined {
    if (!matchesToken('refresh', token)) return undefined;
    const hash = hashToken(token);
    for (const family of this.#families) {
      if (family.current === hash) return { family, isCurrent: true };
      if (family.used.has(hash)) return { family, isCurrent: false };
    }
    return undefined;
  }

  /** Another refresh token in the place of the current one; `undo` for when nothing came of it. */
  rotate(family: Family): { readonly refresh: Secret; readonly undo: () => void } | undefined {
    if (family.used.size >= ROTATIONS_AT_MOST) return undefined;
    const before = family.current;
    const refresh = newToken('refresh');
    family.used.add(before);
    family.current = hashToken(refresh);
    const undo = (): void => {
      family.used.delete(before);
      family.current = before;
    };
    return { refresh, undo };
  }

  forget(family: Family): void {
    family.isOver = true;
    this.#families.delete(family);
  }

  /** Those whose time is over; their sessions are to be ended. */
  sweep(): readonly Family[] {
    const now = this.#clock.now();
    const over = [...this.#families].filter(({ until }) => until <= now);
    for (const family of over) this.forget(family);
    return over;
  }
}
