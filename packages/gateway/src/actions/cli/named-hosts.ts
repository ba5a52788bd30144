import type { HostFact } from '@sallyport/protocol';
import { parseHost } from '../../shared/host.ts';
import { optionTable, optionValues, parseArgv } from './argv-parser.ts';
import type { CliIntent } from './cli-intent.ts';

/** Schemes whose authority is a host that somebody dials. A bucket (`s3://x`) or a file is none. */
const ADDRESS =
  /\b(https?|wss?|ftps?|s?ftp|scp|ssh|rsync|git|svn|gopher|dict|telnet|tftp|ldaps?|smtps?|imaps?|pop3s?|socks[45][ah]?|tcp|udp|tls|redis|rediss|postgres|postgresql|mysql|mariadb|mongodb|amqps?|mqtts?|nats|sqlserver|clickhouse):\/\/(?:[^\s/@'"?#]*@)?(\[[0-9a-f:.]+\]|[^\s/:?#'"@$`(){}<>|;&,\\[\]]+)(?::(\d{1,5}))?/gi;
const USUAL_PORTS: Readonly<Record<string, number>> = { http: 80, ws: 80, https: 443, wss: 443, ssh: 22 };
const AT_MOST = 64;

/** The hosts of every address that a text spells out, wherever it stands in it. Finds none in what it cannot read. */
export function hostsInText(text: string): readonly HostFact[] {
  const found: HostFact[] = [];
  for (const [, scheme = '', host = '', port] of text.matchAll(ADDRESS)) {
    const at = port === undefined ? USUAL_PORTS[scheme.toLowerCase()] : Number(port);
    found.push(...hostFact(host, at));
    if (found.length >= AT_MOST) break;
  }
  return found;
}

/** One host, if the text is one. */
export function hostFact(text: string, port?: number): readonly HostFact[] {
  const host = parseHost(text);
  if (host === undefined) return [];
  return [port === undefined ? { host: host.text } : { host: host.text, port }];
}

/** `[scheme://][user@]host[:port]`, the way proxies and servers are named. */
export function hostOfPlace(text: string): readonly HostFact[] {
  const [, host = '', port] =
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/]*@)?(\[[0-9a-f:.]+\]|[^:/?#@]+)(?::(\d{1,5}))?(?:[/?#].*)?$/i.exec(
      text,
    ) ?? [];
  return hostFact(host, port === undefined ? undefined : Number(port));
}

/** The same intent, which also talks to these hosts; each is kept once. */
export function withHosts(intent: CliIntent, hosts: readonly HostFact[]): CliIntent {
  if (hosts.length === 0) return intent;
  const known = [...(intent.hosts ?? [])];
  for (const fact of hosts) {
    if (!known.some(({ host, port }) => host === fact.host && port === fact.port)) known.push(fact);
  }
  return { ...intent, hosts: known };
}

const SSH = optionTable({
  none: '-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y',
  value: '-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w',
});
/** `host:path` and `user@host:path`; a letter alone is a drive, a path has a slash before the colon. */
const FILE_PLACE = /^(?:[^@/:]+@)?(\[[0-9a-f:.]+\]|[^:/[\]]{2,}):/i;

type HostReader = (argv: readonly string[]) => readonly HostFact[];

const shellHosts: HostReader = (argv) => {
  const parsed = parseArgv(argv.slice(1), SSH, { stopAtPositional: true });
  const ways = optionValues(parsed, '-J', '-W').flatMap((value) => value.split(','));
  const named = optionValues(parsed, '-o').map(
    (value) => /^(?:hostname|proxyjump)[ =](.*)$/i.exec(value)?.[1],
  );
  return [...ways, ...named, parsed.rest[0]].flatMap((place) => hostOfPlace(place ?? ''));
};
const copyHosts: HostReader = (argv) => {
  const parsed = parseArgv(argv.slice(1), SSH);
  const ways = optionValues(parsed, '-J').flatMap((value) => value.split(','));
  const places = argv.slice(1).map((word) => FILE_PLACE.exec(word)?.[1] ?? '');
  return [...ways.flatMap(hostOfPlace), ...places.flatMap((host) => hostFact(host))];
};
const socketHosts: HostReader = (argv) => {
  const words = argv.slice(1).filter((word) => !word.startsWith('-') && !/^\d+(?:-\d+)?$/.test(word));
  return words.flatMap(hostOfPlace);
};

/** Programs of which nothing is known but where they go. */
const READERS: ReadonlyMap<string, HostReader> = new Map([
  ...['ssh', 'autossh', 'mosh', 'ssh-copy-id', 'sftp'].map((name) => [name, shellHosts] as const),
  ...['scp', 'rsync', 'sshfs'].map((name) => [name, copyHosts] as const),
  ...['nc', 'ncat', 'netcat', 'telnet', 'ftp', 'socat'].map((name) => [name, socketHosts] as const),
]);

/** Every host that the words of a command name, whatever the program does with them. */
export function hostsInWords(argv: readonly string[]): readonly HostFact[] {
  const own = READERS.get(argv[0] ?? '')?.(argv) ?? [];
  return [...own, ...argv.slice(1).flatMap(hostsInText)];
}
