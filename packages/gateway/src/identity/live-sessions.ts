import { SallyportError } from '@sallyport/protocol';
import type { Clock } from '../shared/clock.ts';
import type { SessionRecord, SessionsRepository } from '../store/index.ts';
import { SessionCache } from './session-cache.ts';
import { type SessionFacts, toFacts } from './session-facts.ts';

const MAX_CACHED = 10_000;
/** How old what we know of a row may be where other gateways write too, in `ms` */
const RECHECK_MS = 1_000;
const CHUNK = 500;

/**
 * Which sessions are alive, in memory: the hot path of every door, and the signals that cut connections.
 *
 * The store is the truth. What is kept here is never more alive than the store was when it was last read,
 * and what was cut here is dead at once, whatever the store says.
 */
export class LiveSessions {
  readonly #repository: SessionsRepository;
  readonly #clock: Clock;
  /** other gateways may end or renew sessions in the same store */
  readonly #shared: boolean;
  readonly #cache = new SessionCache(MAX_CACHED);
  // process-local: connections of this process; an ending elsewhere wakes it
  readonly #signals = new Map<string, AbortController>();
  /** ended here, but not yet in the store */
  // process-local: endings on their way into the store
  readonly #dead = new Set<string>();
  #allDead = false;
  /** counts endings: a row read before an ending must not be believed after it */
  #endings = 0;

  constructor(repository: SessionsRepository, clock: Clock, shared: boolean) {
    this.#repository = repository;
    this.#clock = clock;
    this.#shared = shared;
  }

  async load(): Promise<void> {
    const now = this.#clock.now();
    for (const { session, tokenHash } of await this.#repository.loadLive(now, MAX_CACHED)) {
      this.#cache.set(tokenHash, { facts: toFacts(session), checkedAt: now });
    }
  }

  /** The live session with this token hash; undefined when there is none. */
  async find(tokenHash: string): Promise<SessionFacts | undefined> {
    return this.known(tokenHash) ?? this.#read(tokenHash);
  }

  /** The same, if it is known without a look into the store. */
  known(tokenHash: string): SessionFacts | undefined {
    const now = this.#clock.now();
    const known = this.#cache.get(tokenHash);
    if (known === undefined || known.facts.expiresAt <= now) return undefined;
    return !this.#shared || now - known.checkedAt < RECHECK_MS ? known.facts : undefined;
  }

  async #read(tokenHash: string): Promise<SessionFacts | undefined> {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const endings = this.#endings;
      const row = await this.#repository.findByTokenHash(tokenHash);
      // SECURITY: while we read, a session ended: the row may be the one from before.
      if (endings !== this.#endings) continue;
      if (row === undefined || !this.#isAlive(row)) {
        if (row !== undefined) this.cut(row.id, row.endReason ?? 'expired');
        return undefined;
      }
      const facts = toFacts(row);
      this.#cache.set(tokenHash, { facts, checkedAt: this.#clock.now() });
      return facts;
    }
    throw new SallyportError('Unavailable', { hint: 'try again in a moment' });
  }

  #isAlive(row: SessionRecord): boolean {
    if (this.#allDead || this.#dead.has(row.id)) return false;
    return row.endedAt === undefined && row.expiresAt > this.#clock.now();
  }

  /** The session if it is in memory, of whatever tenant. */
  peek(id: string): SessionFacts | undefined {
    return this.#cache.find(id)?.facts;
  }

  extend(id: string, expiresAt: number): void {
    const known = this.#cache.find(id);
    if (known !== undefined) this.#cache.refresh({ ...known, facts: withExpiry(known.facts, expiresAt) });
  }

  /** The token of a session was replaced in the store: what is known of it is under the new one from now on. */
  rekey(id: string, tokenHash: string, expiresAt: number): void {
    // SECURITY: whoever reads the row of the old token at this moment reads again, and finds none.
    this.#endings += 1;
    const known = this.#cache.find(id);
    this.#cache.delete(id);
    // A session that was cut meanwhile is not here, and does not come back.
    if (known !== undefined)
      this.#cache.set(tokenHash, { ...known, facts: withExpiry(known.facts, expiresAt) });
  }

  /**
   * Aborts when the session ends, with the reason. Already aborted for a session that is not alive.
   *
   * SECURITY: a door takes it right after `authenticate`, before it does anything that outlives the check.
   */
  signalOf(id: string): AbortSignal {
    const known = this.#signals.get(id);
    if (known !== undefined) return known.signal;
    if (this.#cache.find(id) === undefined) return AbortSignal.abort('the session is not alive');
    const controller = new AbortController();
    this.#signals.set(id, controller);
    return controller.signal;
  }

  /** Ends the session in memory at once: the next look-up fails, and every signal has fired on return. */
  cut(id: string, reason: string): void {
    this.#cache.delete(id);
    const controller = this.#signals.get(id);
    this.#signals.delete(id);
    controller?.abort(reason);
  }

  /** Cuts it and keeps it dead until `confirm`, also against a store that still says otherwise. */
  bury(id: string, reason: string): void {
    this.#endings += 1;
    this.#dead.add(id);
    this.cut(id, reason);
  }

  /** The store has it: it says "ended" by itself now. */
  confirm(id: string): void {
    this.#endings += 1;
    this.#dead.delete(id);
  }

  buryAll(reason: string): void {
    this.#endings += 1;
    this.#allDead = true;
    for (const id of this.#ids()) this.cut(id, reason);
  }

  confirmAll(): void {
    this.#endings += 1;
    this.#allDead = false;
    this.#dead.clear();
  }

  /** Takes over what other gateways did to the sessions that we hold: to all of them, or to these. */
  async synchronise(some?: readonly string[]): Promise<void> {
    if (!this.#shared) return;
    const ids = some?.filter((id) => this.#signals.has(id) || this.#cache.find(id)) ?? this.#ids();
    for (let start = 0; start < ids.length; start += CHUNK) {
      const chunk = ids.slice(start, start + CHUNK);
      const rows = new Map((await this.#repository.findMany(chunk)).map((row) => [row.id, row]));
      const checkedAt = this.#clock.now();
      for (const id of chunk) {
        const row = rows.get(id);
        if (row === undefined || row.endedAt !== undefined) this.cut(id, row?.endReason ?? 'ended');
        else this.#refresh(row, checkedAt);
      }
    }
  }

  #refresh(row: SessionRecord, checkedAt: number): void {
    const known = this.#cache.find(row.id);
    if (known === undefined) return;
    // An expiry only moves forward, so the later one is the newer one.
    const expiresAt = Math.max(row.expiresAt, known.facts.expiresAt);
    this.#cache.refresh({ facts: withExpiry(known.facts, expiresAt), checkedAt });
  }

  /** Cuts what has expired, without asking the store. */
  cutExpired(): void {
    const now = this.#clock.now();
    for (const { facts } of this.#cache.all()) {
      if (facts.expiresAt <= now) this.cut(facts.id, 'expired');
    }
  }

  #ids(): readonly string[] {
    return [...new Set([...this.#cache.all().map(({ facts }) => facts.id), ...this.#signals.keys()])];
  }
}

function withExpiry(facts: SessionFacts, expiresAt: number): SessionFacts {
  return Object.freeze({ ...facts, expiresAt });
}
