import { type ActionType, type Effect, type RepositoryFact, RISKS, type Risk } from '@sallyport/protocol';
import { pathTemplate } from '../../shared/path-template.ts';
import { riskOf } from '../risk.ts';
import { chosenIn, SEVERAL } from './chosen-operation.ts';
import type { RequestView } from './request-view.ts';

/** What a provider's classifier found out about one request. */
export interface Finding {
  readonly effect: Effect;
  readonly type: ActionType;
  readonly risk: Risk;
  readonly operation?: string;
  /** what the operation is done to: repository, account and region, project, channel */
  readonly object?: string;
  readonly repo?: RepositoryFact;
  readonly quiet?: true;
}

/** The higher of two risks. */
export function maxRisk(one: Risk, other: Risk): Risk {
  return RISKS.indexOf(one) >= RISKS.indexOf(other) ? one : other;
}

type Extra = Partial<Pick<Finding, 'risk' | 'object' | 'repo' | 'quiet'>>;

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

/** What begins the operation of a request that nobody can name. */
export const UNKNOWN = 'unknown: ';

/**
 * An operation that the provider's published list does not have: a write of unknown kind. It is told by method and
 * shape of the path, so that an answer about one is none about another [GA-11].
 */
export function unlisted(view: RequestView, type: ActionType = 'custom:http', extra: Extra = {}): Finding {
  const chosen = chosenIn(view);
  const shape = `${view.method} ${pathTemplate(view.path)}`;
  return unknown(
    chosen === SEVERAL ? SEVERAL : [shape, ...(chosen === undefined ? [] : [chosen])].join(' '),
    type,
    extra,
  );
}

/** What cannot be known of a request, in a few words. */
export function unknown(why: string, type: ActionType = 'custom:http', extra: Extra = {}): Finding {
  return { effect: 'write', type, risk: 'critical', operation: `${UNKNOWN}${why}`, ...extra };
}
