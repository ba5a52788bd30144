import type { Socket } from 'node:net';
import type { SessionFacts } from '../../identity/index.ts';
import type { FlowTools } from './course.ts';
import { joinPipes } from './join-pipes.ts';
import { type Refusal, refusalFrom } from './refusal.ts';
import { contextOf } from './request-plan.ts';

/** What a client may say before it has its answer; then it waits. */
const AHEAD_BYTES = 64 * 1024;
const HOST = '127.0.0.1';

/**
 * A connection to one port of this machine that a person opened for a run (`--forward`): judged as a tunnel before
 * anything is dialled. Nothing is lent, and bytes go both ways unseen. Never rejects; a refusal is a closed connection.
 */
export async function runForward(
  { parts, recorder }: FlowTools,
  socket: Socket,
  session: SessionFacts,
  port: number,
): Promise<void> {
  const startedAt = performance.now();
  const leaving = new AbortController();
  const over = parts.sessions.signalOf(session.id);
  const signal = AbortSignal.any([leaving.signal, over]);
  socket.on('error', () => socket.destroy());
  socket.once('close', () => leaving.abort(new Error('the agent left')));
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  if (signal.aborted) socket.destroy();
  const takeBack = holdBack(socket, () => leaving.abort(new Error('the agent left')));
  const request = { host: HOST, port, method: 'CONNECT', target: '' };
  const action = parts
    .builderFor(session.tenant)
    .http(
      { ...request, scheme: 'tunnel', headers: [], bodyComplete: true, forward: true },
      {},
      contextOf(session, undefined),
    );
  const verdict = await parts.gate.admit(action, { signal });
  if (verdict.kind === 'deny') {
    socket.destroy();
    return;
  }
  const verdictMs = Math.round(performance.now() - startedAt);
  let refusal: Refusal | undefined;
  let bytes = 0;
  try {
    const upstream = await parts.executor.connect({
      ...{ action, verdict, session, signal, preferH2: false },
      request: { ...request, tenant: session.tenant, scheme: 'http', headers: [], isStreamed: false },
    });
    takeBack();
    bytes = await joinPipes(socket, upstream, signal);
  } catch (error) {
    refusal = refusalFrom(error, action.id);
    socket.destroy();
  }
  recorder.allowed({
    ...{ session, action, credential: undefined, status: refusal?.status ?? 200, requestBytes: 0 },
    ...{ responseBytes: bytes, sha256: undefined, error: refusal?.code },
    ms: { verdict: verdictMs, head: verdictMs, total: Math.round(performance.now() - startedAt) },
  });
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
