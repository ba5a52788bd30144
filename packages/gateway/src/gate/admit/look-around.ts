import type { Action } from '@sallyport/protocol';
import type { Soon } from '../../coordination/index.ts';
import { lineOf } from '../../targets/index.ts';
import type { CompiledPolicy } from '../policy/compiled-policy.ts';
import type { Carried, Counters, Snapshot } from '../policy/snapshot.ts';
import type { GateParts } from './gate-parts.ts';

/** An action, and when it was counted, in ms since epoch. */
interface Looking {
  readonly action: Action;
  countedAt?: number;
  carried?: Carried | undefined;
  /** whether a snapshot holds what this action destroys */
  held?: { readonly action: Action; readonly isHeld: boolean };
}

/**
 * The world of this moment, as data. The first look counts the call, so that a refused one counts too. At once, unless
 * a limit holds for several gateways and another process has the counts.
 */
export function lookAround(looking: Looking, parts: GateParts): Soon<Snapshot | undefined> {
  const { policyOf, counters, clock } = parts;
  const { action } = looking;
  if (parts.holds !== undefined && looking.held?.action !== action && losesSomething(action))
    return parts.holds(action).then((isHeld) => {
      looking.held = { action, isHeld };
      return lookAround(looking, parts);
    });
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
  if (looking.countedAt === undefined) looking.carried = parts.reads?.count(action);
  looking.countedAt ??= now;
  const { carried } = looking;
  if (!(counts instanceof Promise))
    return snapshotOf(parts, looking, policy, counts, comesAgain, now, carried);
  return counts.then((known) =>
    // While we waited another policy may have come, which limits something else.
    policyOf(action.actor.tenant) === policy
      ? snapshotOf(parts, looking, policy, known, comesAgain, clock.now(), carried)
      : lookAround(looking, parts),
  );
}

/** In a jail a run's own snapshots hold the workspace. */
function losesSomething({ actor, target }: Action): boolean {
  if (actor.confinement === 'jailed') return false;
  return lineOf(target)?.commands.some(({ loses }) => loses !== undefined) === true;
}

function snapshotOf(
  { identityOf, isToolKnown, machine }: GateParts,
  { action, held }: Looking,
  policy: CompiledPolicy,
  counters: Counters,
  comesAgain: boolean,
  now: number,
  carried: Carried | undefined,
): Snapshot {
  const toolKnown = isToolKnown(action);
  const identity = identityOf(action);
  const facts = { now, policy, identity, counters, machine: machine(), toolKnown, comesAgain, carried };
  return held === undefined ? facts : { ...facts, held: held.isHeld };
}
