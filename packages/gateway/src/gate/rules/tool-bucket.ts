import type { CommandFact, HttpTarget, NamedPath, PathFact } from '@sallyport/protocol';
import { compileGlob, escapeGlob, type Glob } from '../../shared/glob.ts';
import { areaCovers, areaHits } from './command-area.ts';
import { type CompiledRule, prefixOf } from './compiled-rule.ts';
import { HostIndex, type HostLists } from './host-index.ts';
import { belowFolder } from './path-pattern.ts';
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
  readonly #pathRules: CompiledRule[] = [];
  #requests: HostIndex<CompiledRule> | undefined;
  #strictRequests: HostIndex<CompiledRule> | undefined;

  constructor(lists: HostLists, order: number) {
    this.#lists = lists;
    this.order = order;
  }

  insert(rule: CompiledRule): void {
    const { selector } = rule;
    if (selector.kind === 'tool') {
      this.bare ??= rule;
      return;
    }
    if (rule.action !== 'allow') this.strictPattern ??= rule;
    const prefix = prefixOf(rule);
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
    this.#pathRules.push(rule);
    if (rule.action !== 'allow') this.#strictPaths.push(rule);
    if (belowCwd) {
      this.#pathsBelowCwd ??= new PrefixIndex();
      this.#pathsBelowCwd.insert(prefix, rule);
    } else {
      this.#paths ??= new PrefixIndex();
      this.#paths.insert(prefix, rule);
    }
  }

  firstForCommand(text: string, place: CommandPlace): CompiledRule | undefined {
    const limit = this.bare?.order ?? ALL;
    return this.#commands?.first(text, limit, acceptCommand, place) ?? this.bare;
  }

  firstForArguments(place: CommandPlace): CompiledRule | undefined {
    if (this.#arguments === undefined) return this.bare;
    const limit = this.bare?.order ?? ALL;
    const text = place.fact.argv.slice(1).join(' ');
    return this.#arguments.first(text, limit, acceptCommand, place) ?? this.bare;
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
    const deletes = path.access === 'delete';
    if ((!deletes && path.below !== true) || this.#strictPaths.length === 0) return best;
    // SECURITY: deleting a folder deletes what a deny below it protects, and a search through it reads that.
    for (const rule of this.#strictPaths) {
      if (rule.order >= (best?.order ?? ALL)) break;
      if (protectsBelow(rule, path.real, cwd, deletes)) return rule;
    }
    return best;
  }

  /** Whether a deny or ask about paths is here at all. */
  get hasStrictPaths(): boolean {
    return this.#strictPaths.length > 0;
  }

  /** The first rule about some file that a pattern of the shell (`~/.s*`) may name. */
  firstForPattern({ real = '/', rest = '', below }: NamedPath, cwd: string): CompiledRule | undefined {
    const deep = below === true ? '/**' : '';
    const named = compileGlob(`${real === '/' ? '' : escapeGlob(real)}/${rest}${deep}`, 'path');
    for (const rule of this.#pathRules) {
      if (rule.order >= (this.bare?.order ?? ALL)) break;
      const glob = absoluteGlob(rule, cwd, below === true || rule.action === 'allow');
      if (rule.action === 'allow' ? glob.covers(named) : glob.meetsShellPattern(named)) return rule;
    }
    return this.bare;
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

/**
 * Whether a rule is about something below a folder. Reading a folder counts only for a place that the rule names:
 * a search through a project is not forbidden because a file such as `./**\/.env` may lie somewhere in it.
 */
function protectsBelow(rule: CompiledRule, folder: string, cwd: string, deletes: boolean): boolean {
  const start = rule.glob?.prefix ?? '';
  const isCwd = rule.selector.kind === 'path' && rule.selector.path.base === 'cwd';
  const protectedPath = isCwd ? `${cwd === '/' ? '' : cwd}/${start}` : start;
  const above = folder === '/' ? '/' : `${folder}/`;
  return protectedPath.startsWith(above) && (deletes || protectedPath.length > above.length);
}

/** The pattern of a path rule from the root. Without `itself`, `/a/**` is about what is in the folder: `cat *` opens none. */
function absoluteGlob({ glob, selector }: CompiledRule, cwd: string, itself: boolean): Glob {
  const source = glob?.source ?? '**';
  const start =
    selector.kind === 'path' && selector.path.base === 'cwd' ? `${cwd === '/' ? '' : escapeGlob(cwd)}/` : '';
  const end = !itself && source.endsWith('/**') ? '/*' : '';
  return start === '' && end === '' && glob !== undefined
    ? glob
    : compileGlob(`${start}${source}${end}`, 'path');
}

function acceptText(rule: CompiledRule, text: string): boolean {
  return rule.glob?.matches(text) === true || (rule.bare !== undefined && rule.bare === text);
}

/** A command and the agent's folder, for rules that name paths. */
export interface CommandPlace {
  readonly fact: CommandFact;
  readonly cwd: string;
}

function acceptCommand(rule: CompiledRule, text: string, { fact, cwd }: CommandPlace): boolean {
  const { area } = rule;
  if (area === undefined) return acceptText(rule, text);
  if (rule.action !== 'allow') return acceptText(rule, text) || areaHits(area, fact, text, cwd);
  return acceptText(rule, text) && areaCovers(area, fact, cwd);
}

function acceptRequest(rule: CompiledRule, path: string, target: HttpTarget): boolean {
  const { selector } = rule;
  if (selector.kind !== 'request') return false;
  if (selector.methods !== undefined && !selector.methods.has(target.method)) return false;
  if (selector.port !== undefined && selector.port !== target.port) return false;
  return selector.path === undefined || selector.path.matches(path);
}
