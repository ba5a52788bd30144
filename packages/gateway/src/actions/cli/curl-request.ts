import { carriesCredential } from '../../shared/credential-forms/header-names.ts';
import { optionValues, parseArgv } from './argv-parser.ts';
import { curlMethod } from './curl.ts';
import { CURL_DATA, CURL_OPTIONS } from './curl-options.ts';
import { readHttpAddress } from './http-words.ts';

/** A request that is spelled out in a command, to the last byte. */
export interface SpelledRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** Options that leave the first request as it is. Any other one makes it unknown: files, forms, proxies, cookies. */
const HARMLESS: ReadonlySet<string> = new Set(
  `--compressed --connect-timeout --create-dirs --data --data-ascii --data-binary --data-raw --dump-header --fail --fail-early
  --fail-with-body --globoff --head --header --http1.1 --http2 --include --ipv4 --ipv6 --json --location --max-redirs
  --max-time --no-buffer --no-progress-meter --output --output-dir --progress-bar --remote-name --request --retry
  --retry-delay --retry-max-time --show-error --silent --tlsv1.2 --tlsv1.3 --url --user-agent --verbose
  --write-out`.split(/\s+/),
);
/** As curl writes one; `Name;` and `Name:` mean something else. */
const HEADER = /^([A-Za-z0-9-]+):[ \t]*(\S(?:.*\S)?)[ \t]*$/;
/** These are written anew on the way, or choose a credential. */
const NOT_SENT =
  /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|cookie2?|x-creds|proxy-.*)$/i;
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** The one request that a curl command will make; undefined when its words do not say all of it. */
export function curlRequest(argv: readonly string[]): SpelledRequest | undefined {
  const parsed = parseArgv(argv.slice(1), CURL_OPTIONS, { abbreviations: true, negation: true });
  if (parsed.doubts.length > 0 || parsed.options.some(({ name }) => !HARMLESS.has(name))) return undefined;
  const [given, ...more] = [...optionValues(parsed, '--url'), ...parsed.positionals];
  const address = given === undefined || more.length > 0 ? undefined : readHttpAddress(given, true);
  if (address?.kind !== 'url' || address.globbed || address.userinfo) return undefined;
  const headers = headersOf(optionValues(parsed, '--header'));
  const data = parsed.options.filter(({ name }) => CURL_DATA.has(name) || name === '--json');
  const body = bodyOf(data);
  if (headers === undefined || body === undefined) return undefined;
  const type = data.length === 0 ? undefined : data[0]?.name === '--json' ? JSON_TYPE : FORM;
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type');
  const whole = type === undefined || hasType ? headers : [...headers, ['Content-Type', type] as const];
  return { method: curlMethod(parsed), url: address.url, body, headers: whole };
}

function headersOf(lines: readonly string[]): readonly (readonly [string, string])[] | undefined {
  const headers: (readonly [string, string])[] = [];
  for (const line of lines) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined || NOT_SENT.test(name)) return undefined;
    // An agent's own credential is left out on the way, and one that is lent is another question.
    if (carriesCredential(name.toLowerCase(), value)) return undefined;
    headers.push([name, value]);
  }
  return headers;
}

/** Undefined: some of it stands in a file, or is encoded by curl. */
function bodyOf(data: readonly { readonly name: string; readonly value?: string }[]): string | undefined {
  const names = new Set(data.map(({ name }) => name === '--json'));
  if (names.size > 1) return undefined;
  const pieces: string[] = [];
  for (const { name, value = '' } of data) {
    const isRaw = name === '--data-raw';
    if (name === '--data-urlencode' || (!isRaw && value.startsWith('@'))) return undefined;
    pieces.push(value);
  }
  return pieces.join(names.has(true) ? '' : '&');
}
