import type { Action } from '@sallyport/protocol';
import { castOf } from './judge.ts';
import { checkCapability } from './layers/capability.ts';
import type { CompiledPolicy } from './policy/compiled-policy.ts';

/** How much an allowed call may take, beyond the limits that hold for every call. */
export interface CallLimits {
  readonly maxOutputBytes: number;
  readonly timeoutMs: number;
}

const NONE: CallLimits = {
  maxOutputBytes: Number.POSITIVE_INFINITY,
  timeoutMs: Number.POSITIVE_INFINITY,
};

/** What the capability that opens the call says, for each agent that it is judged for: the tightest counts. */
export function callLimits(policy: CompiledPolicy, action: Action): CallLimits {
  const { acting, parents } = castOf(action.actor, policy);
  if (parents.length === 0 && acting?.context?.capabilities === undefined) return NONE;
  let limits = NONE;
  for (const agent of [acting, ...parents]) {
    const capability = agent?.context?.capabilities?.find(
      (candidate) => candidate.tools.has(action.tool) && checkCapability(candidate, action) === undefined,
    );
    if (capability === undefined) continue;
    limits = {
      maxOutputBytes: Math.min(limits.maxOutputBytes, capability.maxOutputBytes ?? NONE.maxOutputBytes),
      timeoutMs: Math.min(limits.timeoutMs, capability.timeoutMs ?? NONE.timeoutMs),
    };
  }
  return limits;
}
