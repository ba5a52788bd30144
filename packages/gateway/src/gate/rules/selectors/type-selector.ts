import { matchesType, typePatternCovers } from '../patterns/action-types.ts';
import { problem } from '../patterns/parsed.ts';
import type { CompiledRule } from './compiled-rule.ts';
import type { RuleIndex, SelectorDefinition } from './definition.ts';

/** Rules by action type, and by the category before its colon. */
class TypeIndex implements RuleIndex<string> {
  readonly #types = new Map<string, CompiledRule>();
  readonly #categories = new Map<string, CompiledRule>();

  insert(rule: CompiledRule): void {
    const { selector } = rule;
    if (selector.kind !== 'type') return;
    const { type } = selector;
    const map = type.kind === 'type' ? this.#types : this.#categories;
    const key = type.kind === 'type' ? type.type : type.category;
    if (!map.has(key)) map.set(key, rule);
  }

  first(type: string, _cwd: string, limit: number): CompiledRule | undefined {
    let best: CompiledRule | undefined;
    if (this.#types.size > 0) best = below(this.#types.get(type), limit);
    if (this.#categories.size === 0) return best;
    const border = type.indexOf(':');
    if (border <= 0) return best;
    return (
      below(this.#categories.get(type.slice(0, border)), best === undefined ? limit : best.order) ?? best
    );
  }
}

function below(rule: CompiledRule | undefined, limit: number): CompiledRule | undefined {
  return rule !== undefined && rule.order < limit ? rule : undefined;
}

/** `@deploy:production`, `@deploy`: whichever tool does it. */
export const typeSelector: SelectorDefinition<'type', 'type'> = {
  example: '@deploy:production',
  about: 'type',
  argument: 'none',
  parse(text, { types }) {
    const type = types.parse(text);
    if (type !== undefined) return { ok: true, value: { kind: 'type', type } };
    return problem(`\`${text}\` is no action type and no category`, types.hintFor(text));
  },
  compile: () => ({}),
  index: () => new TypeIndex(),
  matches: ({ selector }, type) => selector.kind === 'type' && matchesType(selector.type, type),
  concerns: ({ selector }, { fact }) =>
    selector.kind === 'type' &&
    (matchesType(selector.type, fact.type) ||
      (fact.alsoType !== undefined && matchesType(selector.type, fact.alsoType)))
      ? 'yes'
      : 'maybe',
  describe: ({ type }) =>
    type.kind === 'type'
      ? `every action of the type \`${type.type}\``
      : `every action of a type that begins with \`${type.category}:\``,
  shadows: (wide, narrow) => typePatternCovers(wide.selector.type, narrow.selector.type),
};
