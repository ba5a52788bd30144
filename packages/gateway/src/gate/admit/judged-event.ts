import type {
  Action,
  EventType,
  JsonObject,
  Judgement,
  NewEvent,
  Opinion,
  Verdict,
} from '@sallyport/protocol';
import { eventActor } from '../../shared/event-actor.ts';
import { shortJudgement } from '../judge.ts';
import { isOverBudget } from '../layers/read-budget.ts';
import type { Snapshot } from '../policy/snapshot.ts';
import { doesOf } from './question.ts';

/**
 * The one event of a decision: the facts that `judge` saw, and what every layer said. It is enough to judge the
 * same action again under another policy. Bodies and inputs are not in it.
 */
export function judgedEvent(
  action: Action,
  verdict: Verdict,
  snapshot: Snapshot | undefined,
  judgement: Judgement | undefined,
): NewEvent {
  if (verdict.kind === 'allow' && judgement !== undefined && snapshot !== undefined && isPolicys(verdict))
    return policysEvent(action, verdict, snapshot, judgement);
  return {
    tenant: action.actor.tenant,
    type: eventType(verdict),
    actor: eventActor(action.actor),
    action_id: action.id,
    ...(verdict.approval === undefined ? {} : { approval_id: verdict.approval }),
    data: {
      verdict: verdict.kind,
      ...(verdict.kind === 'allow' ? allowed(verdict) : refused(verdict)),
      // what the layers said, before any grant or person answered
      judged: judgement === undefined ? 'deny EvaluationFailed' : shortJudgement(judgement),
      door: action.door,
      tool: action.tool,
      type: action.type,
      effect: action.effect,
      reach: action.reach,
      risk: action.risk,
      // Interfaces have no index signature; a target is plain JSON data all the same.
      target: action.target as unknown as JsonObject,
      binding: action.binding,
      // A question may come again; what the policy allows by itself is none.
      ...(verdict.kind === 'allow' && verdict.by === 'policy' ? {} : asked(action)),
      // Plain data, written out before anybody could change it.
      opinions: (verdict.kind === 'allow'
        ? sameOpinions(verdict.opinions)
        : verdict.opinions) as unknown as readonly JsonObject[],
      ...(snapshot === undefined ? {} : { policy: snapshot.policy.revision, seen: seen(snapshot) }),
    },
  };
}

/** What makes it a question of its own, in a hash and in words. */
function asked(action: Action): JsonObject {
  const does = doesOf(action);
  return { fingerprint: action.fingerprint, ...(does === undefined ? {} : { does }) };
}

type Allow = Verdict & { readonly kind: 'allow' };

function isPolicys({ by, approval, grant, action }: Allow): boolean {
  return by === 'policy' && approval === undefined && grant === undefined && action === undefined;
}

/** The same for what the policy allows by itself: most of what agents do, so it is made in one piece. */
function policysEvent(action: Action, verdict: Allow, snapshot: Snapshot, judgement: Judgement): NewEvent {
  return {
    tenant: action.actor.tenant,
    type: 'ActionEvent::Judged',
    actor: eventActor(action.actor),
    action_id: action.id,
    data: {
      verdict: 'allow',
      by: 'policy',
      judged: shortJudgement(judgement),
      door: action.door,
      tool: action.tool,
      type: action.type,
      effect: action.effect,
      reach: action.reach,
      risk: action.risk,
      // Interfaces have no index signature; a target is plain JSON data all the same.
      target: action.target as unknown as JsonObject,
      binding: action.binding,
      opinions: sameOpinions(verdict.opinions) as unknown as readonly JsonObject[],
      policy: snapshot.policy.revision,
      seen: seen(snapshot),
    },
  };
}

const lists = new WeakMap<Opinion, readonly Opinion[]>();

/** What the layers say to what they allow is mostly the same: then it is one frozen list, and written once. */
function sameOpinions(opinions: readonly Opinion[]): readonly Opinion[] {
  const key = opinions.find(({ says }) => says === 'allow');
  if (key === undefined) return opinions;
  const known = lists.get(key);
  if (known?.length === opinions.length && known.every((opinion, index) => opinion === opinions[index]))
    return known;
  // INVARIANT: an opinion is never changed after a layer gave it.
  const own = Object.freeze([...opinions]);
  lists.set(key, own);
  return own;
}

const BY_PEOPLE: ReadonlySet<string> = new Set([
  'ApprovalPending',
  'ApprovalDenied',
  'ApprovalTimeout',
  'ApprovalCancelled',
]);

/** Command checks have their own type of violation; all others share one. */
function eventType(verdict: Verdict): EventType {
  // A person's no, or their silence, breaks no policy.
  if (verdict.kind === 'allow' || BY_PEOPLE.has(verdict.violation)) return 'ActionEvent::Judged';
  return verdict.violation === 'CommandNotAllowed' || verdict.violation === 'SubcommandNotAllowed'
    ? 'CommandExecutionEvent::CommandPolicyViolation'
    : 'MCPToolEvent::ToolPolicyViolation';
}

function allowed(verdict: Verdict & { readonly kind: 'allow' }): JsonObject {
  return {
    by: verdict.by,
    ...(verdict.grant === undefined ? {} : { grant: verdict.grant }),
    ...(verdict.action === undefined ? {} : { changed: true }),
  };
}

function refused(verdict: Verdict & { readonly kind: 'deny' }): JsonObject {
  return {
    violation: verdict.violation,
    reason: verdict.reason,
    ...(verdict.layer === undefined ? {} : { layer: verdict.layer }),
    ...(verdict.rule === undefined ? {} : { rule: verdict.rule }),
  };
}

const NO_WINDOWS = Object.freeze({});

/** The part of the snapshot that a replay needs. */
function seen({
  now,
  identity,
  counters,
  toolKnown,
  comesAgain,
  carried,
  policy,
  held,
}: Snapshot): JsonObject {
  return {
    now,
    tool_known: toolKnown,
    ...(comesAgain ? { comes_again: true } : {}),
    identity: identity as unknown as JsonObject,
    execution_calls: counters.executionCalls,
    // Most reads carry little, and their events are many.
    ...(held === undefined ? {} : { held }),
    ...(carried !== undefined && isOverBudget(policy.network, carried) ? { carried: { ...carried } } : {}),
    windows: counters.windows.size === 0 ? NO_WINDOWS : Object.fromEntries(counters.windows),
  };
}
