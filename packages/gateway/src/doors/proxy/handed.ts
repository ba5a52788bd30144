import { hash } from 'node:crypto';
import { getDomain } from 'tldts';
import { normalizeRequestTarget, type RequestTarget } from '../../actions/index.ts';
import { signatureIn } from '../../shared/credential-forms/find-credential.ts';
import type { Header } from '../../shared/http-message.ts';
import { lowerFieldName } from '../../shared/http1/index.ts';
import type { Origin } from './incoming.ts';

/** What is kept of one session, and of how many; the oldest goes first. */
const URLS_AT_MOST = 1_000;
const COOKIES_AT_MOST = 300;
const SESSIONS_AT_MOST = 500;
const URL_AT_MOST = 8_192;
const COOKIE_AT_MOST = 4_096;
/** Addresses that one text may hand over. */
const URLS_IN_TEXT = 200;
const ADDRESS = /https?:\/\/[^\s"'<>\\`]{1,8192}/g;

interface Kept {
  readonly urls: Set<string>;
  readonly cookies: Set<string>;
}

/**
 * What answers handed to a session: signed URLs and cookies. They are not the agent's own credentials, and pass where
 * those do not. Digests only, in memory, bounded in number; forgotten when the session ends.
 */
export class Handed {
  // process-local: read with every request; what another gateway was handed is asked about there
  readonly #sessions = new Map<string, Kept>();
  readonly #signalOf: (session: string) => AbortSignal;

  constructor(signalOf: (session: string) => AbortSignal) {
    this.#signalOf = signalOf;
  }

  /** The head of an answer to a request for `target`. Cheap when it hands nothing over. */
  onHead(session: string, from: Origin, target: string, headers: readonly Header[]): void {
    for (const header of headers) {
      switch (header[0].length) {
        case LOCATION.length:
          if (lowerFieldName(header[0]) === LOCATION)
            this.#keepUrl(session, resolved(header[1], from, target));
          break;
        case SET_COOKIE.length:
          if (lowerFieldName(header[0]) === SET_COOKIE) this.#keepCookie(session, from.host, header[1]);
          break;
        case TERRAFORM.length:
          if (lowerFieldName(header[0]) === TERRAFORM) this.onText(session, header[1]);
          break;
      }
    }
  }

  /** A text of an answer: each signed URL that is written out in it. */
  onText(session: string, text: string): void {
    for (const [address] of text.matchAll(ADDRESS).take(URLS_IN_TEXT)) this.#keepUrl(session, address);
  }

  /** Whether the session was handed the URL of this request. */
  hasUrl(session: string, { scheme, host, port }: Origin, target: RequestTarget): boolean {
    const kept = this.#sessions.get(session);
    const digest =
      kept === undefined || kept.urls.size === 0 ? undefined : urlDigest(scheme, host, port, target);
    return digest !== undefined && kept?.urls.has(digest) === true;
  }

  /** Those of the cookies in a `Cookie` header that the session was handed by this site; undefined when none was. */
  cookiesIn(session: string, host: string, header: string): string | undefined {
    const kept = this.#sessions.get(session);
    if (kept === undefined || kept.cookies.size === 0) return undefined;
    const site = siteOf(host);
    const own = header.split(';').filter((pair) => kept.cookies.has(cookieDigest(site, pair)));
    return own.length === 0 ? undefined : own.map((pair) => pair.trim()).join('; ');
  }

  #keepUrl(session: string, address: string | undefined): void {
    if (address === undefined || address.length > URL_AT_MOST || !address.includes('=')) return;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) return;
    const scheme = url.protocol === 'https:' ? 'https' : 'http';
    const port = url.port === '' ? (scheme === 'https' ? 443 : 80) : Number(url.port);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const target = normalizeRequestTarget(`${url.pathname}${url.search}`);
    const digest = urlDigest(scheme, host, port, target);
    if (digest !== undefined) keep(this.#keptOf(session).urls, digest, URLS_AT_MOST);
  }

  #keepCookie(session: string, host: string, header: string): void {
    if (header.length > COOKIE_AT_MOST) return;
    const [pair = ''] = header.split(';', 1);
    keep(this.#keptOf(session).cookies, cookieDigest(siteOf(host), pair), COOKIES_AT_MOST);
  }

  #keptOf(session: string): Kept {
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    if (this.#sessions.size >= SESSIONS_AT_MOST) {
      const oldest = this.#sessions.keys().next();
      if (!oldest.done) this.#sessions.delete(oldest.value);
    }
    const made = { urls: new Set<string>(), cookies: new Set<string>() };
    this.#sessions.set(session, made);
    this.#signalOf(session).addEventListener('abort', () => this.#sessions.delete(session), { once: true });
    return made;
  }
}

const LOCATION = 'location';
const SET_COOKIE = 'set-cookie';
const TERRAFORM = 'x-terraform-get';

function resolved(location: string, { scheme, host, port }: Origin, target: string): string | undefined {
  const base = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}${target}`;
  return URL.canParse(location, base) ? new URL(location, base).href : undefined;
}

/** Host, path and signature: what else the query says may be written in another order. */
function urlDigest(
  scheme: string,
  host: string,
  port: number,
  { path, query, problem }: RequestTarget,
): string | undefined {
  const signature = query === '' || problem !== undefined ? undefined : signatureIn(query);
  return signature === undefined ? undefined : digestOf([scheme, host, String(port), path, signature]);
}

function cookieDigest(site: string, pair: string): string {
  return digestOf([site, pair.trim()]);
}

/** A cookie may be for a whole site; what strangers share one with (`*.github.io`) is none. */
function siteOf(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}

function digestOf(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64').slice(0, 24);
}

function keep(set: Set<string>, digest: string, most: number): void {
  // Deleted first: what comes again is young again.
  set.delete(digest);
  if (set.size >= most) {
    const oldest = set.keys().next();
    if (!oldest.done) set.delete(oldest.value);
  }
  set.add(digest);
}
