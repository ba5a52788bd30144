import { randomUUID } from 'node:crypto';
import { SallyportError } from '@sallyport/protocol';
import type { SessionFacts, Sessions } from '../../identity/index.ts';
import { McpSession, type McpSessionOptions } from './mcp-session.ts';

/** Client connections of one gateway session at once. */
const CLIENTS_AT_MOST = 32;
/** A client that is not heard of for so long is gone, in ms */
const IDLE_MS = 3_600_000;
const SWEEP_MS = 60_000;

export interface McpSessionsParts {
  readonly sessions: Pick<Sessions, 'onEnded'>;
  readonly onClosed: (session: McpSession) => void;
  /** the gateway session is over, and with it everything that was done for it */
  readonly onOwnerEnded: (owner: string) => void;
}

/** The clients of the MCP door. Each belongs to one gateway session, and ends with it. */
export class McpSessions {
  readonly #parts: McpSessionsParts;
  // process-local: sessions of the protocol, whose streams end in this process
  readonly #byId = new Map<string, McpSession>();
  // process-local: an index of the field before it
  readonly #byOwner = new Map<string, Set<McpSession>>();
  readonly #sweeping: NodeJS.Timeout;

  constructor(parts: McpSessionsParts) {
    this.#parts = parts;
    this.#sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  /** Throws `TooManySessions`. */
  open(options: Omit<McpSessionOptions, 'id'>): McpSession {
    const { owner } = options;
    let own = this.#byOwner.get(owner.id);
    if (own === undefined) {
      own = new Set();
      this.#byOwner.set(owner.id, own);
      // SECURITY: a client must not go on after its session has ended [ID-3].
      this.#parts.sessions.onEnded(owner.id, () => this.closeAllOf(owner.id));
    }
    this.#makeRoom(own);
    const session = new McpSession({ ...options, id: randomUUID() });
    own.add(session);
    this.#byId.set(session.id, session);
    return session;
  }

  /** SECURITY: an id of somebody else is as unknown as one that never was [ID-3]. */
  find(id: string, owner: SessionFacts, server: string | undefined): McpSession | undefined {
    const session = this.#byId.get(id);
    return session?.owner.id === owner.id && session.options.server === server ? session : undefined;
  }

  all(): IterableIterator<McpSession> {
    return this.#byId.values();
  }

  close(session: McpSession): void {
    if (!this.#byId.delete(session.id)) return;
    this.#byOwner.get(session.owner.id)?.delete(session);
    session.close();
    this.#parts.onClosed(session);
  }

  closeAllOf(owner: string): void {
    for (const session of [...(this.#byOwner.get(owner) ?? [])]) this.close(session);
    this.#byOwner.delete(owner);
    this.#parts.onOwnerEnded(owner);
  }

  closeAll(): void {
    clearInterval(this.#sweeping);
    for (const owner of [...this.#byOwner.keys()]) this.closeAllOf(owner);
  }

  /** Clients that crash leave their connection behind: the one that was idle longest makes room for a new one. */
  #makeRoom(own: ReadonlySet<McpSession>): void {
    if (own.size < CLIENTS_AT_MOST) return;
    let idlest: McpSession | undefined;
    for (const session of own) {
      if (session.idleMs > 0 && session.idleMs > (idlest?.idleMs ?? 0)) idlest = session;
    }
    if (idlest === undefined)
      throw new SallyportError('TooManyRequests', {
        message: `this session has ${CLIENTS_AT_MOST} MCP clients already`,
        hint: 'end one of them with `DELETE` on its address',
      });
    this.close(idlest);
  }

  #sweep(): void {
    for (const session of [...this.#byId.values()]) if (session.idleMs > IDLE_MS) this.close(session);
  }
}
