import type { Opinion } from '@sallyport/protocol';
import type { NetworkPolicy } from '../policy/compiled-policy.ts';
import type { Carried } from '../policy/snapshot.ts';
import { ask } from './layer.ts';

/**
 * Reads carry data out too, in what they ask for [NE-10]. Each time, and not by a standing answer: whoever said that a host
 * may be read did not say that it may be told a file.
 */
export function askAboutReads(network: NetworkPolicy, carried: Carried): Opinion | undefined {
  if (!isOverBudget(network, carried)) return undefined;
  const { host, request, fresh, before } = carried;
  const { request: one, session: all, quote } = network.readBudget;
  if (request > one)
    return ask(
      'boundary',
      'each-time',
      `its address and headers carry ${request} bytes to \`${host}\`, and a read may carry ${one}`,
      quote,
    );
  const told = `reads of this session have carried ${before + fresh} bytes to \`${host}\` in addresses and headers`;
  return ask('boundary', 'each-time', `${told}, and may carry ${all} without a question`, quote);
}

export function isOverBudget({ readBudget }: NetworkPolicy, { request, fresh, before }: Carried): boolean {
  return request > readBudget.request || before + fresh > readBudget.session;
}
