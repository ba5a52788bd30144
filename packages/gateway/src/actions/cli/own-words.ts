import { holdsKnownKey } from '../../shared/credential-forms/values.ts';
import { parseArgv } from './argv-parser.ts';
import { CURL_DATA, CURL_OPTIONS } from './curl-options.ts';

/** What a command line says of its requests, as far as credentials may stand there. */
export interface Said {
  readonly addresses: readonly string[];
  readonly headers: readonly string[];
  readonly cookies: readonly string[];
  /** pairs that go into the query */
  readonly query: readonly string[];
  /** pairs that go into a body */
  readonly form: readonly string[];
  /** `user:password`, or a token */
  readonly logins: readonly string[];
}

const NOTHING: Said = { addresses: [], headers: [], cookies: [], query: [], form: [], logins: [] };

/** Programs that fetch from an address that stands in their words, and what they send along they take from there. */
const FETCHERS: ReadonlySet<string> = new Set(
  `pip pip3 pipx uv uvx poetry npm npx pnpm yarn bun bunx cargo gem helm conda mamba micromamba composer svn hg aria2c
  yt-dlp`.split(/\s+/),
);

/** `undefined`: a program that sends nothing, or of which nothing is known. `words`: all of them, the program first. */
export function saidBy(program: string, words: readonly string[]): Said | undefined {
  switch (program) {
    case 'curl':
      return curlSays(words);
    case 'wget':
      return wgetSays(words);
    case 'git':
      return gitSends(words) ? gitSays(words) : undefined;
    case 'http':
    case 'https':
    case 'xh':
    case 'xhs':
      return httpieSays(words);
    // open: any program
    default:
      return FETCHERS.has(program)
        ? { ...NOTHING, addresses: addressesIn(words), logins: words.filter(isOnlyKey) }
        : undefined;
  }
}

const ADDRESS = /https?:\/\/[^\s'"]+/gi;

/** Addresses anywhere in the words: `--remote=https://…`, `git+https://…`, `url.https://….insteadOf=…`. */
function addressesIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => word.match(ADDRESS) ?? []);
}

/** A key that stands outside of addresses: `--//registry/:_authToken=…`. */
function isOnlyKey(word: string): boolean {
  return holdsKnownKey(word.replaceAll(ADDRESS, ''));
}

const GIT_SENDS: ReadonlySet<string> = new Set(
  `clone fetch pull push ls-remote submodule subtree lfs fetch-pack send-pack http-fetch http-push remote-http
  remote-https request-pull svn`.split(/\s+/),
);
const REMOTE_SENDS: ReadonlySet<string> = new Set(['update', 'show', 'prune', 'set-head', '-f', '--fetch']);
const EXTRA_HEADER = /(?:^|-c|=)http\.(?:.+\.)?extraheader=(.*)$/is;
const HELPER = /(?:^|-c|=)credential\.(?:.+\.)?helper=/i;

/** `git remote add` only writes an address down, `git archive` reads what is here unless it is told where else. */
function gitSends(words: readonly string[]): boolean {
  if (words.some((word) => GIT_SENDS.has(word))) return true;
  if (words.includes('remote')) return words.some((word) => REMOTE_SENDS.has(word));
  return words.includes('archive') && words.some((word) => word.startsWith('--remote'));
}

function gitSays(words: readonly string[]): Said {
  return {
    ...NOTHING,
    addresses: addressesIn(words),
    headers: words.flatMap((word) => EXTRA_HEADER.exec(word)?.[1] ?? []),
    logins: words.filter((word) => HELPER.test(word) && holdsKnownKey(word)),
  };
}

function curlSays(words: readonly string[]): Said {
  const parsed = parseArgv(words.slice(1), CURL_OPTIONS, { abbreviations: true, negation: true });
  const valuesOf = (...names: readonly string[]): readonly string[] =>
    parsed.options.flatMap(({ name, value }) => (names.includes(name) && value !== undefined ? [value] : []));
  const data = valuesOf(...CURL_DATA).filter((value) => !value.startsWith('@'));
  const headers = valuesOf('--header', '--proxy-header');
  const isForm = !headers.some((header) => /^content-type\s*:(?!\s*application\/x-www-form)/i.test(header));
  const inQuery = parsed.options.some(({ name }) => name === '--get');
  const parts = valuesOf('--form', '--form-string').filter((value) => !/=[@<]/.test(value));
  return {
    addresses: [...valuesOf('--url'), ...parsed.positionals],
    headers: [
      ...headers,
      ...valuesOf('--referer').map((value) => `referer: ${value}`),
      ...valuesOf('--user-agent').map((value) => `user-agent: ${value}`),
    ],
    cookies: valuesOf('--cookie').filter((value) => value.includes('=')),
    query: [...valuesOf('--url-query'), ...(inQuery ? data : [])],
    form: [...(inQuery || !isForm ? [] : data), ...parts.map(encodedPair)],
    logins: [...valuesOf('--user'), ...valuesOf('--oauth2-bearer').map((token) => `:${token}`)],
  };
}

const WGET =
  /^(?:--(header|post-data|body-data|user|password|http-user|http-password|user-agent|referer)|-(U))(?:=(.*))?$/s;

function wgetSays(words: readonly string[]): Said {
  const said = {
    addresses: [] as string[],
    headers: [] as string[],
    form: [] as string[],
    logins: [] as string[],
  };
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const [, long, short, attached] = WGET.exec(word) ?? [];
    const option = short === undefined ? long : 'user-agent';
    if (option !== undefined && attached === undefined) at += 1;
    const value = attached ?? words[at] ?? '';
    if (option === undefined) {
      if (!word.startsWith('-')) said.addresses.push(word);
    } else if (option === 'header') said.headers.push(value);
    else if (option === 'user-agent' || option === 'referer') said.headers.push(`${option}: ${value}`);
    else if (option === 'post-data' || option === 'body-data') said.form.push(value);
    else said.logins.push(option.endsWith('password') ? `:${value}` : value);
  }
  return { ...NOTHING, ...said };
}

const HTTPIE_LOGIN = /^(?:--auth|-a)(?:=(.*))?$/s;
const HTTPIE_HEADER = /^([A-Za-z][A-Za-z0-9_-]*):(?!\/\/|=)(.+)$/s;
const HTTPIE_QUERY = /^([^=:@]+)==(.*)$/s;

/** HTTPie and xh: `Name:value`, `name==value`, `-a user:password`. */
function httpieSays(words: readonly string[]): Said {
  const rest = words.slice(1);
  const logins = rest.flatMap((word, at) => {
    const [found, attached] = HTTPIE_LOGIN.exec(word) ?? [];
    return found === undefined ? [] : [attached ?? rest[at + 1] ?? ''];
  });
  const items = rest.filter((word) => !logins.includes(word) && !/^-|:\/\//.test(word));
  return {
    ...NOTHING,
    addresses: addressesIn(rest),
    headers: items.filter((word) => HTTPIE_HEADER.test(word)),
    query: items.flatMap((word) => {
      const [found, name = '', value = ''] = HTTPIE_QUERY.exec(word) ?? [];
      return found === undefined ? [] : [encodedPair(`${name}=${value}`)];
    }),
    logins,
  };
}

function encodedPair(pair: string): string {
  const equals = pair.indexOf('=');
  const [name, value] = equals === -1 ? ['', pair] : [pair.slice(0, equals), pair.slice(equals + 1)];
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
}
