import {
  type ActionBuilder,
  type CreateBuilder,
  createHttpBuilder,
  type HttpActionBuilder,
  loadActionBuilders,
} from '../actions/index.ts';
import type { Logger, Redactor } from '../audit/index.ts';
import { loadConfig, type Variables } from '../config/index.ts';
import {
  argumentTargets,
  type ClientRules,
  createClientRules,
  Grants,
  type PolicySet,
} from '../gate/index.ts';
import type { ConfigInForce, GroundServices } from '../ground/index.ts';
import { ConfigEdits, PolicyQuestions } from '../rehearsal/index.ts';
import type { Clock } from '../shared/clock.ts';
import { GrantsRepository } from '../store/index.ts';
import type { PolicyParts } from './policy-parts.ts';

const FLUSH_USES_MS = 10_000;

/** The gate's side of the process: what is in force, who was granted what, and where people ask about it. */
export interface GateServices {
  /** the policies of the config of this moment */
  policies(): PolicySet;
  readonly grants: Grants;
  /** permanent allows of API clients, each client's own alone */
  readonly clientRules: ClientRules;
  readonly policyQuestions: PolicyQuestions;
  /** Reads tool calls of a tenant as its policy of this moment says. The first one waits for the shell parser. */
  builderFor(tenant: string): ActionBuilder | Promise<ActionBuilder>;
  /** Reads requests of a tenant as its policy of this moment says. */
  httpBuilderFor(tenant: string): HttpActionBuilder;
}

export interface GateServicesOptions {
  readonly parts: PolicyParts;
  readonly config: ConfigInForce;
  readonly ground: GroundServices;
  readonly clock: Clock;
  readonly env: Variables;
  readonly redactor: Redactor;
  readonly log: Logger;
  readonly onClose: (close: () => Promise<void>) => void;
}

export function openGateServices(options: GateServicesOptions): GateServices {
  const { parts, config, ground, clock, env, log, onClose } = options;
  let compiled: PolicySet | undefined;
  const policies = (): PolicySet => {
    if (compiled?.loaded !== config.current) compiled = parts.compile(config.current);
    return compiled;
  };
  const grants = new Grants({
    repository: new GrantsRepository(ground.store),
    trail: ground.trail,
    clock,
    allowAlways: (tenant) => policies().policyOf(tenant)?.grants.allowAlways ?? false,
  });
  // A count that cannot be written now is written later: it must not take the gateway down.
  const flush = (): Promise<void> =>
    grants
      .flushUses()
      .catch((error: unknown) => log.warn({ err: error }, 'uses of grants could not be counted'));
  const flushing = setInterval(() => void flush(), FLUSH_USES_MS).unref();
  onClose(async () => {
    clearInterval(flushing);
    await flush();
  });

  // The shell parser is a megabyte of wasm: loaded when somebody first asks, once.
  let builders: Promise<CreateBuilder> | undefined;
  const loadBuilders = (): Promise<CreateBuilder> => {
    builders ??= loadActionBuilders();
    return builders;
  };
  const policyQuestions = new PolicyQuestions({
    policies,
    loadPolicies: (file) => parts.compile(loadConfig({ file, env, checks: [parts.check] })),
    edits: new ConfigEdits({
      loaded: () => config.current,
      load: (file, texts) => parts.compile(loadConfig({ file, env, checks: [parts.check], texts })),
    }),
    loadBuilders,
    telemetry: parts.telemetry,
    registries: parts.registries,
    trail: ground.trail,
    grants,
    redactor: options.redactor,
    cwd: '/',
    home: parts.home,
  });
  return {
    ...{ policies, grants, policyQuestions },
    clientRules: createClientRules(grants),
    builderFor: createBuilders(loadBuilders, policies, parts),
    httpBuilderFor: httpBuilders(policies, parts),
  };
}

/** Builders by tenant, as long as the policies are the same. */
function createBuilders(
  load: () => Promise<CreateBuilder>,
  policies: () => PolicySet,
  parts: Pick<PolicyParts, 'telemetry' | 'registries'>,
): GateServices['builderFor'] {
  let create: CreateBuilder | undefined;
  let current: PolicySet | undefined;
  let builders = new Map<string, ActionBuilder>();
  const make = (createBuilder: CreateBuilder, tenant: string): ActionBuilder => {
    const now = policies();
    if (now !== current) {
      current = now;
      builders = new Map();
    }
    const known = builders.get(tenant);
    if (known !== undefined) return known;
    const { telemetry } = parts;
    const policy = now.policyOf(tenant);
    const made = createBuilder({
      providers: policy?.providers ?? [],
      targetsOf: (actor, tool) => argumentTargets(policy, actor, tool),
      registries: parts.registries(),
      telemetry,
    });
    builders.set(tenant, made);
    return made;
  };
  return (tenant) => {
    if (create !== undefined) return make(create, tenant);
    return load().then((loaded) => {
      create = loaded;
      return make(loaded, tenant);
    });
  };
}

/** Builders by tenant, as long as the policies are the same. */
function httpBuilders(policies: () => PolicySet, parts: PolicyParts): (tenant: string) => HttpActionBuilder {
  let current: PolicySet | undefined;
  let builders = new Map<string, HttpActionBuilder>();
  return (tenant) => {
    const now = policies();
    if (now !== current) {
      current = now;
      builders = new Map();
    }
    let builder = builders.get(tenant);
    if (builder === undefined) {
      const providers = now.policyOf(tenant)?.providers ?? [];
      builder = createHttpBuilder({
        ...{ providers, registries: parts.registries(), telemetry: parts.telemetry },
      });
      builders.set(tenant, builder);
    }
    return builder;
  };
}
