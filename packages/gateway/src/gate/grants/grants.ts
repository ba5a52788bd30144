import { type EventActor, SallyportError } from '@sallyport/protocol';
import type { AuditTrail } from '../../audit/index.ts';
import type { Clock } from '../../shared/clock.ts';
import { newId } from '../../shared/ids.ts';
import type { GrantFilter, GrantsRepository, Page, PageRequest } from '../../store/index.ts';
import { describeGrant } from './describe-grant.ts';
import { type AskedAction, type Grant, grantCovers } from './grant.ts';
import { toGrant, toRow } from './grant-row.ts';

/** What a person's decision makes into a standing answer. */
export type NewGrant = Omit<Grant, 'id' | 'answer' | 'createdAt' | 'uses' | 'endedAt' | 'endReason'> &
  Partial<Pick<Grant, 'answer'>>;

export interface GrantsParts {
  readonly repository: GrantsRepository;
  readonly trail: AuditTrail;
  readonly clock: Clock;
  /** whether the tenant's config lets people grant for good (`grants.allow_always`) */
  readonly allowAlways: (tenant: string) => boolean;
}

/** Standing answers: made by people, looked up by the gate, revoked by anyone who may. */
export class Grants {
  readonly #parts: GrantsParts;
  /** grant id → its tenant, and uses that are not written yet */
  // process-local: counts on their way into the store, which adds them up
  readonly #uses = new Map<string, { readonly tenant: string; readonly count: number }>();
  #flushing: Promise<void> = Promise.resolve();

  constructor(parts: GrantsParts) {
    this.#parts = parts;
  }

  /** Stores a grant; it is in the trail and durable before this resolves. */
  async create(wanted: NewGrant, by: EventActor): Promise<Grant> {
    const { clock, repository, trail, allowAlways } = this.#parts;
    if (wanted.scope === 'always' && wanted.answer !== 'no' && !allowAlways(wanted.tenant)) {
      throw new SallyportError('Unprocessable', {
        message: 'this tenant does not take permanent grants',
        hint: 'allow it once, for the session or for some minutes; or set `grants.allow_always: true`',
      });
    }
    const now = clock.now();
    // The approval API calls its permanent grants rules.
    const isRule = wanted.scope === 'always' && wanted.covers.kind === 'declared';
    const id = newId(isRule ? 'rule' : 'grant', now);
    const grant: Grant = { answer: 'yes', ...wanted, id, createdAt: now, uses: 0 };
    await trail.append({
      tenant: grant.tenant,
      type: 'GrantEvent::Created',
      actor: by,
      ...(grant.approvalId === undefined ? {} : { approval_id: grant.approvalId }),
      data: {
        grant: grant.id,
        answer: grant.answer,
        scope: grant.scope,
        covers: describeGrant(grant),
        by: grant.createdBy,
      },
    });
    await repository.insert(toRow(grant));
    return grant;
  }

  /**
   * The grant that answers this action, taken: a `once` grant is used up by this call, durably, and answers
   * nobody else. INVARIANT: called only for asks of strength `review` or `human`.
   */
  async take(asked: AskedAction): Promise<Grant | undefined> {
    const { clock, repository } = this.#parts;
    const now = clock.now();
    const candidates = (await this.#candidates(asked)).filter(({ answer }) => answer === 'yes');
    // Standing ones first, so that one that can be used up is not wasted on what is allowed anyway.
    const ordered = [
      ...candidates.filter((grant) => !isUsedUp(grant)),
      ...candidates.filter((grant) => isUsedUp(grant)),
    ];
    for (const grant of ordered) {
      if (!grantCovers(grant, asked, now)) continue;
      const { tenant, id, scope, usesAtMost } = grant;
      if (scope === 'once') {
        if (await repository.consume(tenant, id, now)) return grant;
      } else if (usesAtMost !== undefined) {
        if (await repository.useOne(tenant, id, now)) return grant;
      } else {
        this.#count(grant);
        return grant;
      }
    }
    return undefined;
  }

  /** A person's standing no to this action. It holds for every strength of an ask: it only tightens. */
  async refusing(asked: AskedAction): Promise<Grant | undefined> {
    const now = this.#parts.clock.now();
    const found = (await this.#candidates(asked)).find(
      (grant) => grant.answer === 'no' && grantCovers(grant, asked, now),
    );
    if (found !== undefined) this.#count(found);
    return found;
  }

  /** The grants that would answer this action now; none of them is used. For explaining only. */
  async wouldAnswer(asked: AskedAction): Promise<readonly Grant[]> {
    const now = this.#parts.clock.now();
    const live = await this.#candidates(asked);
    return live.filter((grant) => grantCovers(grant, asked, now));
  }

  #count({ id, tenant }: Grant): void {
    this.#uses.set(id, { tenant, count: (this.#uses.get(id)?.count ?? 0) + 1 });
  }

  async #candidates({ action }: AskedAction): Promise<readonly Grant[]> {
    const { tenant, agent, client } = action.actor;
    const who = agent !== undefined ? { agent } : client !== undefined ? { client } : undefined;
    return who === undefined ? [] : (await this.#parts.repository.live(tenant, who)).map(toGrant);
  }

  /** The grant that an approval left behind, ended or not. */
  async ofApproval(tenant: string, approvalId: string): Promise<Grant | undefined> {
    const row = await this.#parts.repository.findOfApproval(tenant, approvalId);
    return row && toGrant(row);
  }

  async find(id: string): Promise<Grant | undefined> {
    const row = await this.#parts.repository.findOfAnyTenant(id);
    return row && toGrant(row);
  }

  /** Ends a grant at once. False when there is no live one of that id. */
  async revoke(id: string, by: EventActor, tenant?: string): Promise<boolean> {
    const { clock, repository, trail } = this.#parts;
    const row = await repository.findOfAnyTenant(id);
    if (row === undefined || (tenant !== undefined && row.tenant !== tenant)) return false;
    if (!(await repository.end(row.tenant, id, 'revoked', clock.now()))) return false;
    await trail.append({ tenant: row.tenant, type: 'GrantEvent::Revoked', actor: by, data: { grant: id } });
    return true;
  }

  async list(filter: GrantFilter, page?: PageRequest): Promise<Page<Grant>> {
    await this.flushUses();
    const found = await this.#parts.repository.list(filter, page);
    return { items: found.items.map(toGrant), next_cursor: found.next_cursor };
  }

  /** Writes the counts of uses; the gateway calls it now and then and at its end. A lost count loses no decision. */
  flushUses(): Promise<void> {
    // One after the other: two at once would write the same uses twice.
    this.#flushing = this.#flushing.then(
      () => this.#writeUses(),
      () => this.#writeUses(),
    );
    return this.#flushing;
  }

  async #writeUses(): Promise<void> {
    for (const [id, { tenant, count }] of [...this.#uses]) {
      await this.#parts.repository.addUses(tenant, id, count);
      // Only what was written is taken off: a store that fails keeps its count for the next time.
      const left = (this.#uses.get(id)?.count ?? count) - count;
      if (left > 0) this.#uses.set(id, { tenant, count: left });
      else this.#uses.delete(id);
    }
  }
}

/** Whether uses of it are counted, durably, and end it. */
function isUsedUp({ scope, usesAtMost }: Grant): boolean {
  return scope === 'once' || usesAtMost !== undefined;
}
