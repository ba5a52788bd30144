import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { SessionFacts } from '../identity/index.ts';

const bound = new WeakMap<Socket, SessionFacts>();

/** From now on every request of this connection is the session's, and needs no token. */
export function bindConnection(socket: Socket, session: SessionFacts): void {
  bound.set(socket, session);
}

/** The session that the connection itself belongs to; whether it is still alive is the caller's to check. */
export function boundSession({
  raw,
}: {
  readonly raw: Pick<IncomingMessage, 'socket'>;
}): SessionFacts | undefined {
  return bound.get(raw.socket);
}
