import { type Action, type Confinement, type Judgement, SallyportError } from '@sallyport/protocol';
import type { ActionBuilder, CreateBuilder, ProviderEntry } from '../actions/index.ts';
import {
  argumentTargets,
  type Explanation,
  explainJudgement,
  type IdentityFacts,
  judge,
  type PolicySet,
  type Snapshot,
} from '../gate/index.ts';
import { readRemotes } from '../shared/git-remotes.ts';
import { didYouMean } from '../shared/suggest.ts';
import { isKnownTool } from '../tools/index.ts';
import { modelNotes, withHonestAdvice } from './advice.ts';
import { buildQuestion, type Question } from './question.ts';
import { withSettings } from './setting-behind.ts';

/** What somebody wants to know, with everything optional that has a default. */
export interface RehearsalQuestion {
  readonly form: Question['form'];
  readonly text: string;
  readonly tenant?: string;
  readonly agent?: string;
  readonly user?: string;
  readonly confinement?: Confinement;
  readonly cwd?: string;
  readonly credential?: string;
  /** what the remotes of the workspace name: `github.com/acme/app`; those of `cwd` when absent */
  readonly repositories?: readonly string[];
}

export interface Rehearsed {
  readonly action: Action;
  readonly judgement: Judgement;
  readonly explanation: Explanation;
  /** what models may still say */
  readonly models: readonly string[];
}

export interface RehearsalParts {
  readonly policies: PolicySet;
  readonly createBuilder: CreateBuilder;
  readonly telemetry: readonly string[];
  /** package registries of this host, as providers */
  readonly registries: readonly ProviderEntry[];
  /** working folder and home of the imagined agent */
  readonly cwd: string;
  readonly home: string;
}

/** Puts questions to the gate as if a live session with all its rights had asked. Nothing is carried out. */
export class Rehearsal {
  readonly #parts: RehearsalParts;
  readonly #builders = new Map<string, ActionBuilder>();

  constructor(parts: RehearsalParts) {
    this.#parts = parts;
  }

  ask(question: RehearsalQuestion): Rehearsed {
    const { policies, cwd, home } = this.#parts;
    const tenant = question.tenant ?? 'default';
    const policy = policies.policyOf(tenant);
    const people = policies.tenantOf(tenant);
    if (policy === undefined || people === undefined)
      throw unknownName('tenant', tenant, Object.keys(policies.loaded.config.tenants));
    const agent = question.agent ?? people.default_agent;
    if (agent === undefined || !people.agents.has(agent))
      throw unknownName('agent', agent ?? '', people.agents);
    const user = question.user ?? people.default_user;
    const action = buildQuestion(
      {
        form: question.form,
        text: question.text,
        tenant,
        agent,
        user,
        confinement: question.confinement ?? 'jailed',
        cwd: question.cwd ?? cwd,
        home,
        ...(question.credential === undefined ? {} : { credential: question.credential }),
      },
      this.#builder(tenant),
    );
    const workspace = question.cwd ?? cwd;
    const identity: IdentityFacts = {
      kind: 'session',
      alive: true,
      expiresAt: Number.MAX_SAFE_INTEGER,
      rights: policies.rightsOf(action),
      workspace,
      project: workspace,
      repositories: question.repositories ?? readRemotes(workspace),
    };
    const snapshot: Snapshot = {
      now: 0,
      policy,
      identity,
      counters: { executionCalls: 0, windows: new Map() },
      machine: configuredMachine(policies),
      comesAgain: false,
      toolKnown: isKnownTool(action.tool) || action.tool.startsWith('mcp:'),
    };
    const judgement = judge(action, snapshot);
    const explanation = explainJudgement(judgement, action);
    const layers = withSettings(explanation.layers, action, policies);
    const models = modelNotes(judgement, action, policies);
    return { action, judgement, explanation: withHonestAdvice({ ...explanation, layers }, action), models };
  }

  #builder(tenant: string): ActionBuilder {
    let builder = this.#builders.get(tenant);
    if (builder === undefined) {
      const { policies, createBuilder, telemetry, registries } = this.#parts;
      const policy = policies.policyOf(tenant);
      builder = createBuilder({
        providers: policy?.providers ?? [],
        targetsOf: (actor, tool) => argumentTargets(policy, actor, tool),
        registries,
        telemetry,
      });
      this.#builders.set(tenant, builder);
    }
    return builder;
  }
}

/** The machine as the config describes it: its gateway listens where it says. */
export function configuredMachine({ loaded }: PolicySet): Snapshot['machine'] {
  return { ownPorts: new Set(Object.values(loaded.config.api.ports)), machine: new Set() };
}

function unknownName(kind: string, name: string, known: Iterable<string>): SallyportError {
  const hint = didYouMean(name, known) ?? `the config has: ${[...known].join(', ')}`;
  return new SallyportError('BadRequest', { message: `there is no ${kind} \`${name}\``, hint });
}
