import { timingSafeEqual } from 'node:crypto';
import { SallyportError } from '@sallyport/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type ApiClient,
  type ApiKeys,
  hashToken,
  matchesToken,
  type SessionFacts,
  type Sessions,
} from '../identity/index.ts';
import type { Secret } from '../shared/secret.ts';
import { boundSession, callingSession } from './agent-auth.ts';
import { presentedToken } from './bearer.ts';

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

const clients = new WeakMap<FastifyRequest, ApiClient>();
const readers = new WeakMap<FastifyRequest, Reader>();

/** Who may look at an approval: the client that asked, or the session whose action it is about. */
export type Reader =
  | { readonly kind: 'client'; readonly client: ApiClient }
  | { readonly kind: 'session'; readonly session: SessionFacts };

/** Admits holders of an API key, and nobody else. For routes that are `public` to the session check. */
export function requireApiKey(keys: Pick<ApiKeys, 'authenticate'>): Hook {
  return async (request) => {
    clients.set(request, await keys.authenticate(tokenOf(request)));
  };
}

/** Admits holders of an API key, and agents with a live session. */
export function requireReader(
  keys: Pick<ApiKeys, 'authenticate'>,
  sessions: Pick<Sessions, 'authenticate' | 'signalOf'>,
): Hook {
  return async (request) => {
    const presented = presentedToken(request);
    const isSession =
      presented.kind === 'token'
        ? matchesToken('session', presented.token)
        : boundSession(request) !== undefined;
    if (!isSession) {
      readers.set(request, { kind: 'client', client: await keys.authenticate(tokenOf(request)) });
      return;
    }
    const session = await callingSession(request, sessions);
    if (sessions.signalOf(session.id).aborted) throw new SallyportError('NotAuthenticated');
    readers.set(request, { kind: 'session', session });
  };
}

/** Admits whoever forwards mails: the holder of `inbox.secret`. */
export function requireInboxSecret(secret: Secret): Hook {
  const expected = Buffer.from(hashToken(secret));
  return async (request) => {
    const presented = Buffer.from(hashToken(tokenOf(request)));
    // SECURITY: hashes are equal in length, and compared in a time that says nothing [ID-6].
    if (!timingSafeEqual(presented, expected)) {
      throw new SallyportError('NotAuthenticated', {
        hint: 'send what is in `inbox.secret` of the home as Bearer',
      });
    }
  };
}

/** The client that `requireApiKey` admitted. Throws on any other route. */
export function clientOf(request: FastifyRequest): ApiClient {
  const client = clients.get(request);
  if (client === undefined) throw new SallyportError('NotAuthenticated', KEY_HINT);
  return client;
}

/** Whoever `requireReader` admitted. Throws on any other route. */
export function readerOf(request: FastifyRequest): Reader {
  const reader = readers.get(request);
  if (reader === undefined) throw new SallyportError('NotAuthenticated', KEY_HINT);
  return reader;
}

const KEY_HINT = { hint: 'send an API key as Bearer; `sallyport keys create` makes one' };

function tokenOf(request: FastifyRequest): string {
  const presented = presentedToken(request);
  if (presented.kind !== 'token') throw new SallyportError('NotAuthenticated', KEY_HINT);
  return presented.token;
}
