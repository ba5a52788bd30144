import type { Socket } from 'node:net';
import { SallyportError } from '@sallyport/protocol';
import type { SessionFacts } from '../../identity/index.ts';
import { AgentConnection, type ConnectionHost } from './agent-connection.ts';
import { OutcomeRecorder } from './outcome.ts';
import { PROXY_LIMITS } from './proxy-limits.ts';
import type { ProxyParts } from './proxy-parts.ts';
import { QuietHosts } from './quiet-hosts.ts';

/** The proxy door. It listens on nothing itself: whoever does hands connections over. */
export interface ProxyDoor {
  /** Takes a connection. `session`: it belongs to that session by itself, and no token is asked for. */
  accept(socket: Socket, owner?: { readonly session: SessionFacts }): void;
  /** Cuts every connection and takes no more. */
  close(): Promise<void>;
}

const CHECK_MS = 1_000;

export function createProxyDoor(parts: ProxyParts): ProxyDoor {
  const limits = { ...PROXY_LIMITS, ...parts.limits };
  const connections = new Set<AgentConnection>();
  const bySession = new Map<string, number>();
  let isClosed = false;
  const host: ConnectionHost = {
    parts,
    limits,
    recorder: new OutcomeRecorder(parts),
    quiet: new QuietHosts(parts.clock),
    countFor({ id }) {
      const count = bySession.get(id) ?? 0;
      if (count >= limits.connectionsPerSession) throw new SallyportError('TooManyRequests', TOO_MANY);
      bySession.set(id, count + 1);
    },
    onClosed(connection, session) {
      connections.delete(connection);
      if (session === undefined) return;
      const count = (bySession.get(session.id) ?? 1) - 1;
      if (count === 0) bySession.delete(session.id);
      else bySession.set(session.id, count);
    },
  };
  const checking = setInterval(
    () => {
      const now = parts.clock.now();
      for (const connection of connections) connection.check(now);
    },
    Math.min(CHECK_MS, limits.headMs, limits.lingerMs),
  ).unref();
  return {
    accept(socket, owner) {
      if (isClosed || connections.size >= limits.connections) {
        socket.destroy();
        return;
      }
      connections.add(new AgentConnection(host, socket, owner?.session));
    },
    async close() {
      isClosed = true;
      clearInterval(checking);
      for (const connection of connections) connection.cut();
      connections.clear();
    },
  };
}

const TOO_MANY = {
  message: 'this session has its most connections already',
  hint: 'close some, or use connections again',
};
