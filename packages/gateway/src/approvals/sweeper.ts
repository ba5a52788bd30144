import type { Clock } from '../shared/clock.ts';
import type { ApprovalsRepository } from '../store/index.ts';
import type { Approval } from './approval/approval.ts';
import { toApproval } from './approval/approval-row.ts';
import type { Approvals } from './approvals.ts';
import type { Settlement } from './settlement.ts';

/** How long an ending may wait for the trail before somebody else finishes it, in ms */
const UNSETTLED_MS = 10_000;
const KEYS_KEPT_MS = 86_400_000;
const FORGET_EVERY_MS = 3_600_000;

export interface SweeperParts {
  readonly approvals: Approvals;
  readonly repository: ApprovalsRepository;
  readonly settlement: Settlement;
  readonly clock: Clock;
  readonly owner: string;
  /** other gateways decide in the same store */
  readonly shared: boolean;
  /** ids that callers or streams of this process wait for */
  readonly watched: () => readonly string[];
  readonly onEnded: (approval: Approval) => void;
  readonly onEscalated: (approval: Approval) => void;
}

/** What time does to questions: they expire, move up the chain, and are finished when somebody crashed. */
export class Sweeper {
  readonly #parts: SweeperParts;
  /** approvals with a chain → moments at which the next role is asked */
  // process-local: chains of questions that this process asked; the row holds them for the next
  readonly #steps = new Map<string, readonly number[]>();
  #forgotAt = 0;
  #running: Promise<void> | undefined;

  constructor(parts: SweeperParts) {
    this.#parts = parts;
  }

  /** Watches the chain of an open approval. */
  follow({ id, createdAt, escalation = [] }: Approval): void {
    const now = this.#parts.clock.now();
    const steps = escalation.map(({ afterMs }) => createdAt + afterMs).filter((at) => at > now);
    if (steps.length > 0) this.#steps.set(id, steps);
  }

  forget(id: string): void {
    this.#steps.delete(id);
  }

  /** One round; a round that is under way is joined. */
  sweep(): Promise<void> {
    this.#running ??= this.#sweep().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #sweep(): Promise<void> {
    const { approvals, repository, settlement, clock, owner, shared } = this.#parts;
    const now = clock.now();
    await approvals.settleAll(await repository.expireDue(now));
    const left = await repository.unsettled(owner, now - UNSETTLED_MS);
    await approvals.settleAll(left.filter(({ id }) => !settlement.isUnderWay(id)));
    await this.#escalate(now);
    // Those who wait are woken when another gateway decides; this is for a wake-up that was lost.
    if (shared) await this.takeOver(this.#parts.watched());
    if (now - this.#forgotAt < FORGET_EVERY_MS) return;
    this.#forgotAt = now;
    await repository.forgetKeys(now - KEYS_KEPT_MS);
  }

  async #escalate(now: number): Promise<void> {
    for (const [id, steps] of this.#steps) {
      const ahead = steps.filter((at) => at > now);
      if (ahead.length === steps.length) continue;
      if (ahead.length === 0) this.#steps.delete(id);
      else this.#steps.set(id, ahead);
      const row = await this.#parts.repository.find(id);
      if (row?.status === 'pending') this.#parts.onEscalated(toApproval(row, now));
    }
  }

  /** Another gateway may have decided these, which callers of this one wait for. */
  async takeOver(ids: readonly string[]): Promise<void> {
    const { repository, settlement, onEnded, clock } = this.#parts;
    for (const row of await repository.findMany(ids)) {
      if (row.status === 'pending' || row.settled !== 1 || settlement.isUnderWay(row.id)) continue;
      onEnded(toApproval(row, clock.now()));
    }
  }
}
