import type { HttpTarget } from '@sallyport/protocol';
import type { NetworkPolicy, NetworkRule, Quote } from '../compiled-policy.ts';
import type { RuleAction } from '../rules/selectors/selector.ts';

/** What is known of a request beside its host; undefined when a tool or command names a host only. */
export type RequestFacts = Pick<HttpTarget, 'scheme' | 'port' | 'method' | 'path'>;

export interface NetworkAnswer {
  readonly action: RuleAction;
  /** a rule names the host; otherwise the default answered */
  readonly named: boolean;
  readonly quote: Quote;
}

const LAST = Number.POSITIVE_INFINITY;
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
  let named: NetworkRule | undefined;
  let doubtful: NetworkRule | undefined;
  for (const list of network.lists) {
    const rule = list.first(host, '', LAST, accept, facts);
    if (rule !== undefined && (named === undefined || ORDER[rule.action] > ORDER[named.action])) named = rule;
    // SECURITY: a tunnel may carry any method and any path, so a rule about some of them is about it too.
    if (facts === undefined || facts.scheme === 'tunnel')
      doubtful ??= list.first(host, '', rule?.order ?? LAST, acceptDoubtful, facts);
  }
  const answer: NetworkAnswer =
    named === undefined
      ? { action: network.fallback, named: false, quote: network.fallbackQuote }
      : { action: named.action, named: true, quote: named };
  // The rule is about some requests to this host, and which one this is cannot be known: a person looks.
  return doubtful !== undefined && answer.action === 'allow'
    ? { action: 'ask', named: true, quote: doubtful }
    : answer;
}

function isNarrow(rule: NetworkRule): boolean {
  return rule.ports !== undefined || rule.methods !== undefined || rule.path !== undefined;
}

function accept(rule: NetworkRule, _path: string, facts: RequestFacts | undefined): boolean {
  if (facts === undefined) return !isNarrow(rule);
  if (rule.ports !== undefined && !rule.ports.has(facts.port)) return false;
  if (rule.methods !== undefined && !rule.methods.has(facts.method)) return false;
  return rule.path === undefined || rule.path.matches(facts.path);
}

function acceptDoubtful(rule: NetworkRule, _path: string, facts: RequestFacts | undefined): boolean {
  if (rule.action === 'allow' || !isNarrow(rule)) return false;
  return facts === undefined || rule.ports === undefined || rule.ports.has(facts.port);
}
