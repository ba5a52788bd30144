import { type Action, type EventActor, SallyportError } from '@sallyport/protocol';
import type { AuditTrail } from '../../audit/index.ts';
import type { Clock } from '../../shared/clock.ts';
import { newId } from '../../shared/ids.ts';
import type { GrantFilter, GrantsRepository, Page, PageRequest } from '../../store/index.ts';
import { describeGrant } from './describe-grant.ts';
import { type Grant, grantCovers, type MatchesSelector } from './grant.ts';
import { toGrant, toRow } from './grant-row.ts';

/** What a person's decision makes into a standing answer. */
export type NewGrant = Omit<Grant, 'id' | 'createdAt' | 'uses' | 'endedAt' | 'endReason'>;

export interface GrantsParts {
  readonly repository: GrantsRepository;
  readonly trail: AuditTrail;
  readonly clock: Clock;
  readonly matches: MatchesSelector;
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
    if (wanted.scope === 'always' && !allowAlways(wanted.tenant)) {
      throw new SallyportError('Unprocessable', {
        message: 'this tenant does not take permanent grants',
        hint: 'allow it once, for the session or for some minutes; or set `grants.allow_always: true`',
      });
    }
    const now = clock.now();
    // The approval API calls its permanent grants rules.
    const isRule = wanted.scope === 'always' && wanted.covers.kind === 'declared';
    const grant: Grant = { ...wanted, id: newId(isRule ? 'rule' : 'grant', now), createdAt: now, uses: 0 };
    await trail.append({
      tenant: grant.tenant,
      type: 'GrantEvent::Created',
      actor: by,
      ...(grant.approvalId === undefined ? {} : { approval_id: grant.approvalId }),
      data: { grant: grant.id, scope: grant.scope, covers: describeGrant(grant), by: grant.createdBy },
    });
    await repository.insert(toRow(grant));
    return grant;
  }

  /**
   * The grant that answers this action, taken: a `once` grant is used up by this call, durably, and answers
   * nobody else. INVARIANT: called only for asks of strength `review` or `human`.
   */
  async take(action: Action): Promise<Grant | undefined> {
    const { clock, repository, matches } = this.#parts;
    const now = clock.now();
    const candidates = await this.#candidates(action);
    // Standing ones first, so that a `once` grant is not wasted on what is allowed anyway.
    const ordered = [
      ...candidates.filter(({ scope }) => scope !== 'once'),
      ...candidates.filter(({ scope }) => scope === 'once'),
    ];
    for (const grant of ordered) {
      if (!grantCovers(grant, action, now, matches)) continue;
      if (grant.scope !== 'once') {
        const count = (this.#uses.get(grant.id)?.count ?? 0) + 1;
        this.#uses.set(grant.id, { tenant: grant.tenant, count });
        return grant;
      }
      if (await repository.consume(grant.tenant, grant.id, now)) return grant;
    }
    return undefined;
  }

  /** The grants that would answer this action now; none of them is used. For explaining only. */
  async wouldAnswer(action: Action): Promise<readonly Grant[]> {
    const now = this.#parts.clock.now();
    const live = await this.#candidates(action);
    return live.filter((grant) => grantCovers(grant, action, now, this.#parts.matches));
  }

  async #candidates(action: Action): Promise<readonly Grant[]> {
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
