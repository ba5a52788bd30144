import type { Action, LayerName, Opinion, Strength } from '@sallyport/protocol';
import type { CompiledAgent, Quote } from '../policy/compiled-policy.ts';
import type { Snapshot } from '../policy/snapshot.ts';

/** The agents that an action is judged for. */
export interface Cast {
  /** the agent that acts; undefined for a client of the approval API */
  readonly acting: CompiledAgent | undefined;
  /** the agents that it acts for, after delegation: what limits them limits it */
  readonly parents: readonly CompiledAgent[];
}

/** One opinion of the gate. Pure and synchronous; a throw is a refusal of the whole action. */
export type Layer = (action: Action, snapshot: Snapshot, cast: Cast) => Opinion;

/** A layer's silence, made once: it is the most common answer. */
export function silent(layer: LayerName): Opinion {
  return Object.freeze({ layer, says: 'nothing' });
}

export function deny(
  layer: LayerName,
  violation: Extract<Opinion, { says: 'deny' }>['violation'],
  reason: string,
  quote?: Quote,
  hint?: string,
): Opinion {
  const refusal = { layer, says: 'deny', violation, reason, ...quoted(quote) } as const;
  return hint === undefined ? refusal : { ...refusal, hint };
}

export function ask(
  layer: LayerName,
  strength: Strength,
  reason: string,
  quote?: Quote,
): Extract<Opinion, { says: 'ask' }> {
  return { layer, says: 'ask', strength, reason, ...quoted(quote) };
}

function quoted(quote: Quote | undefined): Quote | undefined {
  if (quote === undefined) return undefined;
  return quote.at === undefined ? { rule: quote.rule } : { rule: quote.rule, at: quote.at };
}
