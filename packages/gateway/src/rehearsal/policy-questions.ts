import {
  type AuditEvent,
  type ExplainQuestion,
  type ExplanationWire,
  type RuleWire,
  SallyportError,
  type SimulationWire,
  type StatsWire,
  type SuggestionWire,
} from '@sallyport/protocol';
import type { CreateBuilder, ProviderEntry } from '../actions/index.ts';
import type { Redactor, Trail } from '../audit/index.ts';
import { findAgent } from '../config/index.ts';
import { askedOf, describeGrant, doesOf, type Grants, type PolicySet } from '../gate/index.ts';
import { Attention } from './attention.ts';
import type { ConfigEdits } from './config-edits.ts';
import { Rehearsal, type RehearsalQuestion } from './rehearse.ts';
import { Simulation } from './simulate.ts';
import { findSuggestions } from './suggestions.ts';

const DIFFERENCES_AT_MOST = 1000;

export interface PolicyQuestionsParts {
  /** the policies in force now */
  readonly policies: () => PolicySet;
  /** the policies of another config file; throws `ConfigInvalid` */
  readonly loadPolicies: (file: string) => PolicySet;
  /** the config file, with what is tried and written in it; absent where there is no trail to learn from */
  readonly edits?: ConfigEdits;
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
export class PolicyQuestions {
  readonly #parts: PolicyQuestionsParts;

  constructor(parts: PolicyQuestionsParts) {
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
    const { action, judgement, explanation, models } = rehearsal.ask(definedOnly(question));
    const { tenant, agent = '' } = action.actor;
    const about = findAgent(policies().loaded.config, tenant, agent)?.description;
    const mayBeAnswered = explanation.outcome === 'ask' && explanation.strength !== 'each-time';
    const answers = mayBeAnswered ? await grants.wouldAnswer(askedOf(action, judgement)) : [];
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
        does: doesOf(action) ?? null,
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

  /** How often people were asked, and what they said. */
  async stats(period: Period): Promise<StatsWire> {
    const attention = new Attention();
    for await (const event of this.#events(period)) attention.add(event);
    return attention.summary;
  }

  /** Settings that would have answered what people always allowed, each proved over the same time. */
  async suggest(period: Period): Promise<readonly SuggestionWire[]> {
    const { edits } = this.#parts;
    if (edits === undefined) return [];
    const found = await findSuggestions(
      () => this.#events(period),
      (wanted) => edits.tried(wanted),
    );
    return found.map((suggestion) => ({ ...suggestion.wire, ...edits.shown(suggestion.edits) }));
  }

  /** Writes suggestions into the config, as `suggest` showed them. Throws `NotFound` when one is none any more. */
  async apply(ids: readonly string[], period: Period): Promise<readonly SuggestionWire[]> {
    const { edits } = this.#parts;
    const found =
      edits === undefined
        ? []
        : await findSuggestions(
            () => this.#events(period),
            (wanted) => edits.tried(wanted),
          );
    const wanted = ids.map((id) => {
      const suggestion = found.find(({ wire }) => wire.id === id);
      if (suggestion === undefined)
        throw new SallyportError('NotFound', { message: `there is no suggestion \`${id}\` any more` });
      return suggestion;
    });
    const shown = edits?.write(wanted.flatMap((suggestion) => suggestion.edits));
    return wanted.map(({ wire }) => ({ ...wire, ...(shown ?? { file: '', diff: [] }) }));
  }

  async *#events({ since, until, tenant }: Period): AsyncGenerator<AuditEvent> {
    // Only our own writer fills the trail; verifying it is `audit verify`.
    for await (const json of this.#parts.trail.export({ since, until, tenant }))
      yield JSON.parse(json) as AuditEvent;
  }

  /** Judges what the trail holds again, under the config in `policy`. */
  async simulate(request: Period & { readonly policy: string }): Promise<SimulationWire> {
    const simulation = new Simulation(this.#parts.loadPolicies(request.policy));
    const differences: SimulationWire['differences'] = [];
    let truncated = false;
    for await (const event of this.#events(request)) {
      const difference = simulation.replay(event);
      if (difference === undefined) continue;
      if (differences.length < DIFFERENCES_AT_MOST) differences.push(difference);
      else truncated = true;
    }
    return { ...simulation.summary, differences, truncated };
  }
}

/** Which part of the trail is looked at. */
export interface Period {
  readonly since?: number;
  readonly until?: number;
  readonly tenant?: string;
}

function definedOnly(question: ExplainQuestion): RehearsalQuestion {
  const entries = Object.entries(question).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as unknown as RehearsalQuestion;
}
