import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type BaseAppOptions, boundSession } from '../../../servers/index.ts';
import type { Header } from '../../../shared/http-message.ts';
import { stayAwake } from '../../../shared/stay-awake.ts';
import type { PlainCalls } from './plain-calls.ts';
import { isPlainLength, type PlainMessage } from './plain-message.ts';

/**
 * Answers plain messages to the MCP door without the framework, which takes as long as everything else together: those
 * that came to node's server. It refuses nobody: whatever is not plain, or not admitted, goes to the route of the same
 * address as it came, unread.
 *
 * SECURITY: what it takes has passed the same checks (Host and Origin, session, size, JSON) by the same functions.
 */
export function createMcpFastPath(calls: PlainCalls): NonNullable<BaseAppOptions['intercept']> {
  const take = async (
    request: IncomingMessage,
    response: ServerResponse,
    plain: PlainMessage,
    handOn: RequestListener,
  ): Promise<void> => {
    const startedAt = performance.now();
    // A server that answers at once has done so before this could be asleep and awake again.
    stayAwake();
    const found = calls.admit(plain);
    const admitted = found instanceof Promise ? await found : found;
    if (admitted === undefined || admitted.ended.aborted) {
      handOn(request, response);
      return;
    }
    cutWithSession(request.socket, admitted.session.id, admitted.ended, response);
    response.once('close', () => calls.count(plain, response.statusCode, startedAt));
    readBody(request, (body) => calls.answer(admitted, plain, body, response));
  };
  return (request, response, handOn) => {
    // SECURITY: a connection of a jail speaks for its own session only; the route sees to that.
    const isOurs = request.method === 'POST' && boundSession({ raw: request }) === undefined;
    const plain = isOurs ? plainMessage(request, calls) : undefined;
    if (plain === undefined) handOn(request, response);
    else void take(request, response, plain, handOn);
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

/** What a connection said with its last message, and what it meant. */
interface Said {
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly hosts: readonly string[];
  readonly plain: PlainMessage;
}

const said = new WeakMap<Socket, Said>();

/** A client says the same with every message of a connection, but for its length. */
function plainMessage(
  { url = '', rawHeaders, socket }: IncomingMessage,
  calls: PlainCalls,
): PlainMessage | undefined {
  const { hosts } = calls;
  const last = said.get(socket);
  if (
    last !== undefined &&
    last.url === url &&
    last.hosts === hosts &&
    saysTheSame(last.rawHeaders, rawHeaders)
  )
    return last.plain;
  if (!url.startsWith('/mcp')) return undefined;
  const plain = calls.read(url, pairs(rawHeaders), hosts);
  if (plain !== undefined) said.set(socket, { url, rawHeaders, hosts, plain });
  return plain;
}

function* pairs(rawHeaders: readonly string[]): Iterable<Header> {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    yield [rawHeaders[at] ?? '', rawHeaders[at + 1] ?? ''];
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
