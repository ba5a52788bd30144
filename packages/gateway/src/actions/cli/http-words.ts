import type { HostFact } from '@sallyport/protocol';
import { hasOverrideInQuery, isMethodOverride, isOverrideHeader } from '../http/index.ts';
import { hostFact } from './host-text.ts';

/** A URL that curl and wget read in one way only. */
const PLAIN_URL =
  /^(https?):\/\/(?:[^@/\\?#\s]*@)?(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9.])?)(?::\d{1,5})?(?:[/?#][^\s\\]*)?$/i;

/** Hosts that make curl guess another protocol when no scheme is written. */
const GUESSED = /^(?:ftps?|dict|ldaps?|imaps?|smtps?|pop3s?)\./i;

export type HttpAddress =
  | {
      readonly kind: 'url';
      readonly url: string;
      readonly host: string;
      readonly port: number;
      readonly globbed: boolean;
      readonly userinfo: boolean;
    }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Reads an address word. Whatever two parsers may read differently is unknown. */
export function readHttpAddress(given: string, globbing: boolean): HttpAddress {
  const unknown = (reason: string): HttpAddress => ({ kind: 'unknown', reason: `\`${given}\` ${reason}` });
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(given)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https')
    return unknown(`uses \`${scheme}\`, not HTTP`);
  // Newer versions of curl read addresses from the file `@x`.
  if (given.startsWith('@')) return unknown('names a file of addresses');
  if (scheme === undefined && GUESSED.test(given)) return unknown('makes the protocol a guess');
  const url = scheme === undefined ? `http://${given}` : given;
  const host = PLAIN_URL.exec(url)?.[2];
  // SECURITY: `http://good\@evil`, `http:/x`, blanks and control characters lead programs to different hosts.
  if (host === undefined || !URL.canParse(url)) return unknown('can be read in more than one way');
  const globbed = globbing && /[{}[\]]/.test(url.replace(/^https?:\/\/(?:[^@/]*@)?\[[0-9a-f:.]+\]/i, ''));
  // A password in the address is not part of what is asked for, and is shown to nobody.
  const bare = url.replace(/^(https?:\/\/)[^@/?#]*@/i, '$1');
  const { hostname, port, protocol } = new URL(url);
  return {
    kind: 'url',
    url: bare,
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    host: hostname.replace(/\.$/, '').replace(/^\[|\]$/g, ''),
    globbed,
    userinfo: bare !== url,
  };
}

/** The hosts of those addresses that can be read. */
export function hostsOfAddresses(addresses: readonly HttpAddress[]): readonly HostFact[] {
  return addresses.flatMap((address) => (address.kind === 'url' ? hostFact(address.host, address.port) : []));
}

const isRead = (value: string): boolean => /^\s*(?:GET|HEAD|OPTIONS)\s*$/i.test(value);

/** Whether an address, or what a program adds to its query, makes the server run another method. */
export function queryTrick(text: string): boolean {
  return hasOverrideInQuery(text.slice(text.indexOf('?') + 1), 'GET');
}

/** What a header written by hand does to the request; undefined when it only says something. */
export function headerTrick(header: string): 'write' | { readonly reason: string } | undefined {
  if (header.startsWith('@')) return { reason: `\`${header}\` sends lines of a file as headers` };
  if (/[\r\n]/.test(header)) return { reason: 'a header holds more than one line' };
  const [, word = '', value = ''] = /^([^:;]*)[:;]?(.*)$/s.exec(header) ?? [];
  const name = word.trim().toLowerCase();
  if (isOverrideHeader(name) ? !isRead(value) : isMethodOverride(name, value, 'GET')) return 'write';
  if (name === 'upgrade' || (name === 'connection' && /upgrade/i.test(header))) return 'write';
  if (/^(?:host|transfer-encoding|content-length|connection|te|trailer|expect)$/.test(name)) {
    return { reason: `the header \`${name}\` changes how the request is framed or where it goes` };
  }
  return undefined;
}
