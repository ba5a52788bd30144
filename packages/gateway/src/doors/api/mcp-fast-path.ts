import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type SessionFacts, type Sessions, sessionTokenHash } from '../../identity/index.ts';
import { stayAwake } from '../../shared/stay-awake.ts';
import type { BaseAppOptions } from './base-app.ts';
import { presentedToken } from './bearer.ts';
import { boundSession } from './bound-connection.ts';
import { toPublicError } from './error-answer.ts';
import { explainForeignRequest } from './host-check.ts';
import { parseJsonBody } from './json-parser.ts';
import { MCP_BODY_BYTES, type McpFront, type McpRoutesParts, unreadBody } from './routes/mcp.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

export interface McpFastPathParts extends McpRoutesParts {
  readonly sessions: Pick<Sessions, 'authenticateHash' | 'signalOf'>;
}

/** A message to the MCP door about which nothing is unusual. */
interface Plain {
  /** of its token, which is then read once for all messages of a connection */
  readonly tokenHash: string;
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
    // A server that answers at once has done so before this could be asleep and awake again.
    stayAwake();
    let session: SessionFacts;
    try {
      const found = sessions.authenticateHash(plain.tokenHash);
      session = found instanceof Promise ? await found : found;
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
    cutWithSession(request.socket, session.id, ended, response);
    response.once('close', () => {
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

/** The session whose messages came over a connection first. */
interface Owner {
  readonly session: string;
  /** its messages that are not answered yet */
  underWay: number;
}

const owners = new WeakMap<Socket, Owner>();

/**
 * While a message is under way its connection ends with its session. One listener for all messages of a connection: to
 * add and remove one for each costs more than to read it. Only where another session joins in each has its own.
 */
function cutWithSession(socket: Socket, session: string, ended: AbortSignal, response: ServerResponse): void {
  const known = owners.get(socket);
  const owner = known ?? { session, underWay: 0 };
  const isOwners = owner.session === session;
  if (isOwners) {
    owner.underWay += 1;
    response.once('close', () => {
      owner.underWay -= 1;
    });
  }
  if (known !== undefined && isOwners) return;
  owners.set(socket, owner);
  // A connection on which nothing is under way may be used for something else at this very moment.
  const cut = (): void => void (isOwners && owner.underWay === 0 ? owners.delete(socket) : socket.destroy());
  ended.addEventListener('abort', cut, { once: true });
  (isOwners ? socket : response).once('close', () => ended.removeEventListener('abort', cut));
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

/** What a connection said with its last message, and what it meant. */
interface Said {
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly hosts: readonly string[];
  readonly plain: Plain;
}

const said = new WeakMap<Socket, Said>();

/** A client says the same with every message of a connection, but for its length. */
function plainMessage(
  { url = '', rawHeaders, socket }: IncomingMessage,
  allowedHosts: () => readonly string[],
  scheme: 'http' | 'https',
): Plain | undefined {
  const hosts = allowedHosts();
  const last = said.get(socket);
  if (
    last !== undefined &&
    last.url === url &&
    last.hosts === hosts &&
    saysTheSame(last.rawHeaders, rawHeaders)
  )
    return last.plain;
  const plain = readPlain(url, rawHeaders, hosts, scheme);
  if (plain !== undefined) said.set(socket, { url, rawHeaders, hosts, plain });
  return plain;
}

/** SECURITY: word for word, so that what was found plain is; lengths are looked at each time. */
function saysTheSame(before: readonly string[], now: readonly string[]): boolean {
  if (before.length !== now.length) return false;
  for (let at = 0; at < now.length; at += 1) {
    if (before[at] === now[at]) continue;
    const name = now[at - 1] ?? '';
    const isLength = at % 2 === 1 && name.length === 14 && name.toLowerCase() === 'content-length';
    if (!isLength || !isPlainLength(now[at] ?? '')) return false;
  }
  return true;
}

function isPlainLength(length: string): boolean {
  return /^[1-9]\d{0,6}$/.test(length) && Number(length) <= MCP_BODY_BYTES;
}

function readPlain(
  url: string,
  rawHeaders: readonly string[],
  hosts: readonly string[],
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
  if (!isPlainLength(seen.get('content-length') ?? '')) return undefined;
  if (seen.get('content-type') !== 'application/json') return undefined;
  const host = [seen.get('host') ?? ''];
  const policy = { allowedHosts: hosts, scheme };
  if (explainForeignRequest({ host, origin: [], fetchSite: undefined }, policy) !== undefined)
    return undefined;
  const authorization = seen.get('authorization');
  if (authorization === undefined) return undefined;
  const presented = presentedToken({ headers: { authorization } });
  const tokenHash = presented.kind === 'token' ? sessionTokenHash(presented.token) : undefined;
  if (tokenHash === undefined) return undefined;
  return {
    tokenHash,
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
