import type { GatekeeperConfig } from '../sections/gatekeeper.ts';
import type { AgentConfig, Config } from '../sections/schema.ts';
import type { ConfigPath, ConfigProblem } from './config-check.ts';

/** Every tool validation has a model that can be asked: without one it would refuse every call. */
export function checkGatekeeper(config: Config): readonly ConfigProblem[] {
  const tenants = Object.entries(config.tenants);
  const inForce = tenants.map(([, { gatekeeper }]) => gatekeeper ?? config.gatekeeper);
  const shared = inForce.length === 0 ? [config.gatekeeper] : inForce;
  return [
    ...checkAgents(config.agents, ['agents'], shared),
    ...tenants.flatMap(([name, { agents, gatekeeper }]) =>
      checkAgents(agents, ['tenants', name, 'agents'], [gatekeeper ?? config.gatekeeper]),
    ),
  ];
}

function checkAgents(
  agents: Readonly<Record<string, AgentConfig>>,
  at: ConfigPath,
  gatekeepers: readonly (GatekeeperConfig | undefined)[],
): readonly ConfigProblem[] {
  return Object.entries(agents).flatMap(([agent, { execution }]) =>
    Object.entries(execution?.tool_validation ?? {}).flatMap(([tool, { model }]) => {
      const path = [...at, agent, 'execution', 'tool_validation', tool];
      if (gatekeepers.some((gatekeeper) => gatekeeper === undefined))
        return [problem(path, `no model checks \`${tool}\``, 'add a `gatekeeper` with its `model`')];
      const other = gatekeepers.find(
        (gatekeeper) => model !== undefined && providerOf(gatekeeper?.model ?? '') !== providerOf(model),
      );
      if (other === undefined || model === undefined) return [];
      return [
        problem(
          [...path, 'model'],
          `\`${model}\` is not a model of the provider of \`gatekeeper\``,
          `\`gatekeeper\` says where models are and has the key: use one of \`${providerOf(other.model)}\``,
        ),
      ];
    }),
  );
}

function providerOf(model: string): string {
  return model.slice(0, model.indexOf(':'));
}

function problem(path: ConfigPath, message: string, hint: string): ConfigProblem {
  return { severity: 'error', path, message, hint };
}
