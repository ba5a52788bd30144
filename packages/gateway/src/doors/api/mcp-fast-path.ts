import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { SessionFacts, Sessions } from '../../identity/index.ts';
import type { BaseAppOptions } from './base-app.ts';
import { presentedToken } from './bearer.ts';
import { boundSession } from './bound-connection.ts';
import { toPublicError } from './error-answer.ts';
import { explainForeignRequest } from './host-check.ts';
import { parseJsonBody } from './json-parser.ts';
import { MCP_BODY_BYTES, type McpFront, type McpRoutesParts, unreadBody } from './routes/mcp.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

export interface McpFastPathParts extends McpRoutesParts {
  readonly sessions: Pick<Sessions, 'authenticate' | 'signalOf'>;
}

/** A message to the MCP door about which nothing is unusual. */
interface Plain {
  readonly token: string;
  readonly server: string | undefined;
  readonly accept: string;
  readonly clientId: string | undefined;
  readonly protocolVersion: string | undefined;
}

/**
 * Answers plain messages to the MCP door without the framework, which takes as long as everything else together. It
 * refuses nobody: whatever is not plain, or not admitted, goes to the route of the same address as it came, unread.
 *
 * SECURITY: what it takes has passed the same checks (Host and Origin, session, size, JSON) by the same functions.
 */
export function createMcpFastPath(
  { allowedHosts, tls, onAnswered }: Pick<BaseAppOptions, 'allowedHosts' | 'tls' | 'onAnswered'>,
  { mcp, sessions }: McpFastPathParts,
): NonNullable<BaseAppOptions['intercept']> {
  const scheme = tls === undefined ? 'http' : 'https';
  const headers: Readonly<Record<string, string>> = {
    ...SECURITY_HEADERS,
    ...(tls === undefined ? {} : { 'strict-transport-security': 'max-age=31536000' }),
  };
  const take = async (
    request: IncomingMessage,
    response: ServerResponse,
    plain: Plain,
    front: McpFront,
    handOn: RequestListener,
  ): Promise<void> => {
    const startedAt = performance.now();
    let session: SessionFacts;
    try {
      session = await sessions.authenticate(plain.token);
    } catch {
      handOn(request, response);
      return;
    }
    // SECURITY: whoever was admitted a moment ago must not go on after the session has ended [ID-3].
    const ended = sessions.signalOf(session.id);
    if (ended.aborted) {
      handOn(request, response);
      return;
    }
    const cut = (): void => void request.destroy();
    ended.addEventListener('abort', cut, { once: true });
    response.once('close', () => {
      ended.removeEventListener('abort', cut);
      const route = plain.server === undefined ? '/mcp' : '/mcp/:server';
      const seconds = (performance.now() - startedAt) / 1000;
      onAnswered({ method: 'POST', route, status: response.statusCode }, seconds);
    });
    const { server, accept, clientId, protocolVersion } = plain;
    const call = {
      ...{ session, server, accept, clientId, protocolVersion, response, headers },
      plainNames: false,
      lastEventId: undefined,
    };
    readBody(request, (body) => {
      let message: unknown;
      try {
        message = parseJsonBody(body);
      } catch (error) {
        const known = toPublicError(error);
        response.writeHead(known.status, { ...headers, 'content-type': 'application/json; charset=utf-8' });
        response.end(JSON.stringify(unreadBody(known)));
        return;
      }
      front.post(call, message).catch(() => response.destroy());
    });
  };
  return (request, response, handOn) => {
    // SECURITY: a connection of a jail speaks for its own session only; the route sees to that.
    const isOurs = request.method === 'POST' && boundSession({ raw: request }) === undefined;
    const plain = isOurs ? plainMessage(request, allowedHosts, scheme) : undefined;
    const front = plain === undefined ? undefined : loaded(mcp);
    if (plain === undefined || front === undefined) handOn(request, response);
    else void take(request, response, plain, front, handOn);
  };
}

/** The door, if it is there now: whoever has to wait, or is refused, is the framework's. */
function loaded(mcp: McpRoutesParts['mcp']): McpFront | undefined {
  try {
    const front = mcp();
    if (!(front instanceof Promise)) return front;
    front.catch(() => {});
  } catch {
    // The route tells why.
  }
  return undefined;
}

/** Headers that are looked at, each of which may come once. Anything that changes how a message is read is not plain. */
const KNOWN: ReadonlySet<string> = new Set([
  'host',
  'authorization',
  'content-type',
  'content-length',
  'accept',
  'mcp-session-id',
  'mcp-protocol-version',
]);
const UNUSUAL: ReadonlySet<string> = new Set([
  'origin',
  'sec-fetch-site',
  'transfer-encoding',
  'content-encoding',
  'expect',
  'upgrade',
  'last-event-id',
]);
const ADDRESS = /^\/mcp(?:\/([a-z0-9][a-z0-9._-]{0,63}))?$/;

function plainMessage(
  { url = '', rawHeaders }: IncomingMessage,
  allowedHosts: () => readonly string[],
  scheme: 'http' | 'https',
): Plain | undefined {
  if (!url.startsWith('/mcp')) return undefined;
  const address = ADDRESS.exec(url);
  if (address === null) return undefined;
  const seen = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (UNUSUAL.has(name)) return undefined;
    if (!KNOWN.has(name)) continue;
    // SECURITY: which of two counts, nobody can say.
    if (seen.has(name)) return undefined;
    seen.set(name, rawHeaders[at + 1] ?? '');
  }
  const length = seen.get('content-length') ?? '';
  if (!/^[1-9]\d{0,6}$/.test(length) || Number(length) > MCP_BODY_BYTES) return undefined;
  if (seen.get('content-type') !== 'application/json') return undefined;
  const host = [seen.get('host') ?? ''];
  const policy = { allowedHosts: allowedHosts(), scheme };
  if (explainForeignRequest({ host, origin: [], fetchSite: undefined }, policy) !== undefined)
    return undefined;
  const authorization = seen.get('authorization');
  if (authorization === undefined) return undefined;
  const presented = presentedToken({ headers: { authorization } });
  if (presented.kind !== 'token') return undefined;
  return {
    token: presented.token,
    server: address[1],
    accept: seen.get('accept') ?? '',
    clientId: seen.get('mcp-session-id'),
    protocolVersion: seen.get('mcp-protocol-version'),
  };
}

/** All of a body whose length was announced; nothing when it breaks off. */
function readBody(request: IncomingMessage, onBody: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.once('end', () => {
    const [only, ...others] = chunks;
    onBody(only !== undefined && others.length === 0 ? only : Buffer.concat(chunks));
  });
  // Whoever breaks off in the middle gets no answer, and nothing runs.
  request.once('error', () => {});
}
