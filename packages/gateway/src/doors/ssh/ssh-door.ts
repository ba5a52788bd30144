import type { Socket } from 'node:net';
import type { SessionFacts } from '../../identity/index.ts';
import type { PortListener } from '../../servers/index.ts';
import { type ExecOwner, type ExecParts, runExec } from './run-exec.ts';
import type { SshAuth } from './ssh-auth.ts';
import type { SshConnection, SshServer } from './ssh-server.ts';

export interface SshLimits {
  /** from the first byte to a proven session, in ms */
  readonly loginMs: number;
  /** connections that have not proven a session yet; one more ends the oldest of them */
  readonly strangers: number;
  /** connections at once */
  readonly connections: number;
  readonly connectionsPerSession: number;
  /** commands at once */
  readonly commandsPerSession: number;
}

export const SSH_LIMITS: SshLimits = {
  loginMs: 20_000,
  strangers: 64,
  connections: 1_000,
  connectionsPerSession: 64,
  commandsPerSession: 32,
};

export interface SshDoorParts extends ExecParts {
  readonly server: SshServer<ExecOwner>;
  readonly auth: SshAuth;
  readonly limits?: Partial<SshLimits>;
}

/** The SSH door. It listens on nothing itself: whoever does hands connections over. */
export interface SshDoor extends PortListener {
  /** Takes a connection. `owner`: it belongs to that session by itself, and no key or password is asked for. */
  accept(socket: Socket, owner?: ExecOwner): void;
}

export function createSshDoor(parts: SshDoorParts): SshDoor {
  const limits = { ...SSH_LIMITS, ...parts.limits };
  const open = new Set<SshConnection>();
  const strangers = new Set<SshConnection>();
  // process-local: connections and commands that this process carries
  const connected = new Counts(limits.connectionsPerSession);
  // process-local: connections and commands that this process carries
  const running = new Counts(limits.commandsPerSession);
  let isClosed = false;

  const accept = (socket: Socket, owner?: ExecOwner): void => {
    if (isClosed || open.size >= limits.connections) {
      socket.destroy();
      return;
    }
    const address = socket.remoteAddress ?? 'local';
    socket.setNoDelay(true);
    let session: SessionFacts | undefined;
    const late = setTimeout(() => connection.cut(), limits.loginMs).unref();
    const connection = parts.server.take(socket, {
      async authenticate(attempt) {
        const found = owner?.session ?? (await parts.auth.authenticate(attempt, address));
        if (found === undefined) return undefined;
        if (attempt.kind === 'publickey' && !attempt.isProven) return { session: found };
        // SECURITY: a connection never changes from one session to another.
        if (session !== undefined && session.id !== found.id) return undefined;
        if (session === undefined && !connected.enter(found.id)) return undefined;
        session = found;
        clearTimeout(late);
        strangers.delete(connection);
        const ended = parts.sessions.signalOf(found.id);
        // SECURITY: open connections end with their session [ID-3].
        if (ended.aborted) connection.cut();
        else ended.addEventListener('abort', () => connection.cut(), { once: true });
        return owner ?? { session: found };
      },
      exec(who, exec) {
        const { id } = who.session;
        if (!running.enter(id)) {
          exec.stderr.write('sallyport: this session has its most commands under way already\n');
          exec.exit({ code: 75 });
          return;
        }
        void runExec(parts, who, exec).finally(() => running.leave(id));
      },
      refused: (what) => parts.log.info({ address, session: session?.id }, `SSH: ${what} was refused`),
      closed() {
        clearTimeout(late);
        open.delete(connection);
        strangers.delete(connection);
        if (session !== undefined) connected.leave(session.id);
      },
    });
    open.add(connection);
    strangers.add(connection);
    // The newest may be anybody; the oldest had its time.
    const [oldest] = strangers;
    if (oldest === undefined || strangers.size <= limits.strangers) return;
    // Now, and not when it has closed: in a flood the next one is here before that.
    strangers.delete(oldest);
    oldest.cut();
  };
  return {
    accept,
    async close() {
      isClosed = true;
      for (const connection of open) connection.cut();
    },
  };
}

/** How many of something each session has. */
class Counts {
  readonly #most: number;
  // process-local: of this process's own connections
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** False when it has its most already. */
  enter(id: string): boolean {
    const count = this.#counts.get(id) ?? 0;
    if (count >= this.#most) return false;
    this.#counts.set(id, count + 1);
    return true;
  }

  leave(id: string): void {
    const count = (this.#counts.get(id) ?? 1) - 1;
    if (count === 0) this.#counts.delete(id);
    else this.#counts.set(id, count);
  }
}
