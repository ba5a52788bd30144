import type { Action } from '@sallyport/protocol';
import type { ToolValidation } from '../../approvals/index.ts';
import type { CompiledPolicy } from '../compiled-policy.ts';

/** What a model must check before this call: for the agent that acts, and for each one that called it [ID-5]. */
export function validationsFor(
  { agents }: CompiledPolicy,
  { tool, actor }: Action,
): readonly ToolValidation[] {
  const names = new Set(actor.agent === undefined ? actor.chain : [...actor.chain, actor.agent]);
  return [...names].flatMap((name) =>
    (agents.get(name)?.validations ?? []).filter(({ tools }) => tools.has(tool)),
  );
}

/** The same call under the same criteria: what was checked once is not checked again after a wait. */
export function validationKey({ binding }: Action, { tool, criteria, model }: ToolValidation): string {
  return JSON.stringify([binding, tool, criteria, model ?? null]);
}
