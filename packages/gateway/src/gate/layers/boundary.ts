import type { Action, Opinion, TargetProblem } from '@sallyport/protocol';
import { factsOf, lineOf, staysHere } from '../../targets/index.ts';
import type { CompiledAgent } from '../policy/compiled-policy.ts';
import { stricterOf } from '../rules/strictness.ts';
import { checkCapability } from './capability.ts';
import { checkClosedFolders } from './closed-folders.ts';
import { judgeHosts } from './host-boundary.ts';
import { deny, type Layer, silent } from './layer.ts';
import { refuseOwnCredential } from './own-credential.ts';
import { askAboutReads } from './read-budget.ts';
import { checkSubcommands } from './subcommand.ts';

const SILENT = silent('boundary');

/** Layer 5: path, network and domain, account, command and subcommand. */
export const boundaryLayer: Layer = (action, snapshot, { acting, parents }) => {
  const { policy } = snapshot;
  const { target, tool } = action;
  if (target.problem !== undefined) return refuseProblem(target.problem, action);
  const closed =
    policy.closedFolders.length > 0 ? checkClosedFolders(policy.closedFolders, action) : undefined;
  if (closed?.says === 'deny') return closed;
  const isLocal = staysHere(action);
  const own = isLocal ? undefined : refuseOwnCredential(policy.network, action);
  if (own !== undefined) return own;
  if (tool === 'cmd.run' && policy.commandCeiling !== undefined) {
    const line = lineOf(target);
    if (line === undefined)
      return deny('boundary', 'CommandNotAllowed', '`cmd.run` names no command', policy.commandCeiling);
    const refusal = checkSubcommands(policy.commandCeiling, line);
    if (refusal !== undefined) return refusal;
  }
  if (acting?.context !== undefined) {
    const refusal = checkContext(acting, action);
    if (refusal !== undefined) return refusal;
  }
  for (const parent of parents) {
    const refusal = checkContext(parent, action);
    if (refusal !== undefined) return refusal;
  }
  if (isLocal) return closed ?? SILENT;
  let hosts = judgeHosts(action, snapshot);
  const { carried } = snapshot;
  const told = carried === undefined ? undefined : askAboutReads(policy.network, carried);
  if (told !== undefined) hosts = stricterOf(hosts, told);
  return closed === undefined ? hosts : stricterOf(closed, hosts);
};

/** A fact that was found while building, and that no policy can allow. */
function refuseProblem({ code, message }: TargetProblem, { tool, target }: Action): Opinion {
  const isNamed = code !== 'MissingArgument' && code !== 'Malformed';
  return deny('boundary', isNamed ? code : factsOf(target).missing(tool), message);
}

/** Capabilities are what may be done: one that holds for the call is enough, and none that covers it is silence. */
function checkContext({ context }: CompiledAgent, action: Action): Opinion | undefined {
  if (context?.capabilities === undefined) return undefined;
  let refusal: Opinion | undefined;
  for (const capability of context.capabilities) {
    if (!capability.tools.has(action.tool)) continue;
    const found = checkCapability(capability, action);
    if (found === undefined) return undefined;
    refusal ??= found;
  }
  return refusal;
}
