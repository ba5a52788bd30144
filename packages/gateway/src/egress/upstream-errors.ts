import { SallyportError } from '@sallyport/protocol';
import type { ClosedBecause } from '../shared/closed-address.ts';
import type { Destination } from '../shared/http-message.ts';

/** `host:port` as the agent named it; never an address that a look-up found. */
function named({ host, port }: Destination): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export function addressClosed(to: Destination, because: ClosedBecause): SallyportError {
  const own = because === 'own-listener';
  return new SallyportError('AddressClosed', {
    message: own
      ? `\`${named(to)}\` leads to the gateway itself, which is never a target`
      : `\`${named(to)}\` leads to an address that is closed (${because})`,
    ...(own ? { hint: 'talk to the gateway directly, not through its proxy' } : {}),
    details: { host: to.host, port: to.port, range: because },
  });
}

export function nameNotFound(to: Destination, cause: unknown): SallyportError {
  const later = codeOf(cause) === 'EAI_AGAIN' || codeOf(cause) === 'ETIMEOUT';
  return new SallyportError('NameNotFound', {
    message: `the name \`${to.host}\` ${later ? 'cannot be looked up now' : 'does not exist'}`,
    ...(later ? { hint: 'try again later; the name servers of the gateway do not answer' } : {}),
    details: { host: to.host },
    cause,
  });
}

export function unreachable(to: Destination, cause: unknown): SallyportError {
  const code = codeOf(cause);
  const what = code === 'ECONNREFUSED' ? 'refuses connections' : 'cannot be reached';
  return new SallyportError('UpstreamUnreachable', {
    message: `\`${named(to)}\` ${what}`,
    details: { host: to.host, port: to.port, reason: code },
    cause,
  });
}

const TLS_REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate comes from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an unknown authority',
  CERT_REVOKED: 'its certificate was revoked',
};

export function tlsFailed(to: Destination, cause: unknown): SallyportError {
  const code = codeOf(cause);
  const reason = TLS_REASONS[code];
  return new SallyportError('UpstreamTlsFailed', {
    message: `no TLS with \`${named(to)}\`: ${reason ?? 'the handshake failed'}`,
    ...(reason === undefined ? { hint: 'check that this port speaks TLS 1.2 or newer' } : {}),
    details: { host: to.host, port: to.port, reason: code },
    cause,
  });
}

/** `what` goes on after the host: `sent two lengths`. */
export function broken(
  to: Destination,
  what: string,
  more: { readonly hint?: string; readonly cause?: unknown } = {},
): SallyportError {
  return new SallyportError('UpstreamBroken', {
    message: `\`${named(to)}\` ${what}`,
    details: { host: to.host, port: to.port },
    ...more,
  });
}

export function timedOut(to: Destination, what: string): SallyportError {
  return new SallyportError('UpstreamTimeout', {
    message: `\`${named(to)}\` ${what}`,
    details: { host: to.host, port: to.port },
  });
}

/** More at once than the gateway takes. */
export function tooMany(to: Destination, what: string): SallyportError {
  return new SallyportError('Unavailable', {
    message: what,
    hint: 'wait until other requests have ended, then try again',
    details: { host: to.host, port: to.port },
  });
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
