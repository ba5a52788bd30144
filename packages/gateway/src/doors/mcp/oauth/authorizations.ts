import { SallyportError } from '@sallyport/protocol';
import { carryOut, type Permit } from '../../../calls/index.ts';
import { AttemptLimiter, attemptSpace, hashToken, type OpenedSession } from '../../../identity/index.ts';
import { redeemPermit } from '../../../shared/permit.ts';
import type { AuthorizeRequest } from './authorize-request.ts';
import { connectAction, newShortCode } from './connect-action.ts';
import { LIFE_MS, type OAuthParts, type Principal } from './oauth-parts.ts';

/** What a person's yes gave: a session whose token nobody has yet. */
export interface Granted {
  readonly request: AuthorizeRequest;
  readonly principal: Principal;
  readonly opened: OpenedSession;
  readonly approval: string | undefined;
}

type State =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'granted'; readonly granted: Granted }
  | { readonly kind: 'refused'; readonly error: string };

export interface Pending {
  readonly request: AuthorizeRequest;
  readonly shortCode: string;
  state: State;
  /** of the state, in ms since epoch */
  since: number;
}

/** How long people may take, in ms */
const ANSWER_MS = 10 * 60_000;
/** How long an answer waits for its browser, in ms */
const HELD_MS = 2 * 60_000;
const PENDING_AT_MOST = 8;
const QUESTIONS_PER_MINUTE = 10;
const ALL = 'all';

/** Requests that people are asked about. SECURITY: bounded, because whoever reaches the listener may begin one. */
export class Authorizations {
  readonly #parts: OAuthParts;
  /** by the hash of the id in the browser's address */
  // process-local: the token of the session behind it must not be stored; a browser comes back to this process
  readonly #pending = new Map<string, Pending>();
  readonly #questions: AttemptLimiter;

  constructor(parts: OAuthParts) {
    this.#parts = parts;
    const limit = { failures: QUESTIONS_PER_MINUTE, windowMs: 60_000, maxKeys: 1 };
    const counters = parts.coordination.counters(attemptSpace('oauth.questions', limit));
    this.#questions = new AttemptLimiter(limit, parts.clock, counters);
  }

  /** Asks people; what they said is found under `id`. Throws `TooManyRequests`. */
  async begin(
    request: AuthorizeRequest,
    principal: Principal,
    { id, from }: { readonly id: string; readonly from: string },
  ): Promise<void> {
    const { clock } = this.#parts;
    // What was refused waits for its browser only; how much of that there is, the questions per minute bound.
    const open = this.#pending.values().filter(({ state }) => state.kind !== 'refused');
    const isFull = [...open].length >= PENDING_AT_MOST;
    const counted = isFull ? false : this.#questions.fail(ALL);
    if (!(counted instanceof Promise ? await counted : counted))
      throw new SallyportError('TooManyRequests', {
        message: 'too many programs ask for a session',
        hint: 'answer those that wait, or try again in a minute',
      });
    const pending: Pending = {
      ...{ request, shortCode: newShortCode(), state: { kind: 'waiting' }, since: clock.now() },
    };
    this.#pending.set(hashToken(id), pending);
    void this.#decide(pending, principal, from).then((state) => {
      pending.state = state;
      pending.since = clock.now();
    });
  }

  find(id: string): Pending | undefined {
    return this.#pending.get(hashToken(id));
  }

  /** The id is worth nothing from now on. */
  take(id: string): void {
    this.#pending.delete(hashToken(id));
  }

  /** Forgets answers that no browser came for; the sessions that they gave are to be ended. */
  sweep(): readonly Granted[] {
    const border = this.#parts.clock.now() - HELD_MS;
    const lost: Granted[] = [];
    for (const [key, { state, since }] of this.#pending) {
      if (state.kind === 'waiting' || since > border) continue;
      this.#pending.delete(key);
      if (state.kind === 'granted') lost.push(state.granted);
    }
    return lost;
  }

  async #decide(pending: Pending, principal: Principal, from: string): Promise<State> {
    const { gate, trail, stopping, onProblem } = this.#parts;
    const { request, shortCode } = pending;
    try {
      return await carryOut<State>(
        { gate, trail, onProblem },
        {
          signal: AbortSignal.any([stopping, AbortSignal.timeout(ANSWER_MS)]),
          hasEnd: false,
          build: () => connectAction(request, { ...principal, shortCode, from, days: LIFE_MS / 86_400_000 }),
          refused: () => ({ kind: 'refused', error: 'access_denied' }),
          execute: (permit) => this.#open(permit, request, principal),
        },
      );
    } catch (error) {
      if (error instanceof SallyportError) return { kind: 'refused', error: 'temporarily_unavailable' };
      onProblem(error);
      return { kind: 'refused', error: 'server_error' };
    }
  }

  /** Opened now, not when the code comes back: whoever ends all sessions ends this one, too. */
  async #open({ verdict, action }: Permit, request: AuthorizeRequest, principal: Principal): Promise<State> {
    redeemPermit(verdict, action);
    const opened = await this.#parts.sessions.open({
      ...principal,
      confinement: 'unconfined',
      credentials: this.#parts.credentialsOf(principal),
      by: { kind: 'client', client: request.client.label },
    });
    return { kind: 'granted', granted: { request, principal, opened, approval: verdict.approval } };
  }
}
