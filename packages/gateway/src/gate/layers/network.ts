import type { HttpTarget } from '@sallyport/protocol';
import type { NetworkPolicy, NetworkRule, Quote } from '../compiled-policy.ts';
import type { RuleAction } from '../rules/selector.ts';

/** What is known of a request beside its host; undefined when a tool or command names a host only. */
export type RequestFacts = Pick<HttpTarget, 'port' | 'method' | 'path'>;

export interface NetworkAnswer {
  readonly action: RuleAction;
  /** a rule names the host; otherwise the default answered */
  readonly named: boolean;
  readonly quote: Quote;
}

const ORDER: Readonly<Record<RuleAction, number>> = { allow: 0, ask: 1, deny: 2 };

/**
 * What the network rules say about a canonical host: in each list the first match, of the lists the stricter;
 * the default only when no list names the host.
 */
export function askNetwork(
  network: NetworkPolicy,
  host: string,
  facts: RequestFacts | undefined,
): NetworkAnswer {
  let found: NetworkRule | undefined;
  let action: RuleAction = 'allow';
  for (const list of network.lists) {
    const rule = list.first(host, '', Number.POSITIVE_INFINITY, accept, facts);
    if (rule === undefined) continue;
    // The rule is about some requests to this host, and which one this is cannot be known: a person looks.
    const says = facts === undefined && rule.action === 'deny' && isNarrow(rule) ? 'ask' : rule.action;
    if (found === undefined || ORDER[says] > ORDER[action]) {
      found = rule;
      action = says;
    }
  }
  if (found !== undefined) return { action, named: true, quote: found };
  return { action: network.fallback, named: false, quote: network.fallbackQuote };
}

function isNarrow(rule: NetworkRule): boolean {
  return rule.ports !== undefined || rule.methods !== undefined || rule.path !== undefined;
}

function accept(rule: NetworkRule, _path: string, facts: RequestFacts | undefined): boolean {
  if (facts === undefined) return rule.action !== 'allow' || !isNarrow(rule);
  if (rule.ports !== undefined && !rule.ports.has(facts.port)) return false;
  if (rule.methods !== undefined && !rule.methods.has(facts.method)) return false;
  return rule.path === undefined || rule.path.matches(facts.path);
}
