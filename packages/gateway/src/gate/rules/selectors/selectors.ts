import { addressSelector } from './address-selector.ts';
import { argumentsSelector } from './arguments-selector.ts';
import { commandSelector } from './command-selector.ts';
import type { SelectorDefinition, SelectorDefinitions } from './definition.ts';
import { pathSelector } from './path-selector.ts';
import { requestSelector } from './request-selector.ts';
import type { Selector, SelectorKind } from './selector.ts';
import { toolSelector } from './tool-selector.ts';
import { typeSelector } from './type-selector.ts';

/** Every kind of selector that a rule may have. */
export const SELECTORS = {
  tool: toolSelector,
  type: typeSelector,
  command: commandSelector,
  arguments: argumentsSelector,
  path: pathSelector,
  request: requestSelector,
  address: addressSelector,
} satisfies SelectorDefinitions;

/** The definition of a selector's kind. Not for judging: there each kind is asked by its index. */
export function definitionOf({ kind }: Selector): SelectorDefinition<SelectorKind, never> {
  // The map has for each kind the definition of its selectors; the compiler sees only the union of both.
  return SELECTORS[kind] as unknown as SelectorDefinition<SelectorKind, never>;
}
