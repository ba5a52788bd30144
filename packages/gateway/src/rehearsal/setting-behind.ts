import type { Action, Opinion } from '@sallyport/protocol';
import type { ConfigPath } from '../config/index.ts';
import type { Explanation, PolicySet } from '../gate/index.ts';
import { assertNever } from '../shared/assert-never.ts';
import { compileGlob } from '../shared/glob.ts';
import { foldedRef } from '../shared/ref-name.ts';
import { factsOf } from '../targets/index.ts';

type Layer = Explanation['layers'][number];

interface Setting {
  readonly path: ConfigPath;
  readonly rule: string;
}

const BRANCH = 'refs/heads/';

/** Names the setting, with its place, behind every opinion that quotes none: people want to know what to edit. */
export function withSettings(
  layers: readonly Layer[],
  action: Action,
  policies: PolicySet,
): readonly Layer[] {
  return layers.map((layer) => {
    if (layer.layer === 'mode' && layer.says === 'nothing') return withException(layer, action, policies);
    if (layer.says === 'nothing' || layer.rule !== undefined) return layer;
    const setting = settingBehind(layer, action, policies);
    if (setting === undefined) return layer;
    const at = policies.loaded.at(setting.path);
    return { ...layer, rule: setting.rule, ...(at === undefined ? {} : { at }) };
  });
}

/** The mode is silent about a remote write only where an exception covers it. */
function withException(layer: Layer, { effect, reach, actor }: Action, policies: PolicySet): Layer {
  if (effect !== 'write' || reach !== 'remote') return layer;
  const at = policies.loaded.at(['tenants', actor.tenant, 'exceptions']);
  const reason = 'an exception covers this remote write';
  return { ...layer, reason, rule: 'exceptions', ...(at === undefined ? {} : { at }) };
}

function settingBehind(layer: Layer, action: Action, policies: PolicySet): Setting | undefined {
  switch (layer.layer) {
    case 'identity':
      return rolesOf(action);
    case 'visibility':
      return toolList(action, policies, layer.says === 'deny' ? layer.violation : undefined);
    case 'mode':
      return layer.strength === 'each-time' ? protectedBranch(action, policies) : modeOf(action, policies);
    case 'level':
    case 'rate':
    case 'boundary':
    case 'rules':
    case 'autonomy':
      return undefined;
    default:
      return assertNever(layer.layer);
  }
}

function rolesOf({ actor: { tenant, user } }: Action): Setting | undefined {
  if (user === undefined) return undefined;
  return { path: ['tenants', tenant, 'users', user, 'roles'], rule: `users.${user}.roles` };
}

function toolList(
  { actor, tool }: Action,
  policies: PolicySet,
  violation: Extract<Opinion, { says: 'deny' }>['violation'] | undefined,
): Setting | undefined {
  const name = actor.agent ?? '';
  const agent = policies.policyOf(actor.tenant)?.agents.get(name);
  if (agent === undefined || violation === 'ToolNotFound') return undefined;
  const own = policies.loaded.config.tenants[actor.tenant]?.agents[name] !== undefined;
  const path = own ? ['tenants', actor.tenant, 'agents', name] : ['agents', name];
  const isHidden = agent.tools?.has(tool) === false;
  const key =
    agent.disallowed.has(tool) && !isHidden ? 'disallowed_tools' : isHidden ? 'tools' : 'security_context';
  return { path: [...path, key], rule: `${path.join('.')}.${key}` };
}

function modeOf({ actor: { tenant } }: Action, policies: PolicySet): Setting | undefined {
  const mode = policies.policyOf(tenant)?.mode.mode;
  return mode === undefined ? undefined : { path: ['tenants', tenant, 'mode'], rule: `mode: ${mode}` };
}

/** What is overwritten, deleted or unknown asks by itself; only then comes a setting: the pattern of the branch. */
function protectedBranch(action: Action, policies: PolicySet): Setting | undefined {
  const { tenant } = action.actor;
  const patterns = policies.loaded.config.tenants[tenant]?.branches.protected ?? [];
  for (const { ref, change } of refsOf(action)) {
    if (change !== 'create' && change !== 'update') return undefined;
    const branch = ref.startsWith(BRANCH) ? ref.slice(BRANCH.length) : ref;
    const index = patterns.findIndex((pattern) =>
      compileGlob(pattern.toLowerCase(), 'command').matches(foldedRef(branch)),
    );
    if (index >= 0) {
      const path = ['tenants', tenant, 'branches', 'protected', index];
      return { path, rule: `branches.protected: ${patterns[index]}` };
    }
  }
  return undefined;
}

function refsOf({ target }: Action) {
  return factsOf(target)
    .repositories(target)
    .flatMap(({ refs }) => refs);
}
