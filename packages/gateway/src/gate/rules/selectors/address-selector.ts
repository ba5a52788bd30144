import { parseGlob } from '../patterns/parsed.ts';
import { PrefixIndex } from '../patterns/prefix-index.ts';
import { globShadows } from './command-selector.ts';
import { type CompiledRule, matchesText, prefixOf } from './compiled-rule.ts';
import type { RuleIndex, SelectorDefinition } from './definition.ts';
import { describeTool } from './tool-selector.ts';

class AddressRules implements RuleIndex<string> {
  readonly #rules = new PrefixIndex<CompiledRule>();

  insert(rule: CompiledRule): void {
    this.#rules.insert(prefixOf(rule), rule);
  }

  first(address: string, _cwd: string, limit: number): CompiledRule | undefined {
    return this.#rules.first(address, limit, matchesText, undefined);
  }
}

/** `email.send(*@example.com)`: each address that a call goes to. */
export const addressSelector: SelectorDefinition<'address', 'address'> = {
  example: 'email.send(*@example.com)',
  about: 'address',
  argument: 'address',
  parse(text, { tool }) {
    // Addresses are compared in lower case, so that no spelling walks around a rule.
    const glob = parseGlob(text.toLowerCase(), 'command');
    return glob.ok ? { ok: true, value: { kind: 'address', tool, glob: glob.value } } : glob;
  },
  compile: ({ glob }) => ({ glob }),
  index: () => new AddressRules(),
  matches: matchesText,
  concerns: () => 'no',
  describe: ({ tool, glob }) => `addresses like \`${glob.source}\` that ${describeTool(tool)} names`,
  shadows: globShadows,
};
