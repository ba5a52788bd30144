import { SallyportError } from '@sallyport/protocol';
import type { SessionFacts } from '../../identity/index.ts';
import type { Header } from '../../shared/http-message.ts';
import { lowerFieldName } from '../../shared/http1/index.ts';
import type { ProxyParts } from './proxy-parts.ts';

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
const BEARER = /^bearer +([A-Za-z0-9._~+/=-]+)$/i;

/** The session token in `Proxy-Authorization`: Bearer, or Basic as `session:<token>`. Two of them are none. */
export function proxyToken(headers: readonly Header[]): string | undefined {
  let value: string | undefined;
  for (const [name, given] of headers) {
    if (name.length !== 19 || lowerFieldName(name) !== 'proxy-authorization') continue;
    // SECURITY: which of two counts, nobody can say.
    if (value !== undefined) return undefined;
    value = given;
  }
  if (value === undefined) return undefined;
  const bearer = BEARER.exec(value)?.[1];
  if (bearer !== undefined) return bearer;
  const basic = BASIC.exec(value)?.[1];
  if (basic === undefined) return undefined;
  const text = Buffer.from(basic, 'base64').toString('latin1');
  return text.startsWith('session:') ? text.slice('session:'.length) : undefined;
}

/** Who is at the other end of a connection: asked once, and looked at again with each request. */
export class AgentAuth {
  readonly #parts: Pick<ProxyParts, 'sessions' | 'clock'>;
  #token: string | undefined;
  #session: SessionFacts | undefined;
  /** the connection itself belongs to the session: there is no token */
  readonly #isBound: boolean;

  constructor(parts: Pick<ProxyParts, 'sessions' | 'clock'>, session?: SessionFacts) {
    this.#parts = parts;
    this.#session = session;
    this.#isBound = session !== undefined;
  }

  /** the session of the last request that had one */
  get session(): SessionFacts | undefined {
    return this.#session;
  }

  /** The session if it is known and alive; at once, for all requests but the first. */
  known(headers: readonly Header[], isInside: boolean): SessionFacts | undefined {
    const session = this.#session;
    if (session === undefined) return undefined;
    if (!this.#isBound && !isInside && proxyToken(headers) !== this.#token) return undefined;
    // SECURITY: the session may have ended since the last request of this connection [ID-3].
    if (this.#parts.sessions.signalOf(session.id).aborted) return undefined;
    return this.#isBound || session.expiresAt > this.#parts.clock.now() ? session : undefined;
  }

  /** Asks. Throws `NotAuthenticated`. A connection never changes from one session to another. */
  async ask(headers: readonly Header[], isInside: boolean): Promise<SessionFacts> {
    const token = isInside ? this.#token : proxyToken(headers);
    if (this.#isBound || token === undefined) throw noSession();
    const session = await this.#parts.sessions.authenticate(token);
    if (this.#session !== undefined && this.#session.id !== session.id) throw noSession();
    this.#token = token;
    this.#session = session;
    return session;
  }
}

function noSession(): SallyportError {
  return new SallyportError('NotAuthenticated', {
    message: 'the request names no live session',
    hint: 'use `http://session:TOKEN@host:port` as the proxy, with the token of `sallyport run` or `POST /session/new`',
  });
}
