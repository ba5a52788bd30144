import type { HttpTarget, PathFact } from '@sallyport/protocol';
import type { CompiledRule } from './compiled-rule.ts';
import { HostIndex, type HostLists } from './host-index.ts';
import { PrefixIndex } from './prefix-index.ts';

const ALL = Number.POSITIVE_INFINITY;

/** The rules of one list that name one tool (or one family of tools). */
export class ToolBucket {
  /** place among the buckets; a bucket is itself an item of a `PrefixIndex` */
  readonly order: number;
  /** first rule without a pattern */
  bare: CompiledRule | undefined;
  /** first deny or ask with a pattern */
  strictPattern: CompiledRule | undefined;
  readonly #lists: HostLists;
  #commands: PrefixIndex<CompiledRule> | undefined;
  #arguments: PrefixIndex<CompiledRule> | undefined;
  #addresses: PrefixIndex<CompiledRule> | undefined;
  #paths: PrefixIndex<CompiledRule> | undefined;
  #pathsBelowCwd: PrefixIndex<CompiledRule> | undefined;
  readonly #strictPaths: CompiledRule[] = [];
  #requests: HostIndex<CompiledRule> | undefined;
  #strictRequests: HostIndex<CompiledRule> | undefined;

  constructor(lists: HostLists, order: number) {
    this.#lists = lists;
    this.order = order;
  }

  insert(rule: CompiledRule): void {
    const { selector, glob } = rule;
    if (selector.kind === 'tool') {
      this.bare ??= rule;
      return;
    }
    if (rule.action !== 'allow') this.strictPattern ??= rule;
    const prefix = rule.bare ?? glob?.prefix ?? '';
    switch (selector.kind) {
      case 'command':
        this.#commands ??= new PrefixIndex();
        this.#commands.insert(prefix, rule);
        break;
      case 'arguments':
        this.#arguments ??= new PrefixIndex();
        this.#arguments.insert(prefix, rule);
        break;
      case 'address':
        this.#addresses ??= new PrefixIndex();
        this.#addresses.insert(prefix, rule);
        break;
      case 'path':
        this.#insertPath(rule, selector.path.base === 'cwd', prefix);
        break;
      case 'request':
        this.#requests ??= new HostIndex(this.#lists);
        this.#requests.insert(selector.host, selector.path?.prefix ?? '', rule);
        if (rule.action === 'allow') break;
        this.#strictRequests ??= new HostIndex(this.#lists);
        this.#strictRequests.insert(selector.host, selector.path?.prefix ?? '', rule);
        break;
      case 'type':
        break;
    }
  }

  #insertPath(rule: CompiledRule, belowCwd: boolean, prefix: string): void {
    if (rule.action !== 'allow') this.#strictPaths.push(rule);
    if (belowCwd) {
      this.#pathsBelowCwd ??= new PrefixIndex();
      this.#pathsBelowCwd.insert(prefix, rule);
    } else {
      this.#paths ??= new PrefixIndex();
      this.#paths.insert(prefix, rule);
    }
  }

  firstForCommand(text: string): CompiledRule | undefined {
    const limit = this.bare?.order ?? ALL;
    return this.#commands?.first(text, limit, acceptText, undefined) ?? this.bare;
  }

  firstForArguments(argv: readonly string[]): CompiledRule | undefined {
    if (this.#arguments === undefined) return this.bare;
    const limit = this.bare?.order ?? ALL;
    return this.#arguments.first(argv.slice(1).join(' '), limit, acceptText, undefined) ?? this.bare;
  }

  firstForAddress(address: string): CompiledRule | undefined {
    const limit = this.bare?.order ?? ALL;
    return this.#addresses?.first(address, limit, acceptText, undefined) ?? this.bare;
  }

  firstForPath(path: PathFact, cwd: string): CompiledRule | undefined {
    let best = this.bare;
    best = this.#paths?.first(path.real, best?.order ?? ALL, acceptText, undefined) ?? best;
    if (this.#pathsBelowCwd !== undefined) {
      const below = belowFolder(path.real, cwd);
      if (below !== undefined)
        best = this.#pathsBelowCwd.first(below, best?.order ?? ALL, acceptText, undefined) ?? best;
    }
    if (path.access !== 'delete' || this.#strictPaths.length === 0) return best;
    // SECURITY: deleting a folder deletes what a deny below it protects.
    for (const rule of this.#strictPaths) {
      if (rule.order >= (best?.order ?? ALL)) break;
      if (protectsBelow(rule, path.real, cwd)) return rule;
    }
    return best;
  }

  firstForRequest(target: HttpTarget): CompiledRule | undefined {
    const limit = this.bare?.order ?? ALL;
    return this.#requests?.first(target.host, target.path, limit, acceptRequest, target) ?? this.bare;
  }

  /** Deny and ask rules with a request pattern only. */
  firstStrictForRequest(target: HttpTarget): CompiledRule | undefined {
    return this.#strictRequests?.first(target.host, target.path, ALL, acceptRequest, target);
  }
}

/** The path below a folder, without a slash at the start; undefined when it is not inside. */
function belowFolder(path: string, folder: string): string | undefined {
  if (!path.startsWith('/') || !folder.startsWith('/')) return undefined;
  if (folder === '/') return path.slice(1);
  if (path === folder) return '';
  return path.startsWith(folder) && path.charCodeAt(folder.length) === 47
    ? path.slice(folder.length + 1)
    : undefined;
}

function protectsBelow(rule: CompiledRule, folder: string, cwd: string): boolean {
  const start = rule.glob?.prefix ?? '';
  const isCwd = rule.selector.kind === 'path' && rule.selector.path.base === 'cwd';
  const protectedPath = isCwd ? `${cwd === '/' ? '' : cwd}/${start}` : start;
  return protectedPath.startsWith(folder === '/' ? '/' : `${folder}/`);
}

function acceptText(rule: CompiledRule, text: string): boolean {
  return rule.glob?.matches(text) === true || (rule.bare !== undefined && rule.bare === text);
}

function acceptRequest(rule: CompiledRule, path: string, target: HttpTarget): boolean {
  const { selector } = rule;
  if (selector.kind !== 'request') return false;
  if (selector.methods !== undefined && !selector.methods.has(target.method)) return false;
  if (selector.port !== undefined && selector.port !== target.port) return false;
  return selector.path === undefined || selector.path.matches(path);
}
