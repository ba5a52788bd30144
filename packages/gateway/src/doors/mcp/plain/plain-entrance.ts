import type { SessionFacts, Sessions } from '../../../identity/index.ts';
import { type BaseAppOptions, SECURITY_HEADERS } from '../../../servers/index.ts';
import type { Header, HttpAnswer } from '../../../shared/http-message.ts';
import type { McpDoor } from '../protocol/mcp-door.ts';
import type { OpenMcp } from '../protocol/routes.ts';
import { type PlainMessage, readPlainMessage } from './plain-message.ts';

export interface PlainEntranceParts {
  readonly mcp: OpenMcp;
  readonly sessions: Pick<Sessions, 'authenticateHash' | 'signalOf'>;
}

/** Whose message it is, and who answers it. */
export interface Admitted {
  readonly session: SessionFacts;
  /** aborts with the session */
  readonly ended: AbortSignal;
  readonly door: McpDoor;
}

/** What the agent side says of requests, for those that pass without its routes. */
type Side = Pick<BaseAppOptions, 'allowedHosts' | 'tls' | 'onAnswered'>;

/**
 * Brings plain messages to the door without the framework, which takes as long as everything else together. It refuses
 * nobody: whatever is not plain, or not admitted, goes to the route of the same address as it came, unread.
 *
 * SECURITY: what it takes has passed the same checks (Host and Origin, session, size) by the same functions.
 */
export class PlainEntrance {
  readonly #side: Side;
  readonly #parts: PlainEntranceParts;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(side: Side, parts: PlainEntranceParts) {
    this.#side = side;
    this.#parts = parts;
    this.#headers = {
      ...SECURITY_HEADERS,
      ...(side.tls === undefined ? {} : { 'strict-transport-security': 'max-age=31536000' }),
    };
  }

  /** the names that Host may say now: the same list as long as nothing has changed */
  get hosts(): readonly string[] {
    return this.#side.allowedHosts();
  }

  /** What a POST is, when there is nothing unusual about it. */
  read(url: string, headers: Iterable<Header>, allowedHosts: readonly string[]): PlainMessage | undefined {
    const scheme = this.#side.tls === undefined ? 'http' : 'https';
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
      const door = session instanceof Promise ? undefined : mcp();
      if (session instanceof Promise || door === undefined || door instanceof Promise)
        return this.#admitLater(session, door);
      return this.#alive(session, door);
    } catch {
      return undefined;
    }
  }

  /** SECURITY: nobody without a session makes the door load. */
  async #admitLater(
    found: SessionFacts | Promise<SessionFacts>,
    loading: McpDoor | Promise<McpDoor> | undefined,
  ): Promise<Admitted | undefined> {
    try {
      const session = await found;
      return this.#alive(session, await (loading ?? this.#parts.mcp()));
    } catch {
      return undefined;
    }
  }

  /** SECURITY: whoever was admitted a moment ago must not go on after the session has ended [ID-3]. */
  #alive(session: SessionFacts, door: McpDoor): Admitted | undefined {
    const ended = this.#parts.sessions.signalOf(session.id);
    return ended.aborted ? undefined : { session, ended, door };
  }

  answer(
    { session, door }: Admitted,
    { server, accept, clientId, protocolVersion }: PlainMessage,
    body: Uint8Array,
    response: HttpAnswer,
  ): void {
    const call = {
      ...{ session, server, accept, clientId, protocolVersion, response, headers: this.#headers },
      plainNames: false,
      lastEventId: undefined,
    };
    door.post(call, body).catch(() => response.destroy());
  }

  /** `startedAt`: when the message came, by `performance.now` */
  count({ server }: PlainMessage, status: number, startedAt: number): void {
    const route = server === undefined ? '/mcp' : '/mcp/:server';
    this.#side.onAnswered({ method: 'POST', route, status }, (performance.now() - startedAt) / 1000);
  }
}
