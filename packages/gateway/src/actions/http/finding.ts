import type { ActionType, Effect, RepositoryFact, Risk } from '@sallyport/protocol';

/** What a provider's classifier found out about one request. */
export interface Finding {
  readonly effect: Effect;
  readonly type: ActionType;
  readonly risk: Risk;
  readonly operation?: string;
  readonly repo?: RepositoryFact;
  readonly quiet?: true;
}

// Risk of a write by its type, where the classifier has no reason to say more. docs/config.md shows the same.
const WRITE_RISK: Readonly<Record<string, Risk>> = {
  'vcs:push': 'medium',
  'vcs:branch': 'medium',
  'comms:external': 'high',
  'db:mutate': 'high',
  'db:admin': 'critical',
  'deploy:staging': 'medium',
  'deploy:production': 'high',
  'custom:http': 'medium',
};

const ORDER: readonly Risk[] = ['low', 'medium', 'high', 'critical'];

/** The higher of two risks. */
export function maxRisk(one: Risk, other: Risk): Risk {
  return ORDER.indexOf(one) >= ORDER.indexOf(other) ? one : other;
}

type Extra = Partial<Pick<Finding, 'risk' | 'repo' | 'quiet'>>;

export function read(operation: string, type: ActionType = 'custom:http', extra: Extra = {}): Finding {
  return { effect: 'read', type, risk: 'low', operation, ...extra };
}

/** A write that the provider publishes. */
export function write(operation: string, type: ActionType = 'custom:http', extra: Extra = {}): Finding {
  return { effect: 'write', type, risk: WRITE_RISK[type] ?? 'critical', operation, ...extra };
}

/** What hands out a credential, or makes one: never a read, whatever its method says. */
export function secret(operation: string): Finding {
  return { effect: 'write', type: 'custom:http', risk: 'critical', operation };
}

/** What the provider's published list does not have. */
export function unknown(why: string, type: ActionType = 'custom:http', extra: Extra = {}): Finding {
  return { effect: 'write', type, risk: 'critical', operation: `unknown: ${why}`, ...extra };
}
