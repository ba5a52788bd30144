import ipaddr from 'ipaddr.js';
import { placeOfSink } from '../sections/audit.ts';
import type { Config } from '../sections/schema.ts';
import type { ConfigProblem } from './config-check.ts';

/** Two sinks that write to the same place would write every event there twice. */
export function checkSinks({ audit }: Config): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const seen = new Map<string, number>();
  for (const [index, sink] of audit.sinks.entries()) {
    const key = placeOfSink(sink);
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, index);
      continue;
    }
    problems.push({
      severity: 'error',
      path: ['audit', 'sinks', index],
      message: `this sink writes to the same place as sink ${first + 1}`,
      hint: 'remove one of them',
    });
  }
  return problems;
}

/** Beyond loopback the listeners need TLS, or someone who says that it may be without. */
export function checkListeners({ api }: Config): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (!isLoopback(api.host) && api.tls === undefined && !api.insecure) {
    problems.push({
      severity: 'error',
      path: ['api', 'host'],
      message: 'listening beyond loopback needs TLS: tokens could be read on the way',
      hint: 'set `api.tls`, or `api.insecure: true` if something in front does TLS',
    });
  }
  if (api.tls !== undefined && api.insecure) {
    problems.push({
      severity: 'error',
      path: ['api', 'insecure'],
      message: '`insecure: true` and `tls` contradict each other',
      hint: 'remove one of them',
    });
  }
  const owners = new Map<number, string>();
  for (const [name, port] of Object.entries(api.ports)) {
    const owner = owners.get(port);
    if (port !== 0 && owner !== undefined) {
      problems.push({
        severity: 'error',
        path: ['api', 'ports', name],
        message: `port ${port} is taken by \`${owner}\``,
        hint: 'give each listener a port of its own, or 0 for any free one',
      });
    }
    owners.set(port, name);
  }
  return problems;
}

/** `localhost`, and addresses that never leave the machine, also written as IPv4 inside IPv6. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  // SECURITY: only full notation: `127.1` and `0x7f.1` mean different things to different resolvers.
  if (ipaddr.IPv4.isValidFourPartDecimal(host)) return ipaddr.IPv4.parse(host).range() === 'loopback';
  return ipaddr.IPv6.isValid(host) && ipaddr.process(host).range() === 'loopback';
}
