import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { SessionFacts } from '../../identity/index.ts';

const bound = new WeakMap<Socket, SessionFacts>();

/** From now on every request of this connection is the session's, and needs no token. */
export function bindConnection(socket: Socket, session: SessionFacts): void {
  bound.set(socket, session);
}

/** The session that the connection itself belongs to; whether it is still alive is the caller's to check. */
export function boundSession(request: FastifyRequest): SessionFacts | undefined {
  return bound.get(request.raw.socket);
}
