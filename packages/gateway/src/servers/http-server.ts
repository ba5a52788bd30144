import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { SallyportError } from '@sallyport/protocol';

/** Bounds on what one peer may cost. Times in ms, sizes in bytes. */
export interface HttpLimits {
  readonly bodyBytes: number;
  readonly headerBytes: number;
  /** for all headers to arrive */
  readonly headersTimeoutMs: number;
  /** for the whole request to arrive */
  readonly requestTimeoutMs: number;
  /** silence on a connection; streams send heartbeats well within it */
  readonly idleTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly connections: number;
}

export const DEFAULT_LIMITS: HttpLimits = {
  bodyBytes: 1024 * 1024,
  headerBytes: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  idleTimeoutMs: 120_000,
  keepAliveTimeoutMs: 10_000,
  connections: 2_000,
};

/** PEM text of a certificate chain and its key. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
}

/** A node server with every bound set, which answers broken HTTP in the same shape as everything else. */
export function createHttpServer(handler: RequestListener, limits: HttpLimits, tls?: TlsMaterial): Server {
  const options: ServerOptions = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
    // SECURITY: never lenient: two parsers that disagree about a message are a way past a check.
    insecureHTTPParser: false,
    // Our own check answers a missing Host in the common shape.
    requireHostHeader: false,
  };
  const server =
    tls === undefined
      ? createServer(options, handler)
      : // `as`: an https server has the same events and methods; the two classes only differ by ancestry.
        (createTlsServer({ ...options, ...tls, minVersion: 'TLSv1.2' }, handler) as unknown as Server);
  server.maxConnections = limits.connections;
  server.setTimeout(limits.idleTimeoutMs);
  server.on('clientError', answerBrokenRequest);
  server.on('checkExpectation', (_request, response) => {
    const body = JSON.stringify(new SallyportError('BadRequest', UNKNOWN_EXPECTATION).toBody());
    response.writeHead(400, { ...SECURITY_HEADERS, 'content-type': 'application/json; charset=utf-8' });
    response.end(body);
  });
  return server;
}

const UNKNOWN_EXPECTATION = { message: 'the Expect header asks for something unknown' };

/** The connection is in an unknown state: say what was wrong and close it. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const answer = brokenRequest(error.code);
  const body = JSON.stringify(answer.toBody());
  const head = Object.entries({
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${answer.status} ${answer.code}\r\n${head.join('\r\n')}\r\n\r\n${body}`, () =>
    socket.destroy(),
  );
}

function brokenRequest(code: string | undefined): SallyportError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new SallyportError('RequestTimeout');
    case 'HPE_HEADER_OVERFLOW':
      return new SallyportError('HeadersTooLarge');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new SallyportError('PayloadTooLarge');
    // open: any code of the parser
    default:
      return new SallyportError('BadRequest', { message: 'this is not a valid HTTP request' });
  }
}

/** Sent with every answer of both sides, errors included. There is no CORS header on purpose. */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;
