import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import type { Destination } from '../shared/http-message.ts';
import { timedOut, tlsFailed, unreachable } from './upstream-errors.ts';

/** More addresses than this are not tried: the agent waits meanwhile. */
const MOST_ATTEMPTS = 4;
const KEEP_ALIVE_MS = 60_000;

export interface DialOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** the other side may end what it sends and still be sent to */
  readonly allowHalfOpen?: boolean;
}

/**
 * A connection to the first of the addresses that takes one. They were checked before; nothing is looked up.
 *
 * Rejects with `UpstreamUnreachable` or `UpstreamTimeout`, or with the signal's reason.
 */
export async function dial(
  to: Destination,
  addresses: readonly string[],
  options: DialOptions,
): Promise<Socket> {
  let last: unknown;
  for (const address of addresses.slice(0, MOST_ATTEMPTS)) {
    try {
      return await dialOne(to, address, options);
    } catch (error) {
      if (options.signal.aborted) throw error;
      last = error;
    }
  }
  throw last;
}

function dialOne(
  to: Destination,
  address: string,
  { signal, timeoutMs, allowHalfOpen = false }: DialOptions,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    // SECURITY: an address, never the name: a second look-up could answer something else (rebinding).
    const socket = connectTcp({
      host: address,
      port: to.port,
      autoSelectFamily: false,
      allowHalfOpen,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
    });
    const fail = (error: unknown): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      socket.destroy();
      reject(error);
    };
    const stop = (): void => fail(signal.reason);
    const timer = setTimeout(() => fail(timedOut(to, 'does not take connections')), timeoutMs);
    const onError = (error: Error): void => fail(unreachable(to, error));
    signal.addEventListener('abort', stop, { once: true });
    socket.once('error', onError);
    socket.once('connect', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      socket.removeListener('error', onError);
      resolve(socket);
    });
  });
}

export interface SecureOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** whom to trust */
  readonly context: SecureContext;
  readonly protocols: readonly string[];
}

/** TLS on a connection; the host has proved that it is `to.host`. Rejects with `UpstreamTlsFailed` or `UpstreamTimeout`. */
export function secure(to: Destination, socket: Socket, options: SecureOptions): Promise<TLSSocket> {
  const { signal, timeoutMs } = options;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      socket.destroy();
      return reject(signal.reason);
    }
    const tls = connectTls({
      socket,
      // An address is no server name (RFC 6066); it is checked against the certificate all the same.
      host: to.host,
      ...(isIP(to.host) === 0 ? { servername: to.host } : {}),
      secureContext: options.context,
      ALPNProtocols: [...options.protocols],
      // SECURITY: said aloud, because an environment variable changes the default.
      rejectUnauthorized: true,
    });
    const fail = (error: unknown): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      tls.destroy();
      reject(error);
    };
    const stop = (): void => fail(signal.reason);
    const timer = setTimeout(() => fail(timedOut(to, 'does not finish the TLS handshake')), timeoutMs);
    const onError = (error: Error): void => fail(tlsFailed(to, error));
    const onClose = (): void => fail(tlsFailed(to, new Error('closed')));
    signal.addEventListener('abort', stop, { once: true });
    tls.once('error', onError);
    tls.once('close', onClose);
    tls.once('secureConnect', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      tls.removeListener('error', onError);
      tls.removeListener('close', onClose);
      resolve(tls);
    });
  });
}
