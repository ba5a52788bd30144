import { assertNever } from '../../../shared/assert-never.ts';
import { parseDomainPattern } from '../../../shared/host.ts';
import {
  entryMeans,
  type HostLists,
  type ListedHost,
  type ListedRequest,
} from '../../../shared/listed-host.ts';
import { PrefixIndex } from './prefix-index.ts';

/** Host part of a rule. */
export type HostPattern =
  | { readonly kind: 'any' }
  | { readonly kind: 'exact'; readonly host: string }
  /** every host below it, not itself */
  | { readonly kind: 'below'; readonly host: string }
  | { readonly kind: 'list'; readonly list: string };

/** Reads `example.com`, `*.example.com`, `@list`, `*`; undefined when it is none of these. */
export function parseHostPattern(text: string): HostPattern | undefined {
  if (text === '*') return { kind: 'any' };
  if (text.startsWith('@'))
    return /^@[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text) ? { kind: 'list', list: text.slice(1) } : undefined;
  const parsed = parseDomainPattern(text);
  if (parsed === undefined) return undefined;
  return { kind: parsed.wildcard ? 'below' : 'exact', host: parsed.host };
}

export function hostPatternCovers(wide: HostPattern, narrow: HostPattern): boolean {
  if (wide.kind === 'any') return true;
  if (wide.kind === 'list') return narrow.kind === 'list' && narrow.list === wide.list;
  if (narrow.kind === 'any' || narrow.kind === 'list') return false;
  if (wide.kind === 'exact') return narrow.kind === 'exact' && narrow.host === wide.host;
  return narrow.host.endsWith(`.${wide.host}`) || (narrow.kind === 'below' && narrow.host === wide.host);
}

/** Hosts of one list. INVARIANT: asked with canonical hosts only, as `HttpTarget.host` promises. */
export class HostSet {
  readonly #exact = new Set<string>();
  readonly #below = new Set<string>();
  /** entries that mean some requests to their host only */
  readonly #narrow: Map<string, ListedHost[]> | undefined;
  readonly #hasNarrowBelow: boolean = false;

  constructor(entries: readonly (string | ListedHost)[]) {
    for (const entry of entries) {
      const pattern = parseDomainPattern(typeof entry === 'string' ? entry : entry.host);
      if (pattern === undefined) continue;
      if (typeof entry === 'string' || (entry.readsOnly === undefined && entry.paths === undefined)) {
        (pattern.wildcard ? this.#below : this.#exact).add(pattern.host);
      } else {
        this.#narrow ??= new Map();
        if (pattern.wildcard) this.#hasNarrowBelow = true;
        const key = pattern.wildcard ? `*.${pattern.host}` : pattern.host;
        this.#narrow.set(key, [...(this.#narrow.get(key) ?? []), entry]);
      }
    }
  }

  has(host: string): boolean {
    if (this.#exact.has(host)) return true;
    if (this.#below.size === 0) return false;
    for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1))
      if (this.#below.has(host.slice(dot + 1))) return true;
    return false;
  }

  /** `has`, and whether the list means this request. `maybe`: it means some of what this may be. */
  means(host: string, request: ListedRequest | undefined): 'yes' | 'no' | 'maybe' {
    if (this.has(host)) return 'yes';
    if (this.#narrow === undefined) return 'no';
    let found = meantBy(this.#narrow.get(host), request);
    if (!this.#hasNarrowBelow) return found;
    for (let dot = host.indexOf('.'); dot !== -1 && found !== 'yes'; dot = host.indexOf('.', dot + 1)) {
      const below = meantBy(this.#narrow.get(`*${host.slice(dot)}`), request);
      if (below !== 'no') found = below;
    }
    return found;
  }
}

function meantBy(
  entries: readonly ListedHost[] | undefined,
  request: ListedRequest | undefined,
): 'yes' | 'no' | 'maybe' {
  let found: 'no' | 'maybe' = 'no';
  for (const entry of entries ?? []) {
    const means = entryMeans(entry, request);
    if (means === 'yes') return means;
    if (means === 'maybe') found = means;
  }
  return found;
}

interface HostRule {
  readonly order: number;
  readonly action: 'allow' | 'ask' | 'deny';
}

interface Listed<T extends HostRule> {
  readonly name: string;
  readonly hosts: HostSet;
  readonly index: PrefixIndex<T>;
}

/** Rules by host, then by the literal start of their path. */
export class HostIndex<T extends HostRule> {
  readonly #lists: HostLists;
  readonly #exact = new Map<string, PrefixIndex<T>>();
  readonly #below = new Map<string, PrefixIndex<T>>();
  readonly #listed: Listed<T>[] = [];
  #any: PrefixIndex<T> | undefined;

  constructor(lists: HostLists) {
    this.#lists = lists;
  }

  insert(host: HostPattern, pathPrefix: string, rule: T): void {
    this.#indexOf(host).insert(pathPrefix, rule);
  }

  #indexOf(host: HostPattern): PrefixIndex<T> {
    switch (host.kind) {
      case 'any':
        this.#any ??= new PrefixIndex();
        return this.#any;
      case 'list': {
        let listed = this.#listed.find(({ name }) => name === host.list);
        if (listed === undefined) {
          const hosts = new HostSet(this.#lists.get(host.list) ?? []);
          listed = { name: host.list, hosts, index: new PrefixIndex() };
          this.#listed.push(listed);
        }
        return listed.index;
      }
      case 'exact':
      case 'below': {
        const map = host.kind === 'exact' ? this.#exact : this.#below;
        let index = map.get(host.host);
        if (index === undefined) {
          index = new PrefixIndex();
          map.set(host.host, index);
        }
        return index;
      }
      default:
        return assertNever(host);
    }
  }

  /** The accepted rule of the lowest order below `limit` for a canonical host. `extra`: the request, as far as it is known. */
  first<E extends ListedRequest | undefined>(
    host: string,
    path: string,
    limit: number,
    accept: (rule: T, path: string, extra: E) => boolean,
    extra: E,
  ): T | undefined {
    let best = this.#exact.get(host)?.first(path, limit, accept, extra);
    if (this.#below.size > 0) {
      for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) {
        const index = this.#below.get(host.slice(dot + 1));
        best = index?.first(path, best?.order ?? limit, accept, extra) ?? best;
      }
    }
    for (const { hosts, index } of this.#listed) {
      const means = hosts.means(host, extra);
      if (means === 'no') continue;
      // SECURITY: what a list may mean is not allowed by it, and is denied by it.
      const accepted = means === 'yes' ? accept : strictly(accept);
      best = index.first(path, best?.order ?? limit, accepted, extra) ?? best;
    }
    return this.#any?.first(path, best?.order ?? limit, accept, extra) ?? best;
  }
}

function strictly<T extends HostRule, E>(
  accept: (rule: T, path: string, extra: E) => boolean,
): (rule: T, path: string, extra: E) => boolean {
  return (rule, path, extra) => rule.action !== 'allow' && accept(rule, path, extra);
}
