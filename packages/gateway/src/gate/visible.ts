import type { Actor } from '@sallyport/protocol';
import type { CompiledPolicy } from './compiled-policy.ts';
import { castOf } from './judge.ts';
import { objectionTo } from './layers/visibility.ts';
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
