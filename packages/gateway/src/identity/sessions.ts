import { type EventActor, SallyportError } from '@sallyport/protocol';
import type { AuditTrail } from '../audit/index.ts';
import type { Coordination } from '../coordination/index.ts';
import type { Clock } from '../shared/clock.ts';
import {
  EnrollmentSecretsRepository,
  type Page,
  type PageRequest,
  type SessionRecord,
  SessionsRepository,
  type Store,
} from '../store/index.ts';
import { Enrollment, type EnrollRequest } from './enrollment.ts';
import { DEFAULT_ENROLLMENT_LIMITS, type EnrollmentLimits } from './enrollment-gate.ts';
import { LiveSessions } from './live-sessions.ts';
import { SessionEnder } from './session-ender.ts';
import type { SessionFacts } from './session-facts.ts';
import { type OpenedSession, type OpenSession, type SessionLimits, SessionOpener } from './session-opener.ts';
import type { TenantOf } from './tenant-directory.ts';
import { hashToken, matchesToken } from './tokens.ts';

const SWEEP_MS = 1_000;
const WAKE_TOPIC = 'sessions';

export interface SessionsOptions {
  readonly store: Store;
  readonly coordination: Pick<Coordination, 'counters' | 'wakeUps'>;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly tenantOf: TenantOf;
  /** asked each time, so that a changed config is in force at once; 1 h and 50 when absent */
  readonly limits?: () => SessionLimits;
  readonly enrollmentLimits?: EnrollmentLimits;
  /** chain of the trail for refusals that name an unknown tenant; `default` when absent */
  readonly systemTenant?: string;
  /** told when the sweep in the background fails; it is tried again a second later */
  readonly onSweepFailed?: (error: unknown) => void;
}

/** Loads the live sessions and starts the sweep that ends expired ones every second. `close` stops it. */
export async function startSessions(options: SessionsOptions): Promise<Sessions> {
  const sessions = new Sessions(options);
  await sessions.start();
  return sessions;
}

/** Sessions of agents: who opens one, whose token it is, and when it is over. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #limits: () => SessionLimits;
  readonly #repository: SessionsRepository;
  readonly #live: LiveSessions;
  readonly #opener: SessionOpener;
  readonly #ender: SessionEnder;
  readonly #enrollment: Enrollment;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  #stopListening: (() => void) | undefined;

  /** Use `startSessions`. */
  constructor(options: SessionsOptions) {
    const { store, coordination, audit, clock, tenantOf } = options;
    this.#options = options;
    this.#limits = options.limits ?? (() => ({ ttlMs: 3_600_000, maxLive: 50 }));
    const repository = new SessionsRepository(store);
    const live = new LiveSessions(repository, clock, store.engine === 'postgres');
    const common = { audit, clock, tenantOf };
    this.#repository = repository;
    this.#live = live;
    this.#opener = new SessionOpener({ ...common, repository, live, limits: this.#limits });
    this.#ender = new SessionEnder(repository, live, audit, clock, (id) =>
      coordination.wakeUps.wake(WAKE_TOPIC, id),
    );
    this.#enrollment = new Enrollment({
      ...common,
      coordination,
      secrets: new EnrollmentSecretsRepository(store),
      opener: this.#opener,
      limits: options.enrollmentLimits ?? DEFAULT_ENROLLMENT_LIMITS,
      systemTenant: options.systemTenant ?? 'default',
    });
  }

  async start(): Promise<void> {
    await this.#live.load();
    // What another gateway ended is over here at once, not with the next sweep.
    this.#stopListening ??= this.#options.coordination.wakeUps.listen(WAKE_TOPIC, (woken) => {
      this.#live
        .synchronise(woken === 'all' ? undefined : woken)
        .catch((error: unknown) => this.#options.onSweepFailed?.(error));
    });
    this.#timer ??= setInterval(() => {
      this.sweep().catch((error: unknown) => this.#options.onSweepFailed?.(error));
    }, SWEEP_MS).unref();
  }

  /** Opens a session for whoever the caller has already authenticated: the operator side, or a delegation. */
  open(request: OpenSession): Promise<OpenedSession> {
    return this.#opener.open(request);
  }

  /** Opens a session for an agent that has an enrollment secret. */
  enroll(request: EnrollRequest): Promise<OpenedSession> {
    return this.#enrollment.enroll(request);
  }

  /** The session of a token. Throws `NotAuthenticated` for anything else, always with the same words. */
  async authenticate(token: string): Promise<SessionFacts> {
    return this.#admitted(matchesToken('session', token) ? this.#live.find(hashToken(token)) : undefined);
  }

  /**
   * As `authenticate`, for whoever has looked at the token before and kept `sessionTokenHash` of it. At once where nothing
   * is to be looked up.
   */
  authenticateHash(tokenHash: string): SessionFacts | Promise<SessionFacts> {
    return this.#live.known(tokenHash) ?? this.#admitted(this.#live.find(tokenHash));
  }

  async #admitted(found: Promise<SessionFacts | undefined> | undefined): Promise<SessionFacts> {
    const facts = await found;
    if (facts === undefined) throw new SallyportError('NotAuthenticated', UNKNOWN_TOKEN);
    return facts;
  }

  /** Moves the expiry to a full life from now. The token stays the same. */
  async renew(token: string, ttlMs: number = this.#limits().ttlMs): Promise<SessionFacts> {
    return this.#opener.renew(await this.authenticate(token), ttlMs);
  }

  /** As `renew`, for whoever has the session without its token: the run that it belongs to. */
  async prolong(id: string, ttlMs: number = this.#limits().ttlMs): Promise<SessionFacts> {
    const facts = this.#live.peek(id);
    if (facts === undefined) throw noSession();
    return this.#opener.renew(facts, ttlMs);
  }

  /** A full life and another token for a live session; the token before it is worthless from then on. */
  async reissue(id: string): Promise<OpenedSession> {
    const facts = this.#live.peek(id);
    if (facts === undefined) throw noSession();
    return this.#opener.reissue(facts, this.#limits().ttlMs);
  }

  /**
   * Ends a session. It is over in memory, and its signals have fired, before this waits for anything else.
   *
   * With `tenant` a session of another tenant is `NotFound`, as one that never was; without it (operator side)
   * any session is found. False when it had ended before.
   */
  async end(id: string, reason: string, by: EventActor, tenant?: string): Promise<boolean> {
    const known = this.#live.peek(id) ?? (await this.#repository.findOfAnyTenant(id));
    if (known === undefined || (tenant !== undefined && known.tenant !== tenant)) throw noSession();
    return this.#ender.end(known, reason, by);
  }

  /** The kill switch: ends every session of every tenant. Returns how many were alive. */
  endAll(reason: string, by: EventActor): Promise<number> {
    return this.#ender.endAll(reason, by);
  }

  /** The live session, if this gateway has it in memory: no look-up, for decisions that cannot wait. */
  peek(id: string): SessionFacts | undefined {
    return this.#live.peek(id);
  }

  /** Aborts, with the reason, when the session ends. Already aborted when it is not alive. */
  signalOf(id: string): AbortSignal {
    return this.#live.signalOf(id);
  }

  /** Calls `listener` once when the session ends; at once when it is not alive. Returns how to stop listening. */
  onEnded(id: string, listener: (reason: string) => void): () => void {
    const signal = this.#live.signalOf(id);
    const tell = (): void => listener(String(signal.reason));
    if (signal.aborted) {
      tell();
      return () => {};
    }
    signal.addEventListener('abort', tell, { once: true });
    return () => signal.removeEventListener('abort', tell);
  }

  /** A session of the tenant, alive or not. `NotFound` also for sessions of other tenants. */
  async get(tenant: string, id: string): Promise<SessionRecord> {
    const record = await this.#repository.get(tenant, id);
    if (record === undefined) throw noSession();
    return record;
  }

  list(tenant: string, page?: PageRequest, live = false): Promise<Page<SessionRecord>> {
    return this.#repository.list(tenant, page, this.#filter(live));
  }

  /** Sessions of every tenant. For the operator side only. */
  listOfAllTenants(page?: PageRequest, live = false): Promise<Page<SessionRecord>> {
    return this.#repository.listOfAllTenants(page, this.#filter(live));
  }

  /** Ends what has expired, takes over what other gateways did, and goes on with endings that failed. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweep().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  /** Stops the sweep. Sessions stay as they are: they outlive a restart of the gateway. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopListening?.();
    await this.#sweeping?.catch(() => {});
  }

  async #sweep(): Promise<void> {
    try {
      await this.#live.synchronise();
    } finally {
      // Whatever the store does: an expired session has no connections.
      this.#live.cutExpired();
    }
    await this.#ender.retry();
    await this.#ender.endExpired();
  }

  #filter(live: boolean): { liveAt?: number } {
    return live ? { liveAt: this.#options.clock.now() } : {};
  }
}

const UNKNOWN_TOKEN = {
  message: 'the session token is wrong, expired or revoked',
  hint: 'open a new session with `POST /session/new` or `sallyport run`',
};

function noSession(): SallyportError {
  return new SallyportError('NotFound', { message: 'there is no such session' });
}
