import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { SallyportError } from '@sallyport/protocol';
import type { FastifyRequest } from 'fastify';
import type { SessionFacts, Sessions } from '../identity/index.ts';
import type { App } from './base-app.ts';
import { presentedToken } from './bearer.ts';

interface Caller {
  readonly session: SessionFacts;
  /** lets the request outlive its session; for the one that ends it */
  readonly release: () => void;
}

const callers = new WeakMap<FastifyRequest, Caller>();

/**
 * Admits a request to the agent side: public routes as they are, every other one with a live session's token.
 *
 * The connection is cut the moment the session ends, however far the request has come.
 */
export function requireSession(app: App, sessions: Pick<Sessions, 'authenticate' | 'signalOf'>): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 || request.routeOptions.config.public === true) return;
    const session = await callingSession(request, sessions);

    // SECURITY: whoever was admitted a moment ago must not go on after the session has ended [ID-3].
    const ended = sessions.signalOf(session.id);
    const cut = (): void => {
      request.raw.destroy();
    };
    const release = (): void => ended.removeEventListener('abort', cut);
    if (ended.aborted) throw new SallyportError('NotAuthenticated', SESSION_HINT);
    ended.addEventListener('abort', cut, { once: true });
    reply.raw.once('close', release);
    callers.set(request, { session, release });
  });
}

/**
 * The session that a request speaks for: its token's, or the one that its connection belongs to. Throws
 * `NotAuthenticated`.
 */
export async function callingSession(
  request: FastifyRequest,
  sessions: Pick<Sessions, 'authenticate'>,
): Promise<SessionFacts> {
  const presented = presentedToken(request);
  const bound = boundSession(request);
  if (presented.kind === 'none' && bound !== undefined) return bound;
  if (presented.kind !== 'token') throw new SallyportError('NotAuthenticated', SESSION_HINT);
  const session = await sessions.authenticate(presented.token);
  // SECURITY: who is in one session's jail speaks for no other, whatever token was found there.
  if (bound !== undefined && bound.id !== session.id) {
    throw new SallyportError('NotAuthenticated', SESSION_HINT);
  }
  return session;
}

const SESSION_HINT = { hint: 'open a session with `POST /session/new` and send its token as Bearer' };

/** The session that `requireSession` admitted this request for. Throws on a public route. */
export function sessionOf(request: FastifyRequest): SessionFacts {
  return callerOf(request).session;
}

/** From here on the request goes on although its session ends: it is the one that ends it. */
export function outliveSession(request: FastifyRequest): void {
  callerOf(request).release();
}

function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  // Fail closed: a route that forgets to ask for a session gets an error, not somebody's rights.
  if (caller === undefined) throw new SallyportError('NotAuthenticated', SESSION_HINT);
  return caller;
}

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
