import { hasOption, optionTable, optionValues, type ParsedArgv, parseArgv } from './argv-parser.ts';
import {
  asUnknown,
  type CliContext,
  type CliIntent,
  readIntent,
  unknownVerb,
  writeIntent,
} from './cli-intent.ts';
import { withHosts } from './host-text.ts';
import {
  type HttpAddress,
  headerTrick,
  hostsOfAddresses,
  queryTrick,
  readHttpAddress,
} from './http-words.ts';
import { withOutput } from './output-file.ts';

const OPTIONS = optionTable({
  none: `-V|--version -h|--help -b|--background -d|--debug -q|--quiet -v|--verbose --no-verbose -F|--force-html
    -c|--continue --no-clobber --show-progress -N|--timestamping --no-if-modified-since -S|--server-response --spider
    --no-dns-cache -4|--inet4-only -6|--inet6-only --random-wait --no-proxy -x|--force-directories --no-directories
    --no-host-directories --protocol-directories --no-cache --no-cookies --no-config -E|--adjust-extension
    --ignore-length --save-headers --no-http-keep-alive --content-disposition --content-on-error
    --trust-server-names --auth-no-challenge --no-check-certificate -r|--recursive --delete-after -k|--convert-links
    -K|--backup-converted -m|--mirror -p|--page-requisites -H|--span-hosts -L|--relative --no-parent --follow-ftp
    --retry-connrefused --no-netrc --https-only --unlink --xattr --ask-password --keep-session-cookies`,
  value: `-e|--execute -o|--output-file -a|--append-output -i|--input-file -B|--base --config -t|--tries
    -O|--output-document --start-pos --progress --dns-timeout --connect-timeout --read-timeout -T|--timeout
    -w|--wait --waitretry -Q|--quota --bind-address --limit-rate --restrict-file-names --prefer-family --user
    --password --use-askpass --local-encoding --remote-encoding -P|--directory-prefix --cut-dirs --default-page
    --http-user --http-password --header --compression --max-redirect --proxy-user --proxy-password --referer
    -U|--user-agent --load-cookies --save-cookies --post-data --post-file --method --body-data --body-file
    --secure-protocol --certificate --certificate-type --private-key --private-key-type --ca-certificate
    --ca-directory --crl-file --pinnedpubkey --ciphers --hsts-file --warc-file --warc-header --warc-max-size -l|--level
    -A|--accept -R|--reject --accept-regex --reject-regex --regex-type -D|--domains --exclude-domains --follow-tags
    --ignore-tags -I|--include-directories -X|--exclude-directories --rejected-log --report-speed`,
  // `-nv`, `-nc`, `-nd`, `-nH`, `-np`: the letters belong to `-n`.
  maybe: '-n --backups',
});

const DANGEROUS: ReadonlyMap<string, string> = new Map([
  ['--execute', 'runs a line of a configuration'],
  ['--config', 'reads a configuration'],
  ['--input-file', 'takes addresses from a file'],
  ['--base', 'changes what addresses mean'],
  ['--use-askpass', 'runs a program'],
  ['--ask-password', 'asks someone'],
  ['--content-disposition', 'lets the server name the file'],
  ['--trust-server-names', 'lets the server name the file'],
  ['--span-hosts', 'goes on to other hosts'],
  ['--follow-ftp', 'speaks another protocol'],
  ['--load-cookies', 'sends cookies kept in a file'],
  ['--user', 'sends credentials'],
  ['--password', 'sends credentials'],
  ['--http-user', 'sends credentials'],
  ['--http-password', 'sends credentials'],
  ['--certificate', 'sends credentials'],
  ['--private-key', 'sends credentials'],
  ['--bind-address', 'sends the request another way'],
  ['--no-proxy', 'sends the request another way'],
  ['--proxy-user', 'sends the request another way'],
]);

const OUTPUTS = [
  '--output-document',
  '--output-file',
  '--append-output',
  '--save-cookies',
  '--hsts-file',
] as const;
const BODIES = ['--post-data', '--post-file', '--body-data', '--body-file'] as const;

/** wget: a GET that saves into the working folder is a read. */
export function classifyWget(argv: readonly string[], context: CliContext): CliIntent {
  const parsed = parseArgv(argv.slice(1), OPTIONS, { abbreviations: true, negation: true });
  const addresses = parsed.positionals.map((given) => readHttpAddress(given, false));
  const [first] = addresses;
  if (first === undefined) return asUnknown(unknownVerb('wget', undefined), '`wget` without an address');

  const method = optionValues(parsed, '--method').at(-1) ?? impliedMethod(parsed);
  const overridden =
    optionValues(parsed, '--header').some((header) => headerTrick(header) === 'write') ||
    addresses.some((address) => address.kind === 'url' && queryTrick(address.url));
  const reads = (method === 'GET' || method === 'HEAD') && !hasOption(parsed, ...BODIES) && !overridden;
  const base = reads
    ? readIntent('remote', 'custom:http', method)
    : writeIntent('remote', 'custom:http', method);
  const many = addresses.length > 1 || hasOption(parsed, '--recursive', '--mirror', '--page-requisites');
  const named = withHosts(base, hostsOfAddresses(addresses));
  const placed: CliIntent =
    first.kind === 'url' && !many ? { ...named, request: { method, url: first.url } } : named;
  const intent = filesOf(parsed, addresses).reduce((held, file) => withOutput(held, file, context), placed);
  const reason = danger(parsed, addresses);
  return reason === undefined ? intent : asUnknown(intent, reason);
}

function impliedMethod(parsed: ParsedArgv): string {
  if (hasOption(parsed, ...BODIES)) return 'POST';
  return hasOption(parsed, '--spider') ? 'HEAD' : 'GET';
}

function filesOf(parsed: ParsedArgv, addresses: readonly HttpAddress[]): readonly string[] {
  const named = OUTPUTS.flatMap((name) => optionValues(parsed, name));
  if (hasOption(parsed, '--output-document', '--spider')) return named;
  const folder = optionValues(parsed, '--directory-prefix').at(-1);
  const saved = addresses.map((address) => {
    const name = address.kind === 'url' ? (new URL(address.url).pathname.split('/').at(-1) ?? '') : '';
    return folder === undefined ? name || 'index.html' : `${folder}/${name || 'index.html'}`;
  });
  return [...named, ...saved];
}

function danger(parsed: ParsedArgv, addresses: readonly HttpAddress[]): string | undefined {
  if (parsed.doubts[0] !== undefined) return parsed.doubts[0];
  for (const address of addresses) {
    if (address.kind === 'unknown') return address.reason;
    if (address.userinfo) return 'the address holds credentials of its own';
  }
  for (const { name, value = '' } of parsed.options) {
    const reason = DANGEROUS.get(name) ?? (name.startsWith('--warc') ? 'writes other files' : undefined);
    if (reason !== undefined) return `\`${name}\` ${reason}`;
    const trick = name === '--header' ? headerTrick(value) : undefined;
    if (typeof trick === 'object') return trick.reason;
  }
  return undefined;
}
