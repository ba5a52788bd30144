import type { CommandFact, OwnCredential } from '@sallyport/protocol';
import { findInAddress, findInForm } from '../../shared/credential-forms/find-credential.ts';
import { carriesCredential } from '../../shared/credential-forms/header-names.ts';
import { holdsKnownKey, looksRandom } from '../../shared/credential-forms/values.ts';
import { parseArgv } from './argv-parser.ts';
import { CURL_DATA, CURL_OPTIONS } from './curl-options.ts';

type Found = NonNullable<CommandFact['ownCredentials']>[number];
/** What a command line says of its requests, as far as credentials may stand there. */
interface Said {
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

const FORM = 'application/x-www-form-urlencoded';
const STAND_IN = /sp-placeholder-[0-9a-f]{40}/;
const OWN = (): boolean => false;

/** The command, and what it would send of the agent's own, where its words say so: curl and wget; git, in an address. */
export function withOwnCredentials(fact: CommandFact): CommandFact {
  const ownCredentials = ownCredentialsOf(fact);
  return ownCredentials.length === 0 ? fact : { ...fact, ownCredentials };
}

function ownCredentialsOf({ program, argv, unknown }: CommandFact): readonly Found[] {
  // A word that the shell still changes (`$TOKEN`) is not known, and in a jail it holds a placeholder.
  const words = unknown === undefined ? argv : argv.map((word) => (/[$`]/.test(word) ? '' : word));
  const said = saidBy(program, words);
  if (said === undefined) return [];
  const urls = said.addresses.flatMap((address) => readAddress(address) ?? []);
  const found = urls.flatMap((url) => inAddress(url, said.query));
  const everywhere = besides(said);
  const hosts = [...new Set(urls.map(hostOf))];
  if (everywhere !== undefined)
    for (const host of hosts.length === 0 ? [''] : hosts) found.push({ ...everywhere, host });
  return found;
}

function saidBy(program: string, words: readonly string[]): Said | undefined {
  switch (program) {
    case 'curl':
      return curlSays(words);
    case 'wget':
      return wgetSays(words);
    case 'git':
      // `git remote add` only writes an address down.
      if (!words.some((word) => GIT_SENDS.has(word))) return undefined;
      return { ...NOTHING, addresses: words.filter((word) => /^https?:\/\//i.test(word)) };
    default:
      return undefined;
  }
}

const GIT_SENDS: ReadonlySet<string> = new Set(['clone', 'fetch', 'pull', 'push', 'ls-remote', 'submodule']);
const NOTHING: Said = { addresses: [], headers: [], cookies: [], query: [], form: [], logins: [] };

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
    headers: [...headers, ...valuesOf('--referer').map((value) => `referer: ${value}`)],
    cookies: valuesOf('--cookie').filter((value) => value.includes('=')),
    query: [...valuesOf('--url-query'), ...(inQuery ? data : [])],
    form: [...(inQuery || !isForm ? [] : data), ...parts.map(encodedPair)],
    logins: valuesOf('--user', '--oauth2-bearer'),
  };
}

const WGET = /^--(header|post-data|body-data|user|password|http-user|http-password)(?:=(.*))?$/s;

function wgetSays(words: readonly string[]): Said {
  const said = {
    addresses: [] as string[],
    headers: [] as string[],
    form: [] as string[],
    logins: [] as string[],
  };
  for (const [index, word] of words.entries()) {
    if (index === 0) continue;
    const [, option, attached] = WGET.exec(word) ?? [];
    const value = attached ?? words[index + 1] ?? '';
    if (option === undefined) {
      if (!word.startsWith('-')) said.addresses.push(word);
    } else if (option === 'header') said.headers.push(value);
    else if (option === 'post-data' || option === 'body-data') said.form.push(value);
    else if (option.endsWith('password')) said.logins.push(`:${value}`);
  }
  return { ...NOTHING, ...said };
}

/** What goes to every host of the command: headers, cookies, a body, a login. */
function besides({ headers, cookies, form, logins }: Said): OwnCredential | undefined {
  for (const header of headers) {
    const [, name = '', value = ''] = /^([^:;]*)[:;]?\s*(.*)$/s.exec(header) ?? [];
    const lower = name.trim().toLowerCase().replaceAll('_', '-');
    if (value === '' || STAND_IN.test(value)) continue;
    if (lower === 'cookie') {
      const found = inPairs(value);
      if (found !== undefined) return { name: found, where: 'cookie' };
    } else if (carriesCredential(lower, value)) return { name: name.trim().slice(0, 64), where: 'header' };
  }
  for (const cookie of cookies) {
    const found = inPairs(cookie);
    if (found !== undefined) return { name: found, where: 'cookie' };
  }
  for (const login of logins) {
    const password = login.slice(login.indexOf(':') + 1);
    if (password !== '' && !STAND_IN.test(login)) return { name: 'Authorization', where: 'header' };
  }
  for (const pairs of form) {
    const found = inPairs(pairs);
    if (found !== undefined) return { name: found, where: 'form' };
  }
  return undefined;
}

/** The name of the first field that is a credential. */
function inPairs(pairs: string): string | undefined {
  return findInForm(pairs.replaceAll(/;\s+/g, ';'), FORM, '', OWN)?.name;
}

function inAddress(url: URL, more: readonly string[]): Found[] {
  const host = hostOf(url);
  const { username, password } = url;
  const login = password === '' ? username : password;
  const isLogin = password !== '' || holdsKnownKey(username) || looksRandom(username);
  if (login !== '' && isLogin && !STAND_IN.test(`${username}:${password}`))
    return [{ name: '', where: 'userinfo', host }];
  const query = [url.search.slice(1), ...more].filter((part) => part !== '').join('&');
  const found = findInAddress({ host, path: url.pathname, query }, OWN);
  return found === undefined ? [] : [{ name: found.name, where: found.where, host }];
}

function readAddress(given: string): URL | undefined {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined;
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '').replace(/^\[|\]$/g, '');
}

function encodedPair(pair: string): string {
  const equals = pair.indexOf('=');
  const [name, value] = equals === -1 ? ['', pair] : [pair.slice(0, equals), pair.slice(equals + 1)];
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
}
