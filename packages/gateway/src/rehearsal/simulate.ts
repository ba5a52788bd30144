import type { Action, Actor, AuditEvent, CommandFact, Judgement, Target } from '@sallyport/protocol';
import { type IdentityFacts, judge, type PolicySet, type Snapshot, shortJudgement } from '../gate/index.ts';
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
    const isOutcome = event.type === OUTCOME_EVENT && event.data.judged !== undefined;
    if (!isOutcome && !DECISION_EVENTS.has(event.type)) return undefined;
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
      what: describeTarget(recorded.action.target),
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

interface Recorded {
  readonly action: Action;
  readonly identity: IdentityFacts;
  readonly seen: Pick<Snapshot, 'now' | 'counters' | 'toolKnown' | 'comesAgain'>;
  readonly was: string;
}

/** Our own events, read back. INVARIANT: mirrors `gate/admit/judged-event.ts`. */
function readDecision(event: AuditEvent): Recorded | undefined {
  // The shape is checked where it matters; a stored event of our own type has these fields.
  const data = event.data as unknown as DecisionData;
  if (data.seen === undefined || data.target === undefined || data.opinions === undefined) return undefined;
  const { kind: _kind, ...actor } = event.actor as { readonly kind: string } & Actor;
  return {
    action: {
      id: event.action_id ?? '',
      door: data.door,
      actor,
      tool: data.tool,
      type: data.type,
      effect: data.effect,
      reach: data.reach,
      risk: data.risk,
      target: targetOfToday(data.target),
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
      counters: {
        executionCalls: data.seen.execution_calls,
        windows: new Map(Object.entries(data.seen.windows)),
      },
    },
    was: data.judged,
  };
}

/** A target as it is recorded today: earlier versions knew one host of a command, and kept it in `host`. */
function targetOfToday(target: Target): Target {
  if (target.kind !== 'command') return target;
  const commands = target.commands.map((command: CommandFact & { readonly host?: string }) => {
    const { host, ...fact } = command;
    return host === undefined ? fact : { ...fact, hosts: [{ host }] };
  });
  return { ...target, commands };
}

interface DecisionData
  extends Pick<
    Action,
    'door' | 'tool' | 'type' | 'effect' | 'reach' | 'risk' | 'target' | 'binding' | 'fingerprint'
  > {
  readonly judged: string;
  readonly opinions?: unknown;
  readonly seen?: {
    readonly now: number;
    readonly tool_known: boolean;
    readonly comes_again?: boolean;
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

function describeTarget(target: Target): string {
  switch (target.kind) {
    case 'http':
      return `${target.method} ${target.host}${target.path}`;
    case 'command':
      return target.commands.map(({ text }) => text).join(' ; ');
    case 'path':
      return target.paths.map(({ real }) => real).join(' ');
    case 'mcp':
      return `${target.server}/${target.tool}`;
    case 'address':
      return target.addresses.join(' ');
    case 'plain':
      return '';
  }
}
