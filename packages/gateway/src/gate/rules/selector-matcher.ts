import type { Action } from '@sallyport/protocol';
import type { HostLists } from '../../shared/listed-host.ts';
import { judgeList } from './judge-list.ts';
import { TypeRegistry } from './patterns/action-types.ts';
import type { PathBases } from './patterns/path-pattern.ts';
import { RuleList } from './rule-list.ts';
import { parseRule } from './selector.ts';

const KEPT_AT_MOST = 1000;

/**
 * Matches selectors that stand outside a list of rules: those of roles and of grants.
 *
 * Same reading as in rules: as an `allow` it covers only what is known, command by command; as a `deny` it bites
 * on every doubt. A selector that cannot be read allows nothing and denies everything.
 */
export class SelectorMatcher {
  readonly #bases: PathBases;
  readonly #lists: HostLists;
  readonly #types: TypeRegistry;
  readonly #compiled = new Map<string, RuleList | undefined>();

  constructor(bases: PathBases, lists: HostLists, customTypes: readonly string[] = []) {
    this.#bases = bases;
    this.#lists = lists;
    this.#types = new TypeRegistry(customTypes);
  }

  matches(selector: string, action: Action, as: 'allow' | 'deny' = 'allow'): boolean {
    const list = this.#list(`${as}:${selector}`);
    if (list === undefined) return as === 'deny';
    const says = judgeList(list, action)?.says;
    return as === 'allow' ? says === 'allow' : says === 'deny' || says === 'ask';
  }

  #list(text: string): RuleList | undefined {
    if (this.#compiled.has(text)) return this.#compiled.get(text);
    const parsed = parseRule(text, this.#types);
    const list = parsed.ok
      ? new RuleList([{ text, rule: parsed.value }], this.#bases, this.#lists)
      : undefined;
    if (this.#compiled.size >= KEPT_AT_MOST) this.#compiled.clear();
    this.#compiled.set(text, list);
    return list;
  }
}
