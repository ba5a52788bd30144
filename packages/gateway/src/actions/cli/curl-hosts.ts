import type { HostFact } from '@sallyport/protocol';
import { optionValues, type ParsedArgv } from './argv-parser.ts';
import { eachOnce, hostFact, hostOfPlace, hostsInText } from './host-text.ts';

const PROXIES = '--proxy --preproxy --proxy1.0 --socks4 --socks4a --socks5 --socks5-hostname'.split(' ');

/** Hosts that stand between, or in the place of the one that the address names. `ports`: of the addresses. */
export function hostsOnTheWay(parsed: ParsedArgv, ports: readonly number[]): readonly HostFact[] {
  return [
    ...optionValues(parsed, ...PROXIES, '--doh-url').flatMap(hostOfPlace),
    ...optionValues(parsed, '--dns-servers').flatMap((list) => list.split(',').flatMap(hostOfPlace)),
    // HOST:PORT:TO:PORT
    ...optionValues(parsed, '--connect-to').flatMap((value) => {
      const [, host = '', port = ''] = /^(?:\[[^\]]*\]|[^:]*):\d*:(\[[^\]]*\]|[^:]*):(\d*)/.exec(value) ?? [];
      return atPorts(host, port === '' ? ports : [Number(port)]);
    }),
    // HOST:PORT:ADDRESS[,ADDRESS]
    ...optionValues(parsed, '--resolve').flatMap((value) => {
      const [, port = '', list = ''] = /^[+-]?(?:\[[^\]]*\]|[^:]*):(\d*):(.*)$/.exec(value) ?? [];
      return list.split(',').flatMap((host) => atPorts(host, port === '' ? ports : [Number(port)]));
    }),
  ];
}

function atPorts(host: string, ports: readonly number[]): readonly HostFact[] {
  return ports.length === 0 ? hostFact(host) : ports.flatMap((port) => hostFact(host, port));
}

/** Every host of a curl command of which nobody can say what it does. */
export function curlHosts(parsed: ParsedArgv): readonly HostFact[] {
  const addresses = [...optionValues(parsed, '--url'), ...parsed.positionals];
  const named = eachOnce(
    addresses.flatMap((address) =>
      address.includes(':/') || address.includes(':\\') || /^\d{1,5}$/.test(address)
        ? hostsInText(address)
        : hostsInText(`http://${address}`),
    ),
  );
  const ports = [...new Set(named.flatMap(({ port }) => (port === undefined ? [] : [port])))];
  return [...named, ...hostsOnTheWay(parsed, ports)];
}
