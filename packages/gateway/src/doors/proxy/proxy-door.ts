import type { Socket } from 'node:net';
import { SallyportError } from '@sallyport/protocol';
import type { SessionFacts } from '../../identity/index.ts';
import { AgentConnection, type ConnectionHost } from './agent-connection.ts';
import { Handed } from './handed.ts';
import { runForward } from './line-flow.ts';
import { PROXY_LIMITS } from './proxy-limits.ts';
import type { ProxyParts } from './proxy-parts.ts';
import { QuietHosts } from './quiet-hosts.ts';
import { BlockedRequests } from './request-events.ts';

/** The proxy door. It listens on nothing itself: whoever does hands connections over. */
export interface ProxyDoor {
  /** Takes a connection. `session`: it belongs to that session by itself, and no token is asked for. */
  accept(socket: Socket, owner?: { readonly session: SessionFacts }): void;
  /** Takes a connection of a session to a port of this machine that a person opened for its run. */
  forward(socket: Socket, session: SessionFacts, port: number): void;
  /** Cuts every connection and takes no more. */
  close(): Promise<void>;
}

const CHECK_MS = 1_000;

export function createProxyDoor(parts: ProxyParts): ProxyDoor {
  const limits = { ...PROXY_LIMITS, ...parts.limits };
  const connections = new Set<AgentConnection>();
  const bySession = new Map<string, number>();
  const requests = new Map<string, number>();
  let isClosed = false;
  const host: ConnectionHost = {
    parts,
    limits,
    carryOut: {
      gate: parts.gate,
      trail: parts.trail,
      onProblem: (error, what) => parts.log.warn({ err: error }, what),
    },
    blocked: new BlockedRequests(parts),
    quiet: new QuietHosts(parts.clock),
    handed: new Handed((session) => parts.sessions.signalOf(session)),
    countFor({ id }) {
      const count = bySession.get(id) ?? 0;
      if (count >= limits.connectionsPerSession) throw new SallyportError('TooManyRequests', TOO_MANY);
      bySession.set(id, count + 1);
    },
    onClosed(connection, session) {
      connections.delete(connection);
      if (session !== undefined) countDown(bySession, session.id);
    },
    enter({ id }) {
      const count = requests.get(id) ?? 0;
      // SECURITY: each holds memory, and a file while people are asked: many streams on many connections would
      // take what the other sessions need [NE-8].
      if (count >= limits.requestsPerSession) throw new SallyportError('TooManyRequests', BUSY);
      requests.set(id, count + 1);
    },
    leave({ id }) {
      countDown(requests, id);
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
    forward(socket, session, port) {
      if (isClosed) {
        socket.destroy();
        return;
      }
      try {
        host.countFor(session);
      } catch {
        // It has its most connections already.
        socket.destroy();
        return;
      }
      socket.once('close', () => countDown(bySession, session.id));
      runForward(host, socket, session, port).catch((error: unknown) => {
        parts.log.warn({ err: error }, 'a forwarded connection failed');
        socket.destroy();
      });
    },
    async close() {
      isClosed = true;
      clearInterval(checking);
      for (const connection of connections) connection.cut();
      connections.clear();
    },
  };
}

function countDown(counts: Map<string, number>, id: string): void {
  const count = (counts.get(id) ?? 1) - 1;
  if (count === 0) counts.delete(id);
  else counts.set(id, count);
}

const BUSY = {
  message: 'this session has its most requests under way already',
  hint: 'wait until some have ended',
};

const TOO_MANY = {
  message: 'this session has its most connections already',
  hint: 'close some, or use connections again',
};
