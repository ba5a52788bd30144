import type { Action, Actor, AuditEvent, CommandFact, Judgement, Opinion, Target } from '@sallyport/protocol';
import { type IdentityFacts, judge, type PolicySet, type Snapshot, shortJudgement } from '../gate/index.ts';
import { factsOf, isKnownTarget } from '../targets/index.ts';
import { configuredMachine } from './rehearse.ts';

/** A decision that would differ under the other policy. */
export interface Difference {
  readonly event: string;
  readonly at: string;
  readonly action_id: string;
  readonly agent: string;
  readonly tool: string;
  readonly what: string;
  readonly was: string;
  readonly would_be: string;
  readonly reason: string;
}

export interface SimulationSummary {
  readonly judged: number;
  readonly differ: number;
  /** events of decisions that cannot be replayed: written by another version, or cut */
  readonly skipped: number;
}

/** Event types that hold a decision. */
const DECISION_EVENTS: ReadonlySet<string> = new Set([
  'ActionEvent::Judged',
  'MCPToolEvent::ToolPolicyViolation',
  'CommandExecutionEvent::CommandPolicyViolation',
]);

/** Holds one too, unless its decision was written before it as an event of its own. */
const OUTCOME_EVENT = 'ProxyEvent::RequestAllowed';

/** Whether an event holds a decision of the gate; each has one such event. */
export function isDecision({ type, data }: Pick<AuditEvent, 'type' | 'data'>): boolean {
  return DECISION_EVENTS.has(type) || (type === OUTCOME_EVENT && data.judged !== undefined);
}

/**
 * Judges recorded actions again, under another policy. What the layers said then is compared with what they would
 * say: `allow`, `ask` with its strength, `deny` with its code. Whether a person or a grant answered plays no part.
 */
export class Simulation {
  readonly #policies: PolicySet;
  readonly #machine: Snapshot['machine'];
  #judged = 0;
  #differ = 0;
  #skipped = 0;

  constructor(policies: PolicySet) {
    this.#policies = policies;
    this.#machine = configuredMachine(policies);
  }

  get summary(): SimulationSummary {
    return { judged: this.#judged, differ: this.#differ, skipped: this.#skipped };
  }

  /** Undefined when the answer would be the same, or the event holds no decision. */
  replay(event: AuditEvent): Difference | undefined {
    if (!isDecision(event)) return undefined;
    const recorded = readDecision(event);
    if (recorded === undefined) {
      this.#skipped += 1;
      return undefined;
    }
    const policy = this.#policies.policyOf(event.tenant);
    this.#judged += 1;
    const judgement: Judgement | undefined =
      policy === undefined
        ? undefined
        : judge(recorded.action, {
            ...recorded.seen,
            policy,
            identity: this.#identity(recorded),
            machine: this.#machine,
          });
    const would = judgement === undefined ? 'deny NotPermitted' : shortJudgement(judgement);
    if (would === recorded.was) return undefined;
    this.#differ += 1;
    return {
      event: event.id,
      at: event.at,
      action_id: event.action_id ?? '',
      agent: recorded.action.actor.agent ?? '',
      tool: recorded.action.tool,
      what: factsOf(recorded.action.target).summary(recorded.action.target),
      was: recorded.was,
      would_be: would,
      reason: judgement === undefined ? 'the config has no such tenant' : reasonOf(judgement),
    };
  }

  /** Alive as it was then; the rights are those of the policy that is tried. */
  #identity({ action, identity }: Recorded): IdentityFacts {
    return identity.kind === 'session' ? { ...identity, rights: this.#policies.rightsOf(action) } : identity;
  }
}

export interface Recorded {
  readonly action: Action;
  readonly identity: IdentityFacts;
  readonly seen: Pick<Snapshot, 'now' | 'counters' | 'toolKnown' | 'comesAgain' | 'carried' | 'held'>;
  readonly was: string;
  readonly opinions: readonly Opinion[];
}

/** Our own events, read back. INVARIANT: mirrors `gate/admit/judged-event.ts`. */
export function readDecision(event: AuditEvent): Recorded | undefined {
  // The shape is checked where it matters; a stored event of our own type has these fields.
  const data = event.data as unknown as DecisionData;
  if (data.seen === undefined || data.target === undefined || data.opinions === undefined) return undefined;
  if (!isKnownTarget(data.target)) return undefined;
  const { kind: _kind, ...actor } = event.actor as { readonly kind: string } & Actor;
  return {
    action: {
      id: event.action_id ?? '',
      door: data.door,
      actor,
      tool: data.tool,
      type: data.type,
      effect: data.effect,
      reach: reachOfToday(data.reach, actor, pathsIn(data.target), data.seen.identity),
      risk: data.risk,
      target: targetOfToday(data.target, actor, data.seen.identity),
      input: {},
      preview: '',
      binding: data.binding,
      fingerprint: data.fingerprint,
    },
    identity: data.seen.identity,
    seen: {
      now: data.seen.now,
      toolKnown: data.seen.tool_known,
      comesAgain: data.seen.comes_again === true,
      carried: data.seen.carried,
      held: data.seen.held,
      counters: {
        executionCalls: data.seen.execution_calls,
        windows: new Map(Object.entries(data.seen.windows)),
      },
    },
    was: data.judged,
    opinions: data.opinions,
  };
}

/** A target as it is recorded today: earlier versions knew one host of a command, and kept it in `host`. */
function targetOfToday(target: Target, actor: Actor, identity: IdentityFacts): Target {
  if (target.kind !== 'command') return target;
  const commands = target.commands.map((command: CommandFact & { readonly host?: string }) => {
    const { host, ...rest } = command;
    const reach = reachOfToday(rest.reach, actor, writtenBy(rest), identity);
    const fact: CommandFact = reach === rest.reach ? rest : { ...rest, reach };
    return host === undefined ? fact : { ...fact, hosts: [{ host }] };
  });
  return { ...target, commands };
}

/**
 * Earlier versions knew two reaches. Their `local` was all of this machine: in a jail the agent's own, else where the
 * paths lie, and where none says it, the machine.
 */
function reachOfToday(
  reach: Action['reach'] | 'local',
  { confinement }: Actor,
  paths: readonly string[],
  identity: IdentityFacts,
): Action['reach'] {
  if (reach !== 'local') return reach;
  if (confinement === 'jailed') return 'workspace';
  const folder = identity.kind === 'session' ? identity.workspace : undefined;
  if (folder === undefined || paths.length === 0) return 'host';
  return paths.every((path) => path === folder || path.startsWith(`${folder}/`)) ? 'workspace' : 'host';
}

function writtenBy({ writes, paths = [] }: CommandFact): readonly string[] {
  return [...writes.map(({ real }) => real), ...paths.map(({ real }) => real ?? '/')];
}

function pathsIn(target: Target): readonly string[] {
  if (target.kind === 'path') return target.paths.map(({ real }) => real);
  return target.kind === 'command' ? target.commands.flatMap(writtenBy) : [];
}

interface DecisionData
  extends Pick<
    Action,
    'door' | 'tool' | 'type' | 'effect' | 'reach' | 'risk' | 'target' | 'binding' | 'fingerprint'
  > {
  readonly judged: string;
  readonly opinions?: readonly Opinion[];
  readonly seen?: {
    readonly now: number;
    readonly tool_known: boolean;
    readonly comes_again?: boolean;
    readonly carried?: Snapshot['carried'];
    readonly held?: boolean;
    readonly identity: IdentityFacts;
    readonly execution_calls: number;
    readonly windows: Readonly<Record<string, number>>;
  };
}

function reasonOf(judgement: Judgement): string {
  return judgement.outcome === 'allow'
    ? (judgement.opinions.find(({ says }) => says === 'allow')?.reason ?? 'a rule allows it')
    : judgement.reason;
}

/** A question that a person answered, with the action as it was judged. */
export interface Answer {
  readonly event: string;
  readonly action: Action;
  readonly isYes: boolean;
  readonly asks: readonly (Opinion & { readonly says: 'ask' })[];
}

/** Undefined: the event is no decision of a person, or cannot be read back. */
export function answerIn(event: AuditEvent): Answer | undefined {
  const { by, violation } = event.data;
  const isYes = by === 'person';
  if (!isYes && violation !== 'ApprovalDenied') return undefined;
  const recorded = readDecision(event);
  if (recorded === undefined) return undefined;
  const asks = recorded.opinions.filter((opinion) => opinion.says === 'ask');
  return { event: event.id, action: recorded.action, isYes, asks };
}
