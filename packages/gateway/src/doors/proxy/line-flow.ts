import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { carryOut, type Permit } from '../../calls/index.ts';
import type { Line } from '../../executors/index.ts';
import type { SessionFacts } from '../../identity/index.ts';
import { mayPass } from './client-hello.ts';
import type { Incoming } from './incoming.ts';
import type { ProxyTools } from './proxy-parts.ts';
import { type Refusal, refusalFrom, refusalOf, refuse } from './refusal.ts';
import { allowedEvent } from './request-events.ts';
import { contextOf } from './request-plan.ts';

/** What a client may say before it has its answer; then it waits. */
const AHEAD_BYTES = 64 * 1024;

/** A connection that passes unopened: bytes go both ways unseen, and nothing is lent. */
interface LineRequest {
  readonly session: SessionFacts;
  readonly host: string;
  readonly port: number;
  readonly signal: AbortSignal;
  /** a port of this machine that a person opened for a run */
  readonly isForward: boolean;
  /** The agent's end, now that the other is open; undefined: what the agent said leads elsewhere. */
  agentEnd(): Duplex | Promise<Duplex | undefined>;
  refuse(refusal: Refusal): void;
}

/** CONNECT to a host whose TLS is not opened. `handOver` answers it and gives the connection. */
export async function runTunnel(
  tools: ProxyTools,
  incoming: Incoming,
  session: SessionFacts,
  handOver: () => Duplex,
): Promise<void> {
  const { host, port, signal } = incoming;
  await runLine(tools, {
    ...{ session, host, port, signal, isForward: false },
    async agentEnd() {
      const agent = handOver();
      // SECURITY: another name in the handshake is another host behind the same address [NE-4].
      if (await mayPass(agent, host, signal)) return agent;
      agent.destroy();
      return undefined;
    },
    refuse: (refusal) => refuse(incoming, refusal),
  });
}

/** A connection to one port of this machine that a person opened for a run (`--forward`). A refusal is a closed one. */
export async function runForward(
  tools: ProxyTools,
  socket: Socket,
  session: SessionFacts,
  port: number,
): Promise<void> {
  const leaving = new AbortController();
  const over = tools.parts.sessions.signalOf(session.id);
  const signal = AbortSignal.any([leaving.signal, over]);
  socket.on('error', () => socket.destroy());
  socket.once('close', () => leaving.abort(new Error('the agent left')));
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  if (signal.aborted) socket.destroy();
  const takeBack = holdBack(socket, () => leaving.abort(new Error('the agent left')));
  await runLine(tools, {
    ...{ session, host: '127.0.0.1', port, signal, isForward: true },
    agentEnd() {
      takeBack();
      return socket;
    },
    refuse: () => socket.destroy(),
  });
}

/** Judged as a write before anything is dialled. */
async function runLine(tools: ProxyTools, line: LineRequest): Promise<void> {
  const startedAt = performance.now();
  const { session, host, port, signal, isForward } = line;
  await carryOut<void>(tools.carryOut, {
    ...{ signal, hasEnd: true },
    build: () =>
      tools.parts.builderFor(session.tenant).http(
        {
          ...{ scheme: 'tunnel', host, port, method: 'CONNECT', target: '', headers: [], bodyComplete: true },
          ...(isForward ? { forward: true } : {}),
        },
        {},
        contextOf(session, undefined),
      ).action,
    refused: (verdict, action) => line.refuse(refusalOf(verdict, action.id)),
    execute: (permit) => passLine(tools, line, permit, startedAt),
  });
}

async function passLine(
  { parts }: ProxyTools,
  line: LineRequest,
  permit: Permit,
  startedAt: number,
): Promise<void> {
  const { session, host, port, signal, isForward } = line;
  const { action, verdict } = permit;
  const verdictAt = performance.now();
  const scheme = isForward ? 'http' : 'https';
  let [status, bytes] = [200, 0];
  let error: string | undefined;
  let upstream: Line | undefined;
  try {
    upstream = await parts.executor.connect({
      ...{ action, verdict, record: permit, session, signal, preferH2: false },
      request: {
        ...{ tenant: session.tenant, scheme, host, port, method: 'CONNECT', target: '', headers: [] },
        isStreamed: false,
      },
    });
    const agent = await line.agentEnd();
    if (agent === undefined) {
      error = 'HostMismatch';
      upstream.close();
    } else bytes = await upstream.join(agent, signal);
  } catch (failure) {
    upstream?.close();
    const refusal = refusalFrom(failure, action.id);
    status = refusal.status;
    error = refusal.code;
    line.refuse(refusal);
  }
  const end = {
    ...{ session, action, credential: undefined, status, requestBytes: 0, responseBytes: bytes },
    ...{ sha256: undefined, startedAt, verdictAt, headAt: verdictAt, error },
  };
  permit.end(allowedEvent(end, parts.trail.level));
}

/** Reads ahead, to hear of a client that leaves while people are asked. The result puts back what was read. */
function holdBack(socket: Socket, onLeft: () => void): () => void {
  const read: Buffer[] = [];
  let size = 0;
  const keep = (chunk: Buffer): void => {
    read.push(chunk);
    size += chunk.length;
    if (size >= AHEAD_BYTES) socket.pause();
  };
  socket.on('data', keep);
  socket.on('end', onLeft);
  return () => {
    socket.pause();
    socket.off('data', keep);
    socket.off('end', onLeft);
    if (size > 0) socket.unshift(Buffer.concat(read));
  };
}
