import { randomUUID } from 'node:crypto';
import { SallyportError } from '@sallyport/protocol';
import type { SessionFacts, Sessions } from '../../../identity/index.ts';
import { McpClient, type McpClientOptions } from './mcp-client.ts';

/** Client connections of one gateway session at once. */
const CLIENTS_AT_MOST = 32;
/** A client that is not heard of for so long is gone, in ms */
const IDLE_MS = 3_600_000;
const SWEEP_MS = 60_000;

export interface McpClientsParts {
  readonly sessions: Pick<Sessions, 'onEnded'>;
  readonly onClosed: (client: McpClient) => void;
  /** the gateway session is over, and with it everything that was done for it */
  readonly onOwnerEnded: (owner: string) => void;
}

/** The clients of the MCP door. Each belongs to one gateway session, and ends with it. */
export class McpClients {
  readonly #parts: McpClientsParts;
  // process-local: sessions of the protocol, whose streams end in this process
  readonly #byId = new Map<string, McpClient>();
  // process-local: an index of the field before it
  readonly #byOwner = new Map<string, Set<McpClient>>();
  readonly #sweeping: NodeJS.Timeout;

  constructor(parts: McpClientsParts) {
    this.#parts = parts;
    this.#sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  /** Throws `TooManySessions`. */
  open(options: Omit<McpClientOptions, 'id'>): McpClient {
    const { owner } = options;
    let own = this.#byOwner.get(owner.id);
    if (own === undefined) {
      own = new Set();
      this.#byOwner.set(owner.id, own);
      // SECURITY: a client must not go on after its session has ended [ID-3].
      this.#parts.sessions.onEnded(owner.id, () => this.closeAllOf(owner.id));
    }
    this.#makeRoom(own);
    const client = new McpClient({ ...options, id: randomUUID() });
    own.add(client);
    this.#byId.set(client.id, client);
    return client;
  }

  /** SECURITY: an id of somebody else is as unknown as one that never was [ID-3]. */
  find(id: string, owner: SessionFacts, server: string | undefined): McpClient | undefined {
    const client = this.#byId.get(id);
    return client?.owner.id === owner.id && client.options.server === server ? client : undefined;
  }

  all(): IterableIterator<McpClient> {
    return this.#byId.values();
  }

  close(client: McpClient): void {
    if (!this.#byId.delete(client.id)) return;
    this.#byOwner.get(client.owner.id)?.delete(client);
    client.close();
    this.#parts.onClosed(client);
  }

  closeAllOf(owner: string): void {
    for (const client of [...(this.#byOwner.get(owner) ?? [])]) this.close(client);
    this.#byOwner.delete(owner);
    this.#parts.onOwnerEnded(owner);
  }

  closeAll(): void {
    clearInterval(this.#sweeping);
    for (const owner of [...this.#byOwner.keys()]) this.closeAllOf(owner);
  }

  /** Clients that crash leave their connection behind: the one that was idle longest makes room for a new one. */
  #makeRoom(own: ReadonlySet<McpClient>): void {
    if (own.size < CLIENTS_AT_MOST) return;
    let idlest: McpClient | undefined;
    for (const client of own) {
      if (client.idleMs > 0 && client.idleMs > (idlest?.idleMs ?? 0)) idlest = client;
    }
    if (idlest === undefined)
      throw new SallyportError('TooManyRequests', {
        message: `this session has ${CLIENTS_AT_MOST} MCP clients already`,
        hint: 'end one of them with `DELETE` on its address',
      });
    this.close(idlest);
  }

  #sweep(): void {
    for (const client of [...this.#byId.values()]) if (client.idleMs > IDLE_MS) this.close(client);
  }
}
