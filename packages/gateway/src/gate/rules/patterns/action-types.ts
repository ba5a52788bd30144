import { ACTION_TYPES, API_ACTION_TYPES, BUILT_IN_CUSTOM_TYPES } from '@sallyport/protocol';
import { didYouMean } from '../../../shared/suggest.ts';

/** An action type or a category of them, as configs name it. */
export type TypePattern =
  | { readonly kind: 'type'; readonly type: string }
  | { readonly kind: 'category'; readonly category: string };

/** The types that exist: built in, of the approval API, and registered under `custom_types`. */
export class TypeRegistry {
  readonly #types: ReadonlySet<string>;
  readonly #categories: ReadonlySet<string>;

  constructor(customTypes: readonly string[] = []) {
    this.#types = new Set([...ACTION_TYPES, ...BUILT_IN_CUSTOM_TYPES, ...API_ACTION_TYPES, ...customTypes]);
    this.#categories = new Set(
      [...this.#types].filter((type) => type.includes(':')).map((type) => type.slice(0, type.indexOf(':'))),
    );
  }

  has(type: string): boolean {
    return this.#types.has(type);
  }

  /** Reads `deploy`, `db:admin`, `exec_cmd`; undefined for what does not exist. */
  parse(text: string): TypePattern | undefined {
    if (this.#types.has(text)) return { kind: 'type', type: text };
    return this.#categories.has(text) ? { kind: 'category', category: text } : undefined;
  }

  hintFor(text: string): string {
    if (text.startsWith('custom:')) return 'register it under `custom_types`';
    const near = didYouMean(text, [...this.#types, ...this.#categories]);
    return near ?? 'docs/config.md lists the action types and their categories';
  }
}

/** Whether an action type falls under the pattern. */
export function matchesType(pattern: TypePattern, type: string): boolean {
  return pattern.kind === 'type'
    ? pattern.type === type
    : type.startsWith(pattern.category) && type.charCodeAt(pattern.category.length) === 58;
}

export function typePatternCovers(wide: TypePattern, narrow: TypePattern): boolean {
  if (narrow.kind === 'type') return matchesType(wide, narrow.type);
  return wide.kind === 'category' && wide.category === narrow.category;
}
