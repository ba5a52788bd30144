import type { Actor, ArgumentTarget } from '@sallyport/protocol';
import type { CompiledPolicy } from './compiled-policy.ts';
import { castOf } from './judge.ts';

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
