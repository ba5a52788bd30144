import type { Action } from '@sallyport/protocol';
import type { Soon } from '../../coordination/index.ts';
import type { CompiledPolicy } from '../compiled-policy.ts';
import type { Counters, Snapshot } from '../snapshot.ts';
import type { GateParts } from './gate-parts.ts';

/** An action, and when it was counted, in ms since epoch. */
interface Looking {
  readonly action: Action;
  countedAt?: number;
}

/**
 * The world of this moment, as data. The first look counts the call, so that a refused one counts too. At once, unless
 * a limit holds for several gateways and another process has the counts.
 */
export function lookAround(looking: Looking, parts: GateParts): Soon<Snapshot | undefined> {
  const { policyOf, counters, clock } = parts;
  const { action } = looking;
  const comesAgain = parts.comesAgain?.(action) === true;
  const policy = policyOf(action.actor.tenant);
  if (policy === undefined) return undefined;
  const now = clock.now();
  // What comes again counts then.
  if (comesAgain) looking.countedAt ??= now;
  const counts =
    looking.countedAt === undefined
      ? counters.count(action, policy)
      : counters.peek(action, policy, now - looking.countedAt);
  looking.countedAt ??= now;
  if (!(counts instanceof Promise)) return snapshotOf(parts, action, policy, counts, comesAgain, now);
  return counts.then((known) =>
    // While we waited another policy may have come, which limits something else.
    policyOf(action.actor.tenant) === policy
      ? snapshotOf(parts, action, policy, known, comesAgain, clock.now())
      : lookAround(looking, parts),
  );
}

function snapshotOf(
  { identityOf, isToolKnown, machine }: GateParts,
  action: Action,
  policy: CompiledPolicy,
  counters: Counters,
  comesAgain: boolean,
  now: number,
): Snapshot {
  const toolKnown = isToolKnown(action);
  return { now, policy, identity: identityOf(action), counters, machine: machine(), toolKnown, comesAgain };
}
