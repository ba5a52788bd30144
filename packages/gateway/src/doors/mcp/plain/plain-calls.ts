import type { SessionFacts, Sessions } from '../../../identity/index.ts';
import {
  type BaseAppOptions,
  parseJsonBody,
  SECURITY_HEADERS,
  toPublicError,
} from '../../../servers/index.ts';
import type { HttpAnswer } from '../../../shared/http-answer.ts';
import type { Header } from '../../../shared/http-message.ts';
import { type McpFront, type McpRoutesParts, unreadBody } from '../routes.ts';
import { type PlainMessage, readPlainMessage } from './plain-message.ts';

export interface PlainCallsParts extends McpRoutesParts {
  readonly sessions: Pick<Sessions, 'authenticateHash' | 'signalOf'>;
}

/** Whose message it is, and who answers it. */
export interface Admitted {
  readonly session: SessionFacts;
  /** aborts with the session */
  readonly ended: AbortSignal;
  readonly front: McpFront;
}

/** Admits and answers plain messages, however they came. */
export class PlainCalls {
  readonly #parts: PlainCallsParts;
  readonly #options: Pick<BaseAppOptions, 'allowedHosts' | 'tls' | 'onAnswered'>;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(options: Pick<BaseAppOptions, 'allowedHosts' | 'tls' | 'onAnswered'>, parts: PlainCallsParts) {
    this.#parts = parts;
    this.#options = options;
    this.#headers = {
      ...SECURITY_HEADERS,
      ...(options.tls === undefined ? {} : { 'strict-transport-security': 'max-age=31536000' }),
    };
  }

  /** the names that Host may say now: the same list as long as nothing has changed */
  get hosts(): readonly string[] {
    return this.#options.allowedHosts();
  }

  /** What a POST is, when there is nothing unusual about it. */
  read(url: string, headers: Iterable<Header>, allowedHosts: readonly string[]): PlainMessage | undefined {
    const scheme = this.#options.tls === undefined ? 'http' : 'https';
    return readPlainMessage(url, headers, { allowedHosts, scheme });
  }

  /**
   * Undefined for whoever is not admitted: the route of the same address tells why. At once for a session that is
   * known and a door that is there.
   */
  admit(message: PlainMessage): Admitted | undefined | Promise<Admitted | undefined> {
    const { mcp, sessions } = this.#parts;
    try {
      const session = sessions.authenticateHash(message.tokenHash);
      const front = session instanceof Promise ? undefined : mcp();
      if (session instanceof Promise || front === undefined || front instanceof Promise)
        return this.#admitLater(session, front);
      return this.#alive(session, front);
    } catch {
      return undefined;
    }
  }

  /** SECURITY: nobody without a session makes the door load. */
  async #admitLater(
    found: SessionFacts | Promise<SessionFacts>,
    loading: McpFront | Promise<McpFront> | undefined,
  ): Promise<Admitted | undefined> {
    try {
      const session = await found;
      return this.#alive(session, await (loading ?? this.#parts.mcp()));
    } catch {
      return undefined;
    }
  }

  /** SECURITY: whoever was admitted a moment ago must not go on after the session has ended [ID-3]. */
  #alive(session: SessionFacts, front: McpFront): Admitted | undefined {
    const ended = this.#parts.sessions.signalOf(session.id);
    return ended.aborted ? undefined : { session, ended, front };
  }

  answer(
    { session, front }: Admitted,
    { server, accept, clientId, protocolVersion }: PlainMessage,
    body: Buffer,
    response: HttpAnswer,
  ): void {
    const headers = this.#headers;
    let message: unknown;
    try {
      message = parseJsonBody(body);
    } catch (error) {
      const known = toPublicError(error);
      const text = JSON.stringify(unreadBody(known));
      response.writeHead(known.status, {
        ...headers,
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(text),
      });
      response.end(text);
      return;
    }
    const call = {
      ...{ session, server, accept, clientId, protocolVersion, response, headers },
      plainNames: false,
      lastEventId: undefined,
    };
    front.post(call, message).catch(() => response.destroy());
  }

  /** `startedAt`: when the message came, by `performance.now` */
  count({ server }: PlainMessage, status: number, startedAt: number): void {
    const route = server === undefined ? '/mcp' : '/mcp/:server';
    this.#options.onAnswered({ method: 'POST', route, status }, (performance.now() - startedAt) / 1000);
  }
}
