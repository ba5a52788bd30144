import type { HostLists } from '../../../shared/listed-host.ts';
import type { RequestFact } from '../../../targets/index.ts';
import { HostIndex, type HostPattern, hostPatternCovers } from '../patterns/host-index.ts';
import { parseRequestPattern, type RequestPattern } from '../patterns/request-pattern.ts';
import type { CompiledRule } from './compiled-rule.ts';
import type { RequestRules, SelectorDefinition } from './definition.ts';
import { describeTool } from './tool-selector.ts';

const ALL = Number.POSITIVE_INFINITY;

class RequestIndex implements RequestRules {
  readonly #lists: HostLists;
  readonly #rules: HostIndex<CompiledRule>;
  #strict: HostIndex<CompiledRule> | undefined;

  constructor(lists: HostLists) {
    this.#lists = lists;
    this.#rules = new HostIndex(lists);
  }

  insert(rule: CompiledRule): void {
    const { selector } = rule;
    if (selector.kind !== 'request') return;
    this.#rules.insert(selector.host, selector.path?.prefix ?? '', rule);
    if (rule.action === 'allow') return;
    this.#strict ??= new HostIndex(this.#lists);
    this.#strict.insert(selector.host, selector.path?.prefix ?? '', rule);
  }

  first(target: RequestFact, _cwd: string, limit: number): CompiledRule | undefined {
    return this.#rules.first(target.host, target.path, limit, matchesRequest, target);
  }

  firstStrict(target: RequestFact): CompiledRule | undefined {
    return this.#strict?.first(target.host, target.path, ALL, matchesRequest, target);
  }
}

function matchesRequest(rule: CompiledRule, path: string, target: RequestFact): boolean {
  const { selector } = rule;
  if (selector.kind !== 'request') return false;
  if (selector.methods !== undefined && !selector.methods.has(target.method)) return false;
  if (selector.port !== undefined && selector.port !== target.port) return false;
  return selector.path === undefined || selector.path.matches(path);
}

function requestCovers(wide: RequestPattern, narrow: RequestPattern): boolean {
  if (!hostPatternCovers(wide.host, narrow.host)) return false;
  if (wide.port !== undefined && wide.port !== narrow.port) return false;
  if (wide.methods !== undefined) {
    if (narrow.methods === undefined) return false;
    for (const method of narrow.methods) if (!wide.methods.has(method)) return false;
  }
  if (wide.path === undefined) return true;
  return narrow.path !== undefined && wide.path.covers(narrow.path);
}

/** `http(GET,HEAD api.github.com/repos/**)`: methods, host and path of a request. */
export const requestSelector: SelectorDefinition<'request', 'request'> = {
  example: 'http(GET,HEAD api.github.com/repos/**)',
  about: 'request',
  argument: 'url',
  parse(text, { tool }) {
    const request = parseRequestPattern(text);
    return request.ok ? { ok: true, value: { kind: 'request', tool, ...request.value } } : request;
  },
  compile: ({ path }) => ({ glob: path }),
  index: (lists) => new RequestIndex(lists),
  matches: matchesRequest,
  concerns: () => 'no',
  describe({ tool, methods, host, port, path }) {
    const what = methods === undefined ? 'requests' : `${[...methods].join(' and ')} requests`;
    const where = `${describeHost(host)}${port === undefined ? '' : ` at port ${port}`}`;
    const below = path === undefined ? '' : `, paths like \`${path.source}\``;
    return `${what} of ${describeTool(tool)} to ${where}${below}`;
  },
  shadows: (wide, narrow) => requestCovers(wide.selector, narrow.selector),
};

function describeHost(host: HostPattern): string {
  switch (host.kind) {
    case 'any':
      return 'any host';
    case 'exact':
      return `\`${host.host}\``;
    case 'below':
      return `every host below \`${host.host}\``;
    case 'list':
      return `every host of the list \`${host.list}\``;
  }
}
