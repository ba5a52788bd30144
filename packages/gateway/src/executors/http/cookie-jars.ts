import { CookieJar } from 'tough-cookie';
import type { Destination } from '../../shared/http-message.ts';

const JARS_AT_MOST = 1_000;
const COOKIES_AT_MOST = 50;
const COOKIE_BYTES_AT_MOST = 4_096;

/** Whose cookies: one session and one credential. */
export interface CookieOwner {
  readonly session: string;
  readonly credential: string;
}

/**
 * Cookies of hosts that a credential was lent to. A login cookie is worth as much as the credential, so it stays on
 * our side, per session and credential; the agent neither sees nor sets one.
 */
export class CookieJars {
  // process-local: a login at another gateway is made again there; read with every request that lends
  readonly #jars = new Map<string, { readonly jar: CookieJar; count: number }>();

  keep(owner: CookieOwner, from: Destination, path: string, header: string): void {
    if (header.length > COOKIE_BYTES_AT_MOST) return;
    const entry = this.#entry(owner);
    if (entry.count >= COOKIES_AT_MOST) return;
    try {
      entry.jar.setCookieSync(header, urlOf(from, path), { ignoreError: true });
      entry.count = entry.jar.serializeSync()?.cookies.length ?? 0;
    } catch {
      // A cookie that cannot be read is a cookie that is not kept.
    }
  }

  /** The `Cookie` header for a request; empty when there is none. */
  headerFor(owner: CookieOwner, to: Destination, path: string): string {
    const entry = this.#jars.get(keyOf(owner));
    return entry === undefined ? '' : entry.jar.getCookieStringSync(urlOf(to, path));
  }

  /** The session is over, and so are its logins. */
  forget(session: string): void {
    for (const key of this.#jars.keys()) if (key.startsWith(`${session}\n`)) this.#jars.delete(key);
  }

  #entry(owner: CookieOwner): { readonly jar: CookieJar; count: number } {
    const key = keyOf(owner);
    const known = this.#jars.get(key);
    if (known !== undefined) return known;
    if (this.#jars.size >= JARS_AT_MOST) {
      const oldest = this.#jars.keys().next();
      if (!oldest.done) this.#jars.delete(oldest.value);
    }
    const made = { jar: new CookieJar(undefined, { rejectPublicSuffixes: true }), count: 0 };
    this.#jars.set(key, made);
    return made;
  }
}

function keyOf({ session, credential }: CookieOwner): string {
  return `${session}\n${credential}`;
}

function urlOf({ scheme, host, port }: Destination, path: string): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
}
