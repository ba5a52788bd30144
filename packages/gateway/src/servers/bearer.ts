import { SallyportError } from '@sallyport/protocol';
import type { FastifyRequest } from 'fastify';

const BEARER = /^Bearer ([\x21-\x7e]{1,512})$/i;

/** What a request presents as its credential: nothing, something that is no Bearer token, or a token. */
export type Presented =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'token'; readonly token: string };

export function presentedToken(request: Pick<FastifyRequest, 'headers'>): Presented {
  const header = request.headers.authorization;
  if (header === undefined) return { kind: 'none' };
  const token = BEARER.exec(header)?.[1];
  return token === undefined ? { kind: 'malformed' } : { kind: 'token', token };
}

/** The token of a request that was admitted with one. Throws `NotAuthenticated` otherwise. */
export function requireToken(request: Pick<FastifyRequest, 'headers'>): string {
  const presented = presentedToken(request);
  if (presented.kind !== 'token') throw new SallyportError('NotAuthenticated');
  return presented.token;
}
