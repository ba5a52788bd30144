import type { EventActor, JsonObject } from '@sallyport/protocol';
import type { AuditTrail } from '../audit/index.ts';
import type { Clock } from '../shared/clock.ts';
import type { SessionRecord, SessionsRepository } from '../store/index.ts';
import type { LiveSessions } from './live-sessions.ts';

/** What of an ending is still to be done. */
type Unfinished =
  | {
      readonly step: 'store';
      readonly id: string;
      readonly tenant: string;
      readonly reason: string;
      readonly by: EventActor;
    }
  | { readonly step: 'store-all'; readonly reason: string; readonly by: EventActor }
  | {
      readonly step: 'record';
      readonly session: SessionRecord;
      readonly reason: string;
      readonly by: EventActor;
    };

/**
 * Ends sessions: first in memory, so that it holds at once, then in the store, then in the trail.
 *
 * When a later step fails the session stays dead here, the caller gets the error, and `retry` does the rest.
 */
export class SessionEnder {
  readonly #repository: SessionsRepository;
  readonly #live: LiveSessions;
  readonly #audit: AuditTrail;
  readonly #clock: Clock;
  readonly #onStored: (id: string) => void;
  // process-local: endings on their way into the store
  readonly #unfinished = new Set<Unfinished>();

  /** `onStored` is told of each session that the store has as ended. */
  constructor(
    repository: SessionsRepository,
    live: LiveSessions,
    audit: AuditTrail,
    clock: Clock,
    onStored: (id: string) => void,
  ) {
    this.#repository = repository;
    this.#live = live;
    this.#audit = audit;
    this.#clock = clock;
    this.#onStored = onStored;
  }

  /** True for the call that ended it, false when it was ended before. */
  async end(
    session: { readonly id: string; readonly tenant: string },
    reason: string,
    by: EventActor,
  ): Promise<boolean> {
    const { id, tenant } = session;
    this.#live.bury(id, reason);
    return (await this.#do({ step: 'store', id, tenant, reason, by })) > 0;
  }

  /** How many sessions this call ended. */
  async endAll(reason: string, by: EventActor): Promise<number> {
    this.#live.buryAll(reason);
    return this.#do({ step: 'store-all', reason, by });
  }

  async endExpired(): Promise<void> {
    for (;;) {
      const ended = await this.#repository.endExpired(this.#clock.now());
      for (const session of ended) this.#live.cut(session.id, 'expired');
      await this.#recordEach(ended, 'expired', { kind: 'gateway' });
      if (ended.length < 500) return;
    }
  }

  /** Goes on where an ending failed. Throws when it fails again. */
  async retry(): Promise<void> {
    for (const unfinished of [...this.#unfinished]) {
      this.#unfinished.delete(unfinished);
      await this.#do(unfinished);
    }
  }

  async #do(task: Unfinished): Promise<number> {
    try {
      if (task.step === 'record') return await this.#record(task.session, task.reason, task.by);
    } catch (error) {
      this.#unfinished.add(task);
      throw error;
    }
    const ended = await this.#store(task);
    await this.#recordEach(ended, task.reason, task.by);
    return ended.length;
  }

  async #store(task: Exclude<Unfinished, { step: 'record' }>): Promise<readonly SessionRecord[]> {
    const now = this.#clock.now();
    try {
      if (task.step === 'store-all') {
        const ended = await this.#repository.endAll(now, task.reason);
        this.#live.confirmAll();
        for (const { id } of ended) this.#onStored(id);
        return ended;
      }
      const ended = await this.#repository.end(task.tenant, task.id, now, task.reason);
      this.#live.confirm(task.id);
      this.#onStored(task.id);
      return ended === undefined ? [] : [ended];
    } catch (error) {
      this.#unfinished.add(task);
      throw error;
    }
  }

  async #recordEach(ended: readonly SessionRecord[], reason: string, by: EventActor): Promise<void> {
    const tasks = ended.map((session) => this.#do({ step: 'record', session, reason, by }));
    // All of them are tried before the first failure is told.
    for (const result of await Promise.allSettled(tasks))
      if (result.status === 'rejected') throw result.reason;
  }

  async #record(session: SessionRecord, reason: string, by: EventActor): Promise<number> {
    const { id, tenant, user, agent } = session;
    const data: JsonObject = { session_id: id, user, agent, reason };
    await this.#audit.append({ tenant, type: 'SessionEvent::Ended', actor: by, data });
    return 1;
  }
}
