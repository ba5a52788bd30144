import type { CommandFact, NamedPath, PathFact } from '@sallyport/protocol';
import { assertNever } from '../../shared/assert-never.ts';
import type { HostLists } from '../../shared/listed-host.ts';
import type { RequestFact } from '../../targets/index.ts';
import type { CompiledRule } from './selectors/compiled-rule.ts';
import type { PathRules, RequestRules, RuleIndex, SelectorDefinitions } from './selectors/definition.ts';
import type { SelectorKind } from './selectors/selector.ts';
import { SELECTORS } from './selectors/selectors.ts';

const ALL = Number.POSITIVE_INFINITY;

/**
 * The rules of one list that name one tool (or one family of tools). It knows facts, not kinds of selectors: each kind
 * brings an index of its own, which is asked about the fact that the kind is about.
 */
export class ToolBucket {
  /** place among the buckets; a bucket is itself an item of a `PrefixIndex` */
  readonly order: number;
  /** first rule without a pattern */
  bare: CompiledRule | undefined;
  /** first deny or ask with a pattern */
  strictPattern: CompiledRule | undefined;
  /** whether a deny or ask about paths is here at all */
  hasStrictPaths = false;
  readonly #lists: HostLists;
  readonly #inserting = new Map<SelectorKind, Pick<RuleIndex<never>, 'insert'>>();
  readonly #commands: RuleIndex<CommandFact>[] = [];
  readonly #programs: RuleIndex<CommandFact>[] = [];
  readonly #addresses: RuleIndex<string>[] = [];
  readonly #paths: PathRules[] = [];
  readonly #requests: RequestRules[] = [];

  constructor(lists: HostLists, order: number) {
    this.#lists = lists;
    this.order = order;
  }

  insert(rule: CompiledRule): void {
    const { kind } = rule.selector;
    if (kind === 'tool') {
      this.bare ??= rule;
      return;
    }
    if (rule.action !== 'allow') this.strictPattern ??= rule;
    let index = this.#inserting.get(kind);
    if (index === undefined) {
      index = this.#open(SELECTORS[kind]);
      this.#inserting.set(kind, index);
    }
    index.insert(rule);
    this.hasStrictPaths = this.#paths.some(({ hasStrict }) => hasStrict);
  }

  /** An index for rules of one more kind, which is asked from now on. */
  #open(definition: SelectorDefinitions[SelectorKind]): Pick<RuleIndex<never>, 'insert'> {
    switch (definition.about) {
      case 'command':
        return opened(this.#commands, definition.index(this.#lists));
      case 'program':
        return opened(this.#programs, definition.index(this.#lists));
      case 'address':
        return opened(this.#addresses, definition.index(this.#lists));
      case 'path':
        return opened(this.#paths, definition.index(this.#lists));
      case 'request':
        return opened(this.#requests, definition.index(this.#lists));
      case 'call':
      case 'type':
        // INVARIANT: these name no pattern of a tool; the first is `bare`, the second belongs to the whole list.
        throw new TypeError(`a bucket has no rules about \`${definition.about}\``);
      default:
        return assertNever(definition);
    }
  }

  // Written out for each fact, and by number: a call that only ever meets one class of index is a fast one.

  firstForCommand(fact: CommandFact, cwd: string): CompiledRule | undefined {
    const indexes = this.#commands;
    let best = this.bare;
    for (let i = 0; i < indexes.length; i += 1)
      best = indexes[i]?.first(fact, cwd, best === undefined ? ALL : best.order) ?? best;
    return best;
  }

  firstForArguments(fact: CommandFact, cwd: string): CompiledRule | undefined {
    const indexes = this.#programs;
    let best = this.bare;
    for (let i = 0; i < indexes.length; i += 1)
      best = indexes[i]?.first(fact, cwd, best === undefined ? ALL : best.order) ?? best;
    return best;
  }

  firstForAddress(address: string): CompiledRule | undefined {
    const indexes = this.#addresses;
    let best = this.bare;
    for (let i = 0; i < indexes.length; i += 1)
      best = indexes[i]?.first(address, '', best === undefined ? ALL : best.order) ?? best;
    return best;
  }

  firstForPath(path: PathFact, cwd: string): CompiledRule | undefined {
    const indexes = this.#paths;
    let best = this.bare;
    for (let i = 0; i < indexes.length; i += 1)
      best = indexes[i]?.first(path, cwd, best === undefined ? ALL : best.order) ?? best;
    return best;
  }

  firstForRequest(target: RequestFact): CompiledRule | undefined {
    const indexes = this.#requests;
    let best = this.bare;
    for (let i = 0; i < indexes.length; i += 1)
      best = indexes[i]?.first(target, '', best === undefined ? ALL : best.order) ?? best;
    return best;
  }

  /** The first rule about some file that a pattern of the shell (`~/.s*`) may name. */
  firstForPattern(path: NamedPath, cwd: string): CompiledRule | undefined {
    let best = this.bare;
    for (const index of this.#paths)
      best = index.firstForPattern(path, cwd, best === undefined ? ALL : best.order) ?? best;
    return best;
  }

  /** Deny and ask rules with a request pattern only. */
  firstStrictForRequest(target: RequestFact): CompiledRule | undefined {
    let best: CompiledRule | undefined;
    for (const index of this.#requests) {
      const rule = index.firstStrict(target);
      if (rule !== undefined && (best === undefined || rule.order < best.order)) best = rule;
    }
    return best;
  }
}

function opened<Index>(indexes: Index[], index: Index): Index {
  indexes.push(index);
  return index;
}
