import type { Action } from '@sallyport/protocol';
import type { CompiledAgent, CompiledPolicy, RateLimit } from '../policy/compiled-policy.ts';
import { deny, type Layer, silent } from './layer.ts';

const SILENT = silent('rate');
const NONE: readonly RateLimit[] = [];

/** Layer 4: calls per execution, and the windows of the capabilities that cover the tool. */
export const rateLayer: Layer = (action, { counters }, { acting }) => {
  if (acting === undefined) return SILENT;
  const { maxCalls, name } = acting;
  // SECURITY: written this way round, a count that is no number is over the limit.
  if (maxCalls !== undefined && !(counters.executionCalls < maxCalls))
    return deny('rate', 'RateLimitExceeded', `\`${name}\` has made its ${maxCalls} calls of this execution`);
  for (const limit of limitsOf(acting, action.tool)) {
    const count = counters.windows.get(limit.key) ?? 0;
    if (!(count < limit.calls)) {
      const reason = `\`${action.tool}\` was called ${limit.calls} times within ${limit.windowMs / 1000} s`;
      return deny('rate', 'RateLimitExceeded', reason, limit);
    }
  }
  return SILENT;
};

/** The windows that one action is counted in, whether it is allowed or refused. */
export function rateLimitsFor(policy: CompiledPolicy, action: Action): readonly RateLimit[] {
  const agent = action.actor.agent === undefined ? undefined : policy.agents.get(action.actor.agent);
  return agent === undefined ? NONE : limitsOf(agent, action.tool);
}

function limitsOf({ context }: CompiledAgent, tool: string): readonly RateLimit[] {
  if (context?.capabilities === undefined) return NONE;
  let limits: RateLimit[] | undefined;
  for (const { tools, rate } of context.capabilities) {
    if (rate === undefined || !tools.has(tool)) continue;
    limits ??= [];
    limits.push(rate);
  }
  return limits ?? NONE;
}
