import type { Actor } from '@sallyport/protocol';
import type { CompiledPolicy } from './compiled-policy.ts';
import { castOf } from './judge.ts';
import { objectionTo } from './layers/visibility.ts';

/**
 * Whether a list of tools may show this one to the actor: the very words of the visibility layer, so that what is
 * hidden is what would be refused. An agent that the policy does not have sees nothing.
 */
export function isVisible(policy: CompiledPolicy, actor: Actor, tool: string): boolean {
  const cast = castOf(actor, policy);
  // SECURITY: nobody is not everybody [TO-1].
  return cast.acting !== undefined && objectionTo(tool, cast) === undefined;
}
