import type { HostFact } from '@sallyport/protocol';
import { assertNever } from '../../shared/assert-never.ts';
import { optionTable, optionValues, parseArgv } from './argv-parser.ts';
import { curlHosts } from './curl-hosts.ts';
import { CURL_OPTIONS } from './curl-options.ts';
import { HOST_PROGRAMS, type HostWords } from './host-programs.ts';
import { hostsInAssignment } from './host-settings.ts';
import { hostFact, hostOfPlace, isTelling } from './host-text.ts';

/** The hosts that the words of one program name, the program first. */
export type HostReader = (argv: readonly string[]) => readonly HostFact[];

const SSH = optionTable({
  none: '-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y',
  value: '-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w',
});
/** `host:path` and `user@host:path`; a letter alone is a drive, a path has a slash before the colon. */
const FILE_PLACE = /^(?:[^@/:]+@)?(\[[0-9a-f:.]+\]|[^:/[\]]{2,}):(?!\/\/)/i;

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

/** `TCP:host:port,option`, `SOCKS4A:proxy:host:port`. What listens names nobody. */
const relayHosts: HostReader = (argv) =>
  argv.slice(1).flatMap((word) => {
    const [, kind = '', rest = ''] = /^([a-z0-9-]+):(.*)$/is.exec(word) ?? [];
    if (!/^(?:tcp|udp|sctp|dccp|udplite|openssl|ssl|dtls|socks|proxy|ip)/i.test(kind) || /listen/i.test(kind))
      return [];
    const parts = (rest.split(',')[0] ?? '').match(/\[[^\]]*\]|[^:]+/g) ?? [];
    const port = Number(parts.at(-1));
    // The last one is the port, or for `IP` a protocol.
    return parts.slice(0, -1).flatMap((host) => hostFact(host, Number.isInteger(port) ? port : undefined));
  });

const assignmentHosts: HostReader = (argv) => argv.slice(1).flatMap(hostsInAssignment);

interface Row {
  readonly hosts: ReadonlySet<string>;
  readonly settings: ReadonlySet<string>;
  readonly ports: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  readonly operands: HostWords['operands'];
}

const setOf = (names: string | undefined): ReadonlySet<string> => new Set(names?.split(/\s+/));

/** A reader for a row of the table. */
function rowReader(words: HostWords): HostReader {
  const row: Row = {
    hosts: setOf(words.hosts),
    settings: setOf(words.settings),
    ports: setOf(words.ports),
    values: setOf(words.values),
    operands: words.operands,
  };
  return (argv) => readRow(argv, row);
}

function readRow(argv: readonly string[], row: Row): readonly HostFact[] {
  const found: HostFact[] = [];
  const operands: string[] = [];
  let port: number | undefined;
  for (let at = 1; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (!word.startsWith('-') || word === '-') {
      operands.push(word);
      continue;
    }
    const { name, attached } = optionOf(word, row);
    const isKnown =
      row.hosts.has(name) || row.settings.has(name) || row.ports.has(name) || row.values.has(name);
    if (!isKnown) {
      // `-qh HOST`: letters that stand together.
      const last = /^-[A-Za-z]{2,}$/.test(word) ? `-${word.at(-1)}` : '';
      if (row.hosts.has(last)) found.push(...hostsOfList(argv[at + 1] ?? '').filter(isTelling));
      continue;
    }
    if (attached === undefined) at += 1;
    const value = attached ?? argv[at] ?? '';
    if (row.hosts.has(name)) found.push(...hostsOfList(value));
    else if (row.settings.has(name)) found.push(...hostsInAssignment(value));
    else if (row.ports.has(name) && /^\d{1,5}$/.test(value)) port = Number(value);
  }
  const { hosts, ownPort } = readOperands(row.operands === 'keyed' ? argv.slice(1) : operands, row.operands);
  const at = port ?? ownPort;
  return [...found, ...hosts].map((fact) =>
    fact.port === undefined && at !== undefined ? { ...fact, port: at } : fact,
  );
}

/** `--host=x`, `--host`, `-connect`, `-hx`, `-h=x`, `-h`. */
function optionOf(word: string, row: Row): { name: string; attached: string | undefined } {
  const equals = word.indexOf('=');
  const whole = equals === -1 ? word : word.slice(0, equals);
  const isLong = word.startsWith('--') || row.hosts.has(whole) || row.ports.has(whole);
  if (isLong) return { name: whole, attached: equals === -1 ? undefined : word.slice(equals + 1) };
  const rest = word.slice(2).replace(/^=/, '');
  return { name: word.slice(0, 2), attached: rest === '' ? undefined : rest };
}

/** `http:http://x` of HTTPie is a proxy for a scheme. */
function hostsOfList(value: string): readonly HostFact[] {
  return value
    .split(/[\s,]+/)
    .flatMap((place) => hostOfPlace(place.replace(/^(?:https?|all|tcp):(?!\/\/)/i, '')));
}

const METHOD = /^(?:get|head|options|post|put|patch|delete|trace|connect|[A-Z]+)$/;
const SMALL_NUMBER = /^\d{1,5}(?:-\d+)?$/;
const KEYED = /(?:^|[\s;?&='])(?:host|hostaddr|server|address|data source)\s*=\s*'?(?:tcp:)?([^\s;&']+)/gi;

function readOperands(
  operands: readonly string[],
  kind: HostWords['operands'],
): { readonly hosts: readonly HostFact[]; readonly ownPort?: number } {
  switch (kind) {
    case undefined:
      return { hosts: [] };
    case 'socket': {
      const last = operands.at(-1) ?? '';
      // `nc 0 80`: where two stand, the first is the host, whatever it looks like.
      const hosts = operands.filter(
        (word, at) => !SMALL_NUMBER.test(word) || (at === 0 && operands.length > 1),
      );
      const ownPort = operands.length > 1 && /^\d{1,5}$/.test(last) ? { ownPort: Number(last) } : {};
      return { hosts: hosts.flatMap(hostOfPlace), ...ownPort };
    }
    case 'first': {
      // HTTPie: a method may stand before it, and `:3000/x` is this machine.
      const first = operands.find((word) => !METHOD.test(word)) ?? '';
      return { hosts: SMALL_NUMBER.test(first) ? [] : hostOfPlace(first.replace(/^:/, 'localhost:')) };
    }
    case 'addresses':
      return {
        hosts: operands
          .filter((word) => !SMALL_NUMBER.test(word))
          .flatMap((word) => hostOfPlace(word.replace(/^@/, '')))
          .filter(isTelling),
      };
    case 'keyed':
      return {
        hosts: operands.flatMap((word) =>
          [...word.matchAll(KEYED)].flatMap(([, list = '']) => hostsOfList(list)),
        ),
      };
    default:
      return assertNever(kind);
  }
}

/** Programs of which it is known where they go, whatever else they do. */
export const HOST_READERS: ReadonlyMap<string, HostReader> = new Map<string, HostReader>([
  ...Object.entries(HOST_PROGRAMS).map(([name, words]) => [name, rowReader(words)] as const),
  ...['ssh', 'autossh', 'mosh', 'ssh-copy-id', 'sftp', 'ssh-keyscan'].map(
    (name) => [name, shellHosts] as const,
  ),
  ...['scp', 'rsync', 'sshfs'].map((name) => [name, copyHosts] as const),
  ['socat', relayHosts],
  [
    'curl',
    (argv) => curlHosts(parseArgv(argv.slice(1), CURL_OPTIONS, { abbreviations: true, negation: true })),
  ],
  ...['export', 'declare', 'typeset', 'local', 'readonly', 'env', 'sudo'].map(
    (name) => [name, assignmentHosts] as const,
  ),
]);
