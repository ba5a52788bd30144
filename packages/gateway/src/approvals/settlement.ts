import type { AuditTrail } from '../audit/index.ts';
import type { ApprovalRow, ApprovalsRepository } from '../store/index.ts';
import type { Approval } from './approval/approval.ts';
import { endedEvent } from './approval/approval-events.ts';
import { toEnded } from './approval/approval-row.ts';
import type { StandingAnswers } from './approval-port.ts';

/** Once-grants of answers that nobody waited for, in ms */
export const ONCE_GRANT_MS = 600_000;

export interface SettlementParts {
  readonly repository: ApprovalsRepository;
  readonly trail: AuditTrail;
  readonly standing: StandingAnswers;
  /** tells everyone who waits; called once it is in the trail */
  readonly onSettled: (approval: Approval) => void;
  /** tells the channels; called once the database shows it to everyone */
  readonly onStored: (approval: Approval) => void;
}

/**
 * What follows the compare-and-set: the trail, the grant, and only then everybody who waits.
 *
 * SECURITY: consent that cannot be recorded is taken back [TR-5]. What refuses (expired, cancelled) holds at once,
 * and is recorded later if it cannot be now.
 */
export class Settlement {
  readonly #parts: SettlementParts;
  // process-local: work under way in this process; the row says the rest
  readonly #underWay = new Map<string, Promise<Approval>>();

  constructor(parts: SettlementParts) {
    this.#parts = parts;
  }

  /** Resolves when nothing about this approval is under way. */
  async idle(id: string): Promise<void> {
    await this.#underWay.get(id)?.catch(() => {});
  }

  isUnderWay(id: string): boolean {
    return this.#underWay.has(id);
  }

  settle(row: ApprovalRow): Promise<Approval> {
    const work = this.#settle(row).finally(() => {
      if (this.#underWay.get(row.id) === work) this.#underWay.delete(row.id);
    });
    this.#underWay.set(row.id, work);
    return work;
  }

  async #settle(row: ApprovalRow): Promise<Approval> {
    const { repository, trail, standing, onSettled, onStored } = this.#parts;
    const ended = toEnded(row);
    if (ended.decision === undefined) {
      onSettled(ended);
      await trail.append(endedEvent(ended));
      await repository.settle(row.id, null);
      onStored(ended);
      return ended;
    }
    let grant: string | undefined;
    try {
      await trail.append(endedEvent(ended));
      // A no leaves something behind as well, where somebody said it for good.
      if (ended.status === 'approved' || ended.decision.always === true) grant = await standing.create(ended);
    } catch (error) {
      await repository.reopenUnsettled(row.id);
      throw error;
    }
    const approval = grant === undefined ? ended : { ...ended, answeredBy: grant };
    onSettled(approval);
    await repository.settle(row.id, grant ?? null);
    onStored(approval);
    return approval;
  }
}
