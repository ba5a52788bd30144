import { patternKindOf, type ToolPattern, toolGroup } from '../patterns/tool-table.ts';
import type { CompiledRule } from './compiled-rule.ts';
import type { RuleIndex, SelectorDefinition } from './definition.ts';

/** Only the first rule without a pattern counts. */
class FirstRule implements RuleIndex<undefined> {
  #rule: CompiledRule | undefined;

  insert(rule: CompiledRule): void {
    this.#rule ??= rule;
  }

  first(_fact: undefined, _cwd: string, limit: number): CompiledRule | undefined {
    return this.#rule !== undefined && this.#rule.order < limit ? this.#rule : undefined;
  }
}

/** `Bash`, `fs.*`, `*`: every call of a tool, whatever it says. */
export const toolSelector: SelectorDefinition<'tool', 'call'> = {
  example: 'Bash',
  about: 'call',
  argument: 'none',
  parse: (_text, { tool }) => ({ ok: true, value: { kind: 'tool', tool } }),
  compile: () => ({}),
  index: () => new FirstRule(),
  matches: () => true,
  concerns({ selector }, { tool, fact }) {
    if (selector.kind !== 'tool') return 'no';
    if (namesTool(selector.tool, tool) || selector.tool.name === fact.program) return 'yes';
    return patternKindOf(selector.tool.name) === 'arguments' ? 'maybe' : 'no';
  },
  describe: ({ tool }) => `every call of ${describeTool(tool)}`,
  shadows: () => true,
};

export function describeTool({ name, wildcard }: ToolPattern): string {
  if (!wildcard) return `\`${name}\``;
  return name === '' ? 'every tool' : `every tool whose name begins with \`${name}\``;
}

/** Whether the name of a tool in a rule stands for this tool. */
export function namesTool({ name, wildcard }: ToolPattern, tool: string): boolean {
  return wildcard ? tool.startsWith(name) : toolGroup(name).includes(tool);
}
