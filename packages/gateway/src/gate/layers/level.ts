import type { Action, Opinion, Target } from '@sallyport/protocol';
import { parseHost } from '../../shared/host.ts';
import { hostsOf, lineOf, pathsOf, requestOf } from '../../targets/index.ts';
import type { ToolCategory } from '../../tools/index.ts';
import { RESTRICTED_COMMANDS } from '../policy/access-levels.ts';
import type { AccessLevel, CompiledAgent, CompiledPolicy } from '../policy/compiled-policy.ts';
import type { Snapshot } from '../policy/snapshot.ts';
import { categoryOf } from '../rules/patterns/tool-table.ts';
import { stricterOf } from '../rules/strictness.ts';
import { deedsOf, isInside } from './facts.ts';
import { ask, deny, type Layer, silent } from './layer.ts';
import { askNetwork } from './network.ts';

const SILENT = silent('level');

/** Layer 3: the access level's categories (for the agent that acts) and its six limits (for all in the chain). */
export const levelLayer: Layer = (action, snapshot, { acting, parents }) => {
  if (acting?.level === undefined && parents.length === 0) return SILENT;
  const category = categoryOf(action.tool);
  let result = SILENT;
  if (acting?.level !== undefined)
    result =
      checkCategory(acting, acting.level, category, action) ??
      limit(acting.level, category, action, snapshot);
  for (const { level } of parents)
    if (level !== undefined) result = stricterOf(result, limit(level, category, action, snapshot));
  return result;
};

function checkCategory(
  agent: CompiledAgent,
  level: AccessLevel,
  category: ToolCategory | undefined,
  { tool }: Action,
): Opinion | undefined {
  if (category === 'internal' || agent.tools?.has(tool) === true) return undefined;
  if (category !== undefined && level.categories.has(category)) return undefined;
  return exceeded(level, `\`${tool}\` is not in a category that the level reaches`);
}

/** First the limits that refuse, in a fixed order; then those that ask. */
function limit(
  level: AccessLevel,
  category: ToolCategory | undefined,
  action: Action,
  snapshot: Snapshot,
): Opinion {
  return (
    limitFiles(level, action.target, snapshot) ??
    limitCode(level, category, action) ??
    limitNetwork(level, action, snapshot.policy) ??
    limitGit(level, action) ??
    limitTerminal(level, category, action.target) ??
    limitDeployment(level, action) ??
    SILENT
  );
}

function limitFiles(level: AccessLevel, target: Target, { identity }: Snapshot): Opinion | undefined {
  if (level.fileSystem === 'full') return undefined;
  const paths = pathsOf(target);
  if (paths.length === 0) return undefined;
  const { workspace, project } = identity.kind === 'session' ? identity : {};
  const folder = level.fileSystem === 'workspace_only' ? workspace : (project ?? workspace);
  if (folder === undefined) return exceeded(level, 'the workspace of this session is not known');
  const outside = paths.find((path) => !isInside(path.real, folder));
  if (outside === undefined) return undefined;
  return exceeded(level, `\`${outside.given}\` leads outside \`${folder}\``);
}

function limitCode(
  level: AccessLevel,
  category: ToolCategory | undefined,
  { actor, tool, target }: Action,
): Opinion | undefined {
  if (level.codeExecution === 'full') return undefined;
  if (category !== 'code_execution' && !runsCode(target)) return undefined;
  if (level.codeExecution === 'none') return exceeded(level, `\`${tool}\` runs code`);
  return actor.confinement === 'jailed'
    ? undefined
    : exceeded(level, `\`${tool}\` runs code, and this session is not jailed`);
}

/** A command that starts a program which nobody knows, or a line that cannot be read: either may run anything. */
function runsCode(target: Target): boolean {
  if (target.named?.some((argument) => runsCode(argument.target)) === true) return true;
  const line = lineOf(target);
  if (line === undefined) return false;
  return (
    line.unknown !== undefined ||
    line.commands.some((fact) => fact.runsCode === true || fact.unknown !== undefined)
  );
}

function limitNetwork(level: AccessLevel, action: Action, policy: CompiledPolicy): Opinion | undefined {
  if (level.network === 'open') return undefined;
  for (const deed of deedsOf(action)) {
    if (deed.reach !== 'remote') continue;
    if (level.network === 'none') return exceeded(level, 'it reaches outside');
    // A command that names none goes where nobody knows, or where its own settings say.
    if ('program' in deed && (deed.hosts ?? []).length === 0)
      return exceeded(level, 'it reaches a host that cannot be known');
  }
  if (action.reach !== 'remote') return undefined;
  const { named, unknown } = hostsOf(action);
  if (named.length === 0 || unknown.length > 0)
    return exceeded(level, 'it reaches a host that cannot be known');
  for (const { host, request } of named) {
    const parsed = parseHost(host);
    if (parsed === undefined) return exceeded(level, 'it reaches a host that cannot be known');
    const answer = askNetwork(policy.network, parsed.text, request);
    if (!answer.named || answer.action !== 'allow')
      return exceeded(level, `no network rule allows \`${parsed.text}\` by name`);
  }
  return undefined;
}

function limitGit(level: AccessLevel, action: Action): Opinion | undefined {
  if (level.git === 'full') return undefined;
  const request = requestOf(action.target);
  for (const deed of deedsOf(action)) {
    const repo = 'program' in deed ? deed.repo : request?.repo;
    const remoteWrite = deed.reach === 'remote' && deed.effect === 'write';
    if (deed.type === 'vcs:push' || (remoteWrite && (repo !== undefined || deed.type.startsWith('vcs:'))))
      return exceeded(level, 'it changes a remote repository');
    if (level.git === 'local_only' && deed.type.startsWith('vcs:') && deed.reach === 'remote')
      return exceeded(level, 'it talks to a remote repository');
  }
  return undefined;
}

function limitTerminal(
  level: AccessLevel,
  category: ToolCategory | undefined,
  target: Target,
): Opinion | undefined {
  if (category !== 'terminal' || level.terminal === 'full') return undefined;
  if (level.terminal === 'none') return exceeded(level, 'it is a command');
  const line = lineOf(target);
  if (line === undefined) return undefined;
  if (line.unknown !== undefined || line.commands.length === 0)
    return exceeded(level, 'the command cannot be read');
  const other = line.commands.find(
    (fact) => fact.unknown !== undefined || !RESTRICTED_COMMANDS.has(fact.program),
  );
  return other === undefined
    ? undefined
    : exceeded(level, `\`${other.program}\` is not among the restricted commands`);
}

function limitDeployment(level: AccessLevel, action: Action): Opinion | undefined {
  let result: Opinion | undefined;
  for (const { type } of deedsOf(action)) {
    if (type.startsWith('deploy:') && !level.deployment) {
      if (!level.approval.has('deployment')) return exceeded(level, 'it deploys');
      result = ask('level', 'human', `the level \`${level.name}\` wants a person for a deployment`, level);
    }
    if ((type === 'db:mutate' || type === 'db:admin') && level.approval.has('database_write'))
      result = ask('level', 'human', `the level \`${level.name}\` wants a person for database writes`, level);
  }
  return result;
}

function exceeded(level: AccessLevel, why: string): Opinion {
  const about = level.description === '' ? '' : ` (${level.description})`;
  return deny('level', 'AccessLevelExceeded', `${why}; the level is \`${level.name}\`${about}`, level);
}
