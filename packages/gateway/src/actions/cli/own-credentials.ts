import type { CommandFact, OwnCredential } from '@sallyport/protocol';
import { findInAddress, findInForm } from '../../shared/credential-forms/find-credential.ts';
import { carriesCredential } from '../../shared/credential-forms/header-names.ts';
import { isPlainValue } from '../../shared/credential-forms/plain-values.ts';
import { holdsKnownKey, looksRandom } from '../../shared/credential-forms/values.ts';
import { type Said, saidBy } from './own-words.ts';

type Found = NonNullable<CommandFact['ownCredentials']>[number];

const FORM = 'application/x-www-form-urlencoded';
const PLACEHOLDER = /sp-placeholder-[0-9a-f]{40}/;
const OWN = (): boolean => false;

/** The command, and what it would send of the agent's own, where its words say so. */
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

/** What goes to every host of the command: headers, cookies, a body, a login. */
function besides({ headers, cookies, form, logins }: Said): OwnCredential | undefined {
  for (const header of headers) {
    const [, name = '', value = ''] = /^([^:;]*)[:;]?\s*(.*)$/s.exec(header) ?? [];
    const lower = name.trim().toLowerCase().replaceAll('_', '-');
    if (value === '' || PLACEHOLDER.test(value)) continue;
    if (lower === 'cookie') {
      const found = inCookies(value);
      if (found !== undefined) return { name: found, where: 'cookie' };
    } else if (carriesCredential(lower, value)) return { name: name.trim().slice(0, 64), where: 'header' };
  }
  for (const cookie of cookies) {
    const found = inCookies(cookie);
    if (found !== undefined) return { name: found, where: 'cookie' };
  }
  for (const login of logins) {
    const colon = login.indexOf(':');
    // `-u KEY:`: some services take a key as the user, and a name alone is none.
    const isLogin = login.slice(colon + 1) !== '' && colon !== -1;
    if ((isLogin || isKey(login.slice(0, colon === -1 ? undefined : colon))) && !PLACEHOLDER.test(login))
      return { name: 'Authorization', where: 'header' };
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

const LOGIN_COOKIE = /sess|sid$|auth|login|token|remember|jwt|sso/i;
const FORGERY = /^(?:x[-_])?_?(?:csrf|xsrf)[-_]?(?:token|cookie)?$/i;
const COUNTS_VISITS = /^_(?:ga|gid|gat|gcl|fbp|pk)|^__utm/i;

/** The name of the first cookie by which a site knows who comes: a name that says so, or a value that looks random. */
function inCookies(cookies: string): string | undefined {
  for (const cookie of cookies.split(';')) {
    const equals = cookie.indexOf('=');
    const [name, value] = [cookie.slice(0, equals).trim(), cookie.slice(equals + 1).trim()];
    if (equals === -1 || value === '' || PLACEHOLDER.test(value) || COUNTS_VISITS.test(name)) continue;
    if (LOGIN_COOKIE.test(name) && !FORGERY.test(name) && !isPlainValue(value)) return shown(name);
    if (looksRandom(value) && !FORGERY.test(name)) return shown(name);
  }
  return inPairs(cookies);
}

function shown(name: string): string {
  return name.replaceAll(/[^\x21-\x7e]/g, '?').slice(0, 64);
}

/** Whether a user name is a key. */
function isKey(user: string): boolean {
  return holdsKnownKey(user) || looksRandom(user);
}

function inAddress(url: URL, more: readonly string[]): Found[] {
  const host = hostOf(url);
  const { username, password } = url;
  const login = password === '' ? username : password;
  const isLogin = password !== '' || isKey(username);
  if (login !== '' && isLogin && !PLACEHOLDER.test(`${username}:${password}`))
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
