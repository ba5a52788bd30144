import { type ActionType, type Effect, type RepositoryFact, RISKS, type Risk } from '@sallyport/protocol';
import { riskOf } from '../risk.ts';

/** What a provider's classifier found out about one request. */
export interface Finding {
  readonly effect: Effect;
  readonly type: ActionType;
  readonly risk: Risk;
  readonly operation?: string;
  readonly repo?: RepositoryFact;
  readonly quiet?: true;
}

/** The higher of two risks. */
export function maxRisk(one: Risk, other: Risk): Risk {
  return RISKS.indexOf(one) >= RISKS.indexOf(other) ? one : other;
}

type Extra = Partial<Pick<Finding, 'risk' | 'repo' | 'quiet'>>;

const NOTHING: Extra = {};

export function read(operation: string, type: ActionType = 'custom:http', extra: Extra = NOTHING): Finding {
  // Most have nothing to add, and spreading nothing still takes its time.
  return extra === NOTHING
    ? { effect: 'read', type, risk: 'low', operation }
    : { effect: 'read', type, risk: 'low', operation, ...extra };
}

/** A write that the provider publishes: as risky as its type, or as the classifier says if that is more. */
export function write(operation: string, type: ActionType = 'custom:http', extra: Extra = {}): Finding {
  const risk = maxRisk(riskOf(type, 'write'), extra.risk ?? 'low');
  return { effect: 'write', type, operation, ...extra, risk };
}

/** What hands out a credential, or makes one: never a read, whatever its method says. */
export function secret(operation: string): Finding {
  return { effect: 'write', type: 'custom:http', risk: 'critical', operation };
}

/** What the provider's published list does not have. */
export function unknown(why: string, type: ActionType = 'custom:http', extra: Extra = {}): Finding {
  return { effect: 'write', type, risk: 'critical', operation: `unknown: ${why}`, ...extra };
}
