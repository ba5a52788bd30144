import type { Socket } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import type { OutgoingRequest, ResponseHead } from '../shared/http-message.ts';
import { BadMessage, lowerFieldName, ResponseParser, withoutHopByHop } from '../shared/http1/index.ts';
import { headOf, hostField } from './h1-head.ts';
import { broken, timedOut } from './upstream-errors.ts';

/** What became of a request to change the protocol. */
export type UpgradeOutcome =
  /** the host agreed; what it sent after its head is read from the socket first */
  | { readonly kind: 'switched'; readonly head: ResponseHead; readonly socket: Duplex }
  | { readonly kind: 'answered'; readonly head: ResponseHead; readonly body: Readable };

const PROTOCOL = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:\/[!#$%&'*+.^_`|~0-9A-Za-z-]+)?$/;

/**
 * Asks on a fresh connection, which is used for nothing else. Rejects with what an agent may be told; the socket
 * is then closed.
 */
export function upgradeOn(
  socket: Socket,
  request: OutgoingRequest,
  protocol: string,
  options: { readonly signal: AbortSignal; readonly headMs: number },
): Promise<UpgradeOutcome> {
  const { signal, headMs } = options;
  return new Promise((resolve, reject) => {
    let body: Readable | undefined;
    let switched: ResponseHead | undefined;
    const timer = setTimeout(() => fail(timedOut(request, 'did not begin to answer in time')), headMs);
    const stop = (): void => fail(signal.reason);
    const settle = (outcome: UpgradeOutcome): void => {
      clearTimeout(timer);
      resolve(outcome);
    };
    const fail = (error: Error): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      socket.destroy();
      body?.destroy(error);
      reject(error);
    };
    const parser = new ResponseParser({
      onInformational() {},
      onHead({ status, headers }) {
        const head = { status, headers: withoutHopByHop(headers) };
        if (status === 101) {
          // SECURITY: what follows is read as the protocol that was judged, so it must be that one.
          if (!agreesOn(headers, protocol)) throw new BadMessage('unexpected-switch');
          switched = head;
          return;
        }
        body = new Readable({ read: () => void socket.resume(), destroy: closing(socket) });
        settle({ kind: 'answered', head, body });
      },
      onBody(chunk) {
        if (body?.push(chunk) === false) socket.pause();
      },
      onEnd() {
        body?.push(null);
      },
    });
    const read = (step: () => number): void => {
      try {
        const used = step();
        if (switched !== undefined) handOver(switched, used);
      } catch (error) {
        fail(explain(request, error));
      }
    };
    let portion: Buffer = Buffer.alloc(0);
    const onData = (chunk: Buffer): void => {
      portion = chunk;
      read(() => parser.push(chunk));
    };
    const onFin = (): void =>
      read(() => {
        parser.finish();
        return 0;
      });
    const onClose = (): void => {
      signal.removeEventListener('abort', stop);
      if (!parser.isComplete) fail(broken(request, 'closed the connection without an answer'));
    };
    const handOver = (head: ResponseHead, used: number): void => {
      socket.removeListener('data', onData).removeListener('end', onFin).removeListener('close', onClose);
      signal.removeEventListener('abort', stop);
      socket.pause();
      if (used < portion.length) socket.unshift(portion.subarray(used));
      settle({ kind: 'switched', head, socket });
    };
    signal.addEventListener('abort', stop, { once: true });
    // `close` follows, and tells.
    socket.on('error', () => {});
    socket.on('data', onData);
    socket.on('end', onFin);
    socket.on('close', onClose);
    if (signal.aborted) return stop();
    try {
      parser.start(request.method, true);
      socket.write(upgradeHead(request, protocol), 'latin1');
    } catch (error) {
      fail(explain(request, error));
    }
  });
}

function upgradeHead(request: OutgoingRequest, protocol: string): string {
  if (!PROTOCOL.test(protocol)) throw new BadMessage('unsupported-upgrade');
  return headOf(request, hostField(request), 'given', protocol);
}

/** Whether the host names one protocol, the one that it was asked for. */
function agreesOn(headers: ResponseHead['headers'], protocol: string): boolean {
  const named = headers.filter(([name]) => lowerFieldName(name) === 'upgrade');
  return named.length === 1 && named[0]?.[1].toLowerCase() === protocol.toLowerCase();
}

function closing(socket: Socket): (error: Error | null, done: (error: Error | null) => void) => void {
  return (error, done) => {
    socket.destroy();
    done(error);
  };
}

function explain(request: OutgoingRequest, error: unknown): Error {
  if (error instanceof BadMessage)
    return broken(request, `sent what is not plain HTTP/1.1 (${error.reason})`, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}
