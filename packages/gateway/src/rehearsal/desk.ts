import type {
  AuditEvent,
  ExplainQuestion,
  ExplanationWire,
  RuleWire,
  SimulationWire,
} from '@sallyport/protocol';
import type { CreateBuilder, ProviderEntry } from '../actions/index.ts';
import type { Redactor, Trail } from '../audit/index.ts';
import { findAgent } from '../config/index.ts';
import { describeGrant, type Grants, type PolicySet } from '../gate/index.ts';
import { Rehearsal, type RehearsalQuestion } from './rehearse.ts';
import { Simulation } from './simulate.ts';

const DIFFERENCES_AT_MOST = 1000;

export interface DeskParts {
  /** the policies in force now */
  readonly policies: () => PolicySet;
  /** the policies of another config file; throws `ConfigInvalid` */
  readonly loadPolicies: (file: string) => PolicySet;
  readonly loadBuilders: () => Promise<CreateBuilder>;
  readonly telemetry: readonly string[];
  readonly registries: () => readonly ProviderEntry[];
  readonly trail: Pick<Trail, 'export'>;
  readonly grants: Pick<Grants, 'wouldAnswer'>;
  readonly redactor: Pick<Redactor, 'redactText'>;
  readonly cwd: string;
  readonly home: string;
}

/** Where people ask about policies: nothing here decides or changes anything. */
export class PolicyDesk {
  readonly #parts: DeskParts;

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  async explain(question: ExplainQuestion): Promise<ExplanationWire> {
    const { policies, loadBuilders, telemetry, registries, cwd, home, grants, redactor } = this.#parts;
    const rehearsal = new Rehearsal({
      policies: policies(),
      createBuilder: await loadBuilders(),
      telemetry,
      registries: registries(),
      cwd,
      home,
    });
    const { action, explanation, models } = rehearsal.ask(definedOnly(question));
    const { tenant, agent = '' } = action.actor;
    const about = findAgent(policies().loaded.config, tenant, agent)?.description;
    const mayBeAnswered = explanation.outcome === 'ask' && explanation.strength !== 'each-time';
    const answers = mayBeAnswered ? await grants.wouldAnswer(action) : [];
    return {
      ...explanation,
      layers: [...explanation.layers],
      change: [...explanation.change],
      models: [...models],
      grants: answers.map((grant) => ({ id: grant.id, covers: describeGrant(grant) })),
      action: {
        tool: action.tool,
        type: action.type,
        effect: action.effect,
        reach: action.reach,
        risk: action.risk,
        agent: action.actor.agent ?? '',
        ...(about === undefined ? {} : { about: redactor.redactText(about) }),
        confinement: action.actor.confinement,
      },
    };
  }

  /** Every rule in force for one tenant, list by list. */
  rules(tenant: string): readonly RuleWire[] {
    const set = this.#parts.policies();
    const { config } = set.loaded;
    const own = Object.hasOwn(config.tenants, tenant) ? config.tenants[tenant] : undefined;
    const lists: (readonly [readonly string[], readonly string[]])[] = [
      [['permissions'], config.permissions],
      [['tenants', tenant, 'permissions'], own?.permissions ?? []],
    ];
    for (const [name, agent] of Object.entries(config.agents)) {
      if (own?.agents[name] === undefined) lists.push([['agents', name, 'permissions'], agent.permissions]);
    }
    for (const [name, agent] of Object.entries(own?.agents ?? {})) {
      lists.push([['tenants', tenant, 'agents', name, 'permissions'], agent.permissions]);
    }
    return lists.flatMap(([path, rules]) =>
      rules.map((rule, order) => {
        const at = set.loaded.at([...path, order]);
        return { list: path.join('.'), order: order + 1, rule, ...(at === undefined ? {} : { at }) };
      }),
    );
  }

  /** Judges what the trail holds again, under the config in `policy`. */
  async simulate(request: {
    readonly policy: string;
    readonly since?: number;
    readonly until?: number;
    readonly tenant?: string;
  }): Promise<SimulationWire> {
    const simulation = new Simulation(this.#parts.loadPolicies(request.policy));
    const differences: SimulationWire['differences'] = [];
    let truncated = false;
    const { since, until, tenant } = request;
    for await (const json of this.#parts.trail.export({ since, until, tenant })) {
      // Only our own writer fills the trail; verifying it is `audit verify`.
      const difference = simulation.replay(JSON.parse(json) as AuditEvent);
      if (difference === undefined) continue;
      if (differences.length < DIFFERENCES_AT_MOST) differences.push(difference);
      else truncated = true;
    }
    return { ...simulation.summary, differences, truncated };
  }
}

function definedOnly(question: ExplainQuestion): RehearsalQuestion {
  const entries = Object.entries(question).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as unknown as RehearsalQuestion;
}
