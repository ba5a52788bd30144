import type { Opinion } from '@sallyport/protocol';
import { judgeList } from '../rules/judge-list.ts';
import { stricterOf } from '../rules/strictness.ts';
import { type Layer, silent } from './layer.ts';

const SILENT: Opinion = silent('rules');

/** Layer 6: in each list the first match wins, and of the lists' results the strictest counts. */
export const rulesLayer: Layer = (action, { policy }, { acting, parents }) => {
  let result = SILENT;
  for (const list of policy.rules) result = stricterOf(result, judgeList(list, action) ?? SILENT);
  if (acting?.rules !== undefined) result = stricterOf(result, judgeList(acting.rules, action) ?? SILENT);
  for (const { rules } of parents) {
    if (rules === undefined) continue;
    const opinion = judgeList(rules, action);
    // SECURITY: what an agent may do gives nothing to the agent that it asks; what it may not do, limits it.
    if (opinion !== undefined && opinion.says !== 'allow') result = stricterOf(result, opinion);
  }
  return result;
};
