import { factsOfDoor, type Opinion } from '@sallyport/protocol';
import type { CompiledAgent } from '../policy/compiled-policy.ts';
import { type Cast, deny, type Layer, silent } from './layer.ts';

const SILENT = silent('visibility');

/** Layer 2: the tool is among the agent's tools, on no deny list, and some router knows it. */
export const visibilityLayer: Layer = ({ door, tool }, { toolKnown }, cast) => {
  const objection = factsOfDoor(door).namesTools ? objectionTo(tool, cast) : undefined;
  if (objection !== undefined) return objection;
  if (!toolKnown) return deny('visibility', 'ToolNotFound', `no router knows \`${tool}\``);
  return SILENT;
};

/** Why these agents may not see the tool, whatever they would do with it; undefined when they may. */
export function objectionTo(tool: string, { acting, parents }: Cast): Opinion | undefined {
  if (acting === undefined) return undefined;
  if (acting.tools !== undefined && !acting.tools.has(tool))
    return deny('visibility', 'ToolNotAllowed', `\`${tool}\` is not among the tools of \`${acting.name}\``);
  const denial = explicitDenial(acting, tool);
  if (denial !== undefined) return denial;
  for (const parent of parents) {
    const inherited = explicitDenial(parent, tool);
    if (inherited !== undefined) return inherited;
  }
  const covered = acting.context?.capabilities?.some((capability) => capability.tools.has(tool));
  if (covered !== false) return undefined;
  const reason = `no capability of the security context \`${acting.context?.name ?? ''}\` covers \`${tool}\``;
  return deny('visibility', 'ToolNotAllowed', reason);
}

function explicitDenial(agent: CompiledAgent, tool: string): Opinion | undefined {
  if (agent.disallowed.has(tool))
    return deny(
      'visibility',
      'ToolExplicitlyDenied',
      `\`${tool}\` is among the disallowed tools of \`${agent.name}\``,
    );
  if (agent.context?.denied.has(tool) === true)
    return deny(
      'visibility',
      'ToolExplicitlyDenied',
      `\`${tool}\` is on the deny list of the security context \`${agent.context.name}\``,
    );
  return undefined;
}
