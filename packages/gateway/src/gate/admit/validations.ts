import type { Action } from '@sallyport/protocol';
import type { ToolValidation } from '../../approvals/index.ts';
import type { CompiledPolicy } from '../policy/compiled-policy.ts';

const NONE: readonly ToolValidation[] = [];

/** What a model must check before this call: for the agent that acts, and for each one that called it [ID-5]. */
export function validationsFor(
  { agents }: CompiledPolicy,
  { tool, actor }: Action,
): readonly ToolValidation[] {
  const isAny = (name: string): boolean => agents.get(name)?.validations !== undefined;
  // Every action comes by here, and hardly any has criteria.
  if ((actor.agent === undefined || !isAny(actor.agent)) && !actor.chain.some(isAny)) return NONE;
  const names = new Set(actor.agent === undefined ? actor.chain : [...actor.chain, actor.agent]);
  return [...names].flatMap((name) =>
    (agents.get(name)?.validations ?? []).filter(({ tools }) => tools.has(tool)),
  );
}

/** The same call under the same criteria: what was checked once is not checked again after a wait. */
export function validationKey({ binding }: Action, { tool, criteria, model }: ToolValidation): string {
  return JSON.stringify([binding, tool, criteria, model ?? null]);
}
