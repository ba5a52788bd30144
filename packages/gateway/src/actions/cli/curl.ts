import { hasOption, optionValues, type ParsedArgv, parseArgv } from './argv-parser.ts';
import {
  asUnknown,
  type CliContext,
  type CliIntent,
  readIntent,
  unknownVerb,
  writeIntent,
} from './cli-intent.ts';
import { hostsOnTheWay } from './curl-hosts.ts';
import { CURL_DANGEROUS, CURL_DATA, CURL_OPTIONS, CURL_OUTPUTS } from './curl-options.ts';
import { withHosts } from './host-text.ts';
import {
  type HttpAddress,
  headerTrick,
  hostsOfAddresses,
  queryTrick,
  readHttpAddress,
} from './http-words.ts';
import { withOutput } from './output-file.ts';

/** The words of a curl command as curl reads them, the program first. */
export function parseCurl(argv: readonly string[]): ParsedArgv {
  return parseArgv(argv.slice(1), CURL_OPTIONS, { abbreviations: true, negation: true });
}

/** curl: a plain GET or HEAD is a read, all else a write; what leads elsewhere is unknown. */
export function classifyCurl(argv: readonly string[], context: CliContext): CliIntent {
  const parsed = parseCurl(argv);
  const asksHelp = hasOption(parsed, '--version', '--help', '--manual');
  if (
    asksHelp &&
    parsed.doubts.length === 0 &&
    parsed.positionals.length === 0 &&
    parsed.options.length === 1
  ) {
    return readIntent('workspace', 'custom:http', 'help');
  }
  const addresses = [...optionValues(parsed, '--url'), ...parsed.positionals].map((given) =>
    readHttpAddress(given, !hasOption(parsed, '--globoff')),
  );
  if (addresses.length === 0) return asUnknown(unknownVerb('curl', undefined), '`curl` without an address');

  const method = curlMethod(parsed);
  const reads = (method === 'GET' || method === 'HEAD') && !sendsMore(parsed, method, addresses);
  const base = reads
    ? readIntent('remote', 'custom:http', method)
    : writeIntent('remote', 'custom:http', method);
  const placed = withFiles(withAddress(base, method, addresses, parsed), parsed, addresses, context);
  const reason = danger(parsed, addresses);
  return reason === undefined ? placed : asUnknown(placed, reason);
}

/** The method of the request, or of the one that writes. */
export function curlMethod(parsed: ParsedArgv): string {
  const hasData = parsed.options.some(({ name }) => CURL_DATA.has(name));
  const hasForm = hasOption(parsed, '--form', '--form-string', '--json');
  const implied = hasOption(parsed, '--upload-file')
    ? 'PUT'
    : hasForm || (hasData && !hasOption(parsed, '--get'))
      ? 'POST'
      : hasOption(parsed, '--head')
        ? 'HEAD'
        : 'GET';
  const given = optionValues(parsed, '--request');
  // SECURITY: after `--next` each request has options of its own; the one that writes names them all.
  return given.find((method) => method !== 'GET' && method !== 'HEAD') ?? given.at(-1) ?? implied;
}

/** Whether a GET or HEAD carries what makes it a write all the same. */
function sendsMore(parsed: ParsedArgv, method: string, addresses: readonly HttpAddress[]): boolean {
  const data = parsed.options.filter(({ name }) => CURL_DATA.has(name));
  const inQuery = hasOption(parsed, '--get') && method === 'GET' && !hasOption(parsed, '--next');
  const hasBody = hasOption(parsed, '--form', '--form-string', '--json', '--upload-file');
  return (
    hasBody ||
    (data.length > 0 && !inQuery) ||
    sentFiles(parsed).length > 0 ||
    addresses.some((address) => address.kind === 'url' && queryTrick(address.url)) ||
    [...data, ...parsed.options.filter(({ name }) => name === '--url-query')].some(({ value = '' }) =>
      queryTrick(value),
    ) ||
    optionValues(parsed, '--header').some((header) => headerTrick(header) === 'write')
  );
}

/** Local files whose content goes out. `--data-raw` takes `@` literally. */
function sentFiles(parsed: ParsedArgv): readonly string[] {
  return parsed.options.flatMap(({ name, value = '' }) => {
    if (name === '--upload-file') return [value];
    if (/^--(?:data|data-ascii|data-binary|json)$/.test(name) && value.startsWith('@'))
      return [value.slice(1)];
    const encoded = /^--(?:data-urlencode|url-query)$/.test(name)
      ? /^[^=]*@(.*)$/s.exec(value)?.[1]
      : undefined;
    const formFile = name === '--form' ? /=[@<](.*)$/s.exec(value)?.[1] : undefined;
    return [encoded ?? formFile].filter((file) => file !== undefined);
  });
}

function withAddress(
  base: CliIntent,
  method: string,
  addresses: readonly HttpAddress[],
  parsed: ParsedArgv,
): CliIntent {
  const sent = sentFiles(parsed);
  const operation = sent.length === 0 ? method : `${method} with the content of ${sent.join(', ')}`;
  const [only] = addresses;
  const hosts = hostsOfAddresses(addresses);
  const ports = hosts.flatMap(({ port }) => (port === undefined ? [] : [port]));
  const named = withHosts({ ...base, operation }, [...hosts, ...hostsOnTheWay(parsed, ports)]);
  if (only?.kind !== 'url' || addresses.length > 1) return named;
  const queryGrows = hasOption(parsed, '--url-query', '--get');
  const overridden = optionValues(parsed, '--header').some((header) => headerTrick(header) === 'write');
  const single = !only.globbed && !queryGrows && !overridden;
  return single ? { ...named, request: { method, url: only.url } } : named;
}

function withFiles(
  intent: CliIntent,
  parsed: ParsedArgv,
  addresses: readonly HttpAddress[],
  context: CliContext,
): CliIntent {
  const folder = optionValues(parsed, '--output-dir').at(-1);
  const inFolder = (name: string): string => (folder === undefined ? name : `${folder}/${name}`);
  const files = parsed.options.flatMap(({ name, value }) =>
    CURL_OUTPUTS.has(name) && value !== undefined
      ? [name === '--output' && value !== '-' ? inFolder(value) : value]
      : [],
  );
  const named = hasOption(parsed, '--remote-name', '--remote-name-all')
    ? addresses.map((address) =>
        inFolder(address.kind === 'url' ? (new URL(address.url).pathname.split('/').at(-1) ?? '') : ''),
      )
    : [];
  return [...files, ...named].reduce((held, file) => withOutput(held, file, context), intent);
}

function danger(parsed: ParsedArgv, addresses: readonly HttpAddress[]): string | undefined {
  if (parsed.doubts[0] !== undefined) return parsed.doubts[0];
  for (const address of addresses) {
    if (address.kind === 'unknown') return address.reason;
    if (address.userinfo) return 'the address holds credentials of its own';
  }
  for (const { name, value = '' } of parsed.options) {
    const reason = CURL_DANGEROUS.get(name);
    if (reason !== undefined) return reason;
    const trick = name === '--header' ? headerTrick(value) : undefined;
    if (typeof trick === 'object') return trick.reason;
    if (name === '--cookie' && !value.includes('=')) return '`--cookie` sends cookies kept in a file';
    // `%output{file}` in a format writes a file, `@file` takes the format from one.
    if (name === '--write-out' && /^@|%output\{/.test(value)) return '`--write-out` reads or writes a file';
  }
  return undefined;
}
