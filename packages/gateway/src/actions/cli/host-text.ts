import type { HostFact } from '@sallyport/protocol';
import { isOrdinaryName } from '../../shared/closed-address.ts';
import { parseHost } from '../../shared/host.ts';
import { ipRange } from '../../shared/ip-range.ts';
import type { CliIntent } from './cli-intent.ts';

/** Schemes whose authority is a host that somebody dials. A bucket (`s3://x`) or a file is none. */
const DIALLED: ReadonlySet<string> = new Set(
  `http https ws wss ftp ftps sftp scp ssh rsync git svn gopher dict telnet tftp ldap ldaps smtp smtps imap imaps pop3
  pop3s socks socks4 socks4a socks5 socks5h tcp udp tls ssl redis rediss postgres postgresql mysql mariadb mongodb amqp
  amqps mqtt mqtts nats sqlserver clickhouse smb smbs cifs rtsp rtsps rtmp rtmps mms nfs afp dav davs webdav webdavs vnc
  rdp memcached kafka zookeeper irc ircs xmpp ipp ipps grpc grpcs h2c`.split(/\s+/),
);
/** Programs take these with any number of slashes, and some with backslashes. */
const WEB: ReadonlySet<string> = new Set(['http', 'https', 'ws', 'wss', 'ftp']);
const USUAL_PORTS: Readonly<Record<string, number>> = { http: 80, ws: 80, https: 443, wss: 443, ssh: 22 };
const ADDRESS = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,40}):([\\/]+)([^\s/?#'"<>|;&`]*)/gi;
const PLACE = /^(\[[0-9a-f:.]+(?:%[^\]]*)?\]|[^:\s/?#@$(){}[\],\\]+)(?::(\d{1,8})(?!\d))?/i;
/** bash's and awk's own sockets. */
const SOCKET_FILE =
  /\/(?:dev\/[./]*(?:tcp|udp)|inet[46]?\/(?:tcp|udp)\/[^/\s]*)\/+([^/\s'"]+)\/+([^/\s'"`;|&)]+)/g;
const AT_MOST = 256;

/** The hosts of every address that a text spells out, wherever it stands in it. Finds none in what it cannot read. */
export function hostsInText(text: string): readonly HostFact[] {
  const hasScheme = text.includes(':/') || text.includes(':\\');
  if (!hasScheme && !text.includes('/tcp/') && !text.includes('/udp/')) return NONE;
  const found: HostFact[] = [];
  for (const [, scheme = '', slashes = '', authority = ''] of text.matchAll(ADDRESS)) {
    const names = scheme.toLowerCase().split(/[+.-]/);
    if (slashes !== '//' && !names.some((name) => WEB.has(name))) continue;
    const usual = names.map((name) => USUAL_PORTS[name]).find((port) => port !== undefined);
    const hosts = hostsOfAuthority(authority, usual);
    // Of a scheme that nobody knows, a name may be anything; an address is one.
    found.push(...(names.some((name) => DIALLED.has(name)) ? hosts : hosts.filter(isTelling)));
    if (found.length >= AT_MOST) break;
  }
  for (const [, host = '', port = ''] of text.matchAll(SOCKET_FILE))
    found.push(...hostFact(host, /^\d+$/.test(port) ? Number(port) : undefined));
  return found;
}

const NONE: readonly HostFact[] = [];

/** SECURITY: programs differ in what `good\@evil` and `a@b@c` name; each reading counts. */
function hostsOfAuthority(authority: string, usual: number | undefined): readonly HostFact[] {
  const readings = authority.includes('\\') ? authority.split('\\') : [authority];
  return readings.flatMap((reading) =>
    alternatives(reading.slice(reading.lastIndexOf('@') + 1)).flatMap((list) =>
      list.split(',').flatMap((place) => {
        const [, host = '', port] = PLACE.exec(place) ?? [];
        return hostFact(host, port === undefined ? usual : Number(port));
      }),
    ),
  );
}

/** `{a,b}` and `[1-3]`, as curl reads them in an address. */
function alternatives(text: string): readonly string[] {
  let all = [text];
  for (let more = /[{[]/.test(text); more && all.length < AT_MOST; ) {
    more = false;
    all = all.flatMap((one) => {
      const group = /^(.*?)(?:\{([^{}]*,[^{}]*)\}|\[(\d{1,5})-(\d{1,5})(?::\d+)?\])(.*)$/s.exec(one);
      if (group === null) return [one];
      more = true;
      const [, before = '', names, from = '0', to = '0', after = ''] = group;
      const values = names?.split(',') ?? numbers(Number(from), Number(to));
      return values.map((value) => before + value + after);
    });
  }
  return all.slice(0, AT_MOST);
}

function numbers(from: number, to: number): readonly string[] {
  return Array.from({ length: Math.min(Math.max(to - from + 1, 0), AT_MOST) }, (_, at) => String(from + at));
}

/** One host, if the text is one. */
export function hostFact(text: string, port?: number): readonly HostFact[] {
  const host = parseHost(text.includes('%') ? decoded(text) : text);
  if (host === undefined) return NONE;
  return [port === undefined ? { host: host.text } : { host: host.text, port }];
}

/** Programs decode what is escaped in a host, and cut off the zone of an address. */
function decoded(text: string): string {
  if (text.startsWith('[')) return text.replace(/%[^\]]*/, '');
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** `[scheme://][user@]host[:port][/path]`, the way proxies and servers are named. */
export function hostOfPlace(text: string): readonly HostFact[] {
  const [before = '', scheme = ''] = /^(?:([a-z][a-z0-9+.-]*):)?\/\//i.exec(text) ?? [];
  const bare = text.slice(before.length).replace(/^[^/]*@/, '');
  const [whole = '', host = '', port] = PLACE.exec(bare) ?? [];
  if (!/^:?(?:[/?#]|$)/.test(bare.slice(whole.length))) return NONE;
  return hostFact(host, port === undefined ? USUAL_PORTS[scheme.toLowerCase()] : Number(port));
}

/** Whether a host is told by its own text: an address, or a name that always leads to one. */
export function isTelling({ host }: HostFact): boolean {
  // `db1` ends like an address, and is none.
  return !isOrdinaryName(host) && (!/\d$/.test(host) || /^localhost[46]/.test(host) || isAddress(host));
}

function isAddress(host: string): boolean {
  return parseHost(host)?.kind === 'ip';
}

/** Services that hand out credentials, and their like: no program is given these addresses for another reason. */
const SERVICE =
  /(?<![\d.])(?:169\.254\.\d{1,3}\.\d{1,3}|100\.100\.100\.200|168\.63\.129\.16)(?!\.?\d)|\bfd00:ec2::\w+/gi;
const NUMBERS = /^(?:[^=]*=)?((?:0x[0-9a-f]+|\d[\da-fx]*)(?:\.[\da-fx]+){0,3})(?::(\d{1,5}))?$/i;

/** The addresses of such services in a word, whatever program it is given to. */
export function serviceHosts(word: string): readonly HostFact[] {
  // The shortest of them has ten characters.
  if (word.length < 10) return NONE;
  const found = (word.match(SERVICE) ?? []).flatMap((address) => hostFact(address));
  if (found.length > 0) return found;
  const [, address = '', port] = NUMBERS.exec(word) ?? [];
  if (address.length < 9) return NONE;
  return hostFact(address, port === undefined ? undefined : Number(port)).filter(({ host }) =>
    /^(?:metadata|link-local)$/.test(ipRange(host)),
  );
}

/** Each host once. */
export function eachOnce(hosts: readonly HostFact[]): readonly HostFact[] {
  if (hosts.length < 2) return hosts;
  return hosts.filter(
    (fact, at) => hosts.findIndex(({ host, port }) => host === fact.host && port === fact.port) === at,
  );
}

/** The same intent, which also talks to these hosts. */
export function withHosts(intent: CliIntent, hosts: readonly HostFact[]): CliIntent {
  if (hosts.length === 0) return intent;
  return { ...intent, hosts: eachOnce([...(intent.hosts ?? []), ...hosts]) };
}
