import type { Actor, ArgumentTarget } from '@sallyport/protocol';
import { castOf } from './judge.ts';
import { objectionTo } from './layers/visibility.ts';
import type { CompiledPolicy } from './policy/compiled-policy.ts';
import { deniesTool } from './rules/denies-tool.ts';

/**
 * Whether a list of tools may show this one to the actor: the very words of the visibility layer, and no list of rules
 * that denies each of its calls, so that what is hidden is what would be refused. An agent that the policy does not have
 * sees nothing.
 */
export function isVisible(policy: CompiledPolicy, actor: Actor, tool: string): boolean {
  const cast = castOf(actor, policy);
  // SECURITY: nobody is not everybody [TO-1].
  if (cast.acting === undefined || objectionTo(tool, cast) !== undefined) return false;
  const lists = [...policy.rules, cast.acting.rules, ...cast.parents.map(({ rules }) => rules)];
  return !lists.some((list) => list !== undefined && deniesTool(list, tool));
}

const NONE: readonly ArgumentTarget[] = [];

/** The arguments of a tool that the capabilities of an actor's agents name: facts that an action must have to be judged. */
export function argumentTargets(
  policy: CompiledPolicy | undefined,
  actor: Actor,
  tool: string,
): readonly ArgumentTarget[] {
  if (policy === undefined) return NONE;
  const { acting, parents } = castOf(actor, policy);
  if (parents.length === 0 && acting?.context?.capabilities === undefined) return NONE;
  let found = NONE;
  for (const agent of [acting, ...parents]) {
    for (const { tools, target } of agent?.context?.capabilities ?? []) {
      if (target === undefined || target === 'none' || !tools.has(tool)) continue;
      if (found.some(({ arg, kind }) => arg === target.arg && kind === target.kind)) continue;
      found = [...found, target];
    }
  }
  return found;
}
