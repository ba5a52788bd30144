import type { Action, ErrorCode, Opinion, Target, TargetProblem } from '@sallyport/protocol';
import type { CompiledAgent } from '../compiled-policy.ts';
import { patternKindOf } from '../rules/patterns/tool-table.ts';
import { checkCapability } from './capability.ts';
import { checkClosedFolders } from './closed-folders.ts';
import { judgeHosts } from './host-boundary.ts';
import { leadsNowhere } from './hosts.ts';
import { deny, type Layer, silent } from './layer.ts';
import { refuseOwnCredential } from './own-credential.ts';
import { stricterOf } from './strictness.ts';
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
  const staysHere = leadsNowhere(action);
  const own = staysHere ? undefined : refuseOwnCredential(policy.network, action);
  if (own !== undefined) return own;
  if (tool === 'cmd.run' && policy.commandCeiling !== undefined) {
    if (target.kind !== 'command')
      return deny('boundary', 'CommandNotAllowed', '`cmd.run` names no command', policy.commandCeiling);
    const refusal = checkSubcommands(policy.commandCeiling, target);
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
  if (staysHere) return closed ?? SILENT;
  const hosts = judgeHosts(action, snapshot);
  return closed === undefined ? hosts : stricterOf(closed, hosts);
};

/** A fact that was found while building, and that no policy can allow. */
function refuseProblem({ code, message }: TargetProblem, { tool, target }: Action): Opinion {
  const isNamed = code !== 'MissingArgument' && code !== 'Malformed';
  return deny('boundary', isNamed ? code : codeOf(target.kind, tool), message);
}

/** The violation of a fact that is missing or malformed: that of what should have been there. */
function codeOf(kind: Target['kind'], tool: string): ErrorCode {
  switch (kind) {
    case 'command':
      return 'CommandNotAllowed';
    case 'http':
    case 'address':
      return 'DomainNotAllowed';
    case 'plain': {
      const wanted = patternKindOf(tool);
      if (wanted === 'command' || wanted === 'arguments') return 'CommandNotAllowed';
      return wanted === 'request' || wanted === 'address' ? 'DomainNotAllowed' : 'PathOutsideBoundary';
    }
    default:
      return 'PathOutsideBoundary';
  }
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
