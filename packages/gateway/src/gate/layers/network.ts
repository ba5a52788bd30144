import type { RequestFact } from '../../targets/index.ts';
import type { NetworkPolicy, NetworkRule, Quote } from '../policy/compiled-policy.ts';
import type { RuleAction } from '../rules/selectors/selector.ts';

export interface NetworkAnswer {
  readonly action: RuleAction;
  /** a rule names the host; otherwise the default answered */
  readonly named: boolean;
  readonly quote: Quote;
}

const LAST = Number.POSITIVE_INFINITY;
const ORDER: Readonly<Record<RuleAction, number>> = { allow: 0, ask: 1, deny: 2 };

/**
 * What the network rules say about a canonical host (`request`: the whole of it, where more is known): in each list the first match, of the lists the stricter;
 * the default only when no list names the host.
 */
export function askNetwork(
  network: NetworkPolicy,
  host: string,
  request: RequestFact | undefined,
): NetworkAnswer {
  let named: NetworkRule | undefined;
  let doubtful: NetworkRule | undefined;
  for (const list of network.lists) {
    const rule = list.first(host, '', LAST, accept, request);
    if (rule !== undefined && (named === undefined || ORDER[rule.action] > ORDER[named.action])) named = rule;
    // SECURITY: a tunnel may carry any method and any path, so a rule about some of them is about it too.
    if (request === undefined || request.scheme === 'tunnel')
      doubtful ??= list.first(host, '', rule?.order ?? LAST, acceptDoubtful, request);
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

function accept(rule: NetworkRule, _path: string, request: RequestFact | undefined): boolean {
  if (request === undefined) return !isNarrow(rule);
  if (rule.ports !== undefined && !rule.ports.has(request.port)) return false;
  if (rule.methods !== undefined && !rule.methods.has(request.method)) return false;
  return rule.path === undefined || rule.path.matches(request.path);
}

function acceptDoubtful(rule: NetworkRule, _path: string, request: RequestFact | undefined): boolean {
  if (rule.action === 'allow' || !isNarrow(rule)) return false;
  return request === undefined || rule.ports === undefined || rule.ports.has(request.port);
}
