import type { Action, ErrorCode, Judgement, NewEvent, Verdict } from '@sallyport/protocol';
import type { AuditTrail } from '../../audit/index.ts';
import type { Clock } from '../../shared/clock.ts';
import type { CompiledPolicy } from '../compiled-policy.ts';
import type { Grants } from '../grants/grants.ts';
import { judge } from '../judge.ts';
import { rateLimitsFor } from '../layers/rate.ts';
import type { IdentityFacts, Snapshot } from '../snapshot.ts';
import { judgedEvent } from './judged-event.ts';
import type { RateCounters } from './rate-counters.ts';

export interface GateParts {
  /** the tenant's policy as it is in force now */
  readonly policyOf: (tenant: string) => CompiledPolicy | undefined;
  /** what the identity module knows of the actor now */
  readonly identityOf: (action: Action) => IdentityFacts;
  /** whether a router knows the tool */
  readonly isToolKnown: (action: Action) => boolean;
  readonly counters: RateCounters;
  readonly grants: Pick<Grants, 'take'>;
  readonly trail: AuditTrail;
  readonly clock: Clock;
}

/**
 * The one way to a verdict. Every door calls `admit` and carries out nothing without its `allow`.
 *
 * Contract:
 * - It never throws and never rejects: whatever goes wrong inside is a `deny`.
 * - The verdict on a write, and every refusal, is durable in the trail before it is returned; if the trail
 *   cannot take it, the verdict is `deny` with `AuditUnavailable`.
 * - Each call is one event.
 */
export class Gate {
  readonly #parts: GateParts;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  async admit(action: Action): Promise<Verdict> {
    let snapshot: Snapshot | undefined;
    let judgement: Judgement | undefined;
    let verdict: Verdict;
    try {
      snapshot = this.#look(action);
      if (snapshot !== undefined) judgement = judge(action, snapshot);
      verdict = judgement === undefined ? noPolicy(action) : await this.#decide(action, judgement);
    } catch {
      // SECURITY: a failure while deciding is a refusal. The cause may hold what the agent sent, so it stays out.
      verdict = refusal('EvaluationFailed', 'the decision could not be made', []);
    }
    return this.#remember(verdict, action, () => judgedEvent(action, verdict, snapshot, judgement));
  }

  /** The world of this moment, as data. Counting happens here, so that a refused call counts too. */
  #look(action: Action): Snapshot | undefined {
    const { policyOf, identityOf, isToolKnown, counters, clock } = this.#parts;
    const policy = policyOf(action.actor.tenant);
    if (policy === undefined) return undefined;
    const now = clock.now();
    return {
      now,
      policy,
      identity: identityOf(action),
      counters: counters.count(action, rateLimitsFor(policy, action), now),
      toolKnown: isToolKnown(action),
    };
  }

  async #decide(action: Action, judgement: Judgement): Promise<Verdict> {
    const { opinions } = judgement;
    switch (judgement.outcome) {
      case 'allow':
        return { kind: 'allow', by: 'policy', opinions };
      case 'deny': {
        const rule = opinions.find((opinion) => opinion.says === 'deny' && 'rule' in opinion);
        return {
          kind: 'deny',
          violation: judgement.violation,
          layer: judgement.layer,
          ...(rule !== undefined && 'rule' in rule && rule.rule !== undefined ? { rule: rule.rule } : {}),
          reason: judgement.reason,
          opinions,
        };
      }
      case 'ask': {
        // SECURITY: `each-time` is for people alone; no grant is even looked up.
        const grant = judgement.strength === 'each-time' ? undefined : await this.#parts.grants.take(action);
        if (grant !== undefined) return { kind: 'allow', by: 'grant', grant: grant.id, opinions };
        return refusal('ApprovalUnavailable', `this needs a person: ${judgement.reason}`, opinions);
      }
    }
  }

  async #remember(verdict: Verdict, action: Action, eventOf: () => NewEvent): Promise<Verdict> {
    const { trail } = this.#parts;
    try {
      const event = eventOf();
      const mayLag = verdict.kind === 'allow' && action.effect === 'read';
      if (mayLag) trail.note(event);
      else await trail.append(event);
      return verdict;
    } catch {
      // SECURITY: what cannot be recorded does not happen.
      return refusal('AuditUnavailable', 'the trail cannot be written', verdict.opinions);
    }
  }
}

function noPolicy(action: Action): Verdict {
  return refusal('NotPermitted', `there is no tenant \`${action.actor.tenant}\``, []);
}

function refusal(violation: ErrorCode, reason: string, opinions: Verdict['opinions']): Verdict {
  return { kind: 'deny', violation, reason, opinions };
}
