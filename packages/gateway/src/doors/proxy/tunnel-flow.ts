import type { Duplex } from 'node:stream';
import type { SessionFacts } from '../../identity/index.ts';
import { mayPass } from './client-hello.ts';
import type { FlowTools } from './course.ts';
import type { Incoming } from './incoming.ts';
import { joinPipes } from './join-pipes.ts';
import { refusalFrom, refusalOf, refuse } from './refusal.ts';

import { contextOf } from './request-plan.ts';

/**
 * CONNECT to a host whose TLS is not opened: judged as a write before anything is dialled, nothing is lent, and bytes go
 * both ways unseen.
 */
export async function runTunnel(
  { parts, recorder }: FlowTools,
  incoming: Incoming,
  session: SessionFacts,
  handOver: () => Duplex,
): Promise<void> {
  const startedAt = performance.now();
  const { host, port, method, signal } = incoming;
  const action = parts
    .builderFor(session.tenant)
    .http(
      { scheme: 'tunnel', host, port, method, target: '', headers: [], bodyComplete: true },
      {},
      contextOf(session, undefined),
    );
  const verdict = await parts.gate.admit(action, { signal });
  if (verdict.kind === 'deny') {
    refuse(incoming, refusalOf(verdict, action.id));
    return;
  }
  const verdictMs = Math.round(performance.now() - startedAt);
  const request = {
    tenant: session.tenant,
    scheme: 'https' as const,
    host,
    port,
    method,
    target: '',
    headers: [],
  };
  let status = 200;
  let error: string | undefined;
  let bytes = 0;
  try {
    const job = {
      action,
      verdict,
      request: { ...request, isStreamed: false },
      session,
      signal,
      preferH2: false,
    };
    const upstream = await parts.executor.connect(job);
    const agent = handOver();
    // SECURITY: another name in the handshake is another host behind the same address [NE-4].
    if (await mayPass(agent, host, signal)) bytes = await joinPipes(agent, upstream, signal);
    else {
      error = 'HostMismatch';
      upstream.destroy();
      agent.destroy();
    }
  } catch (failure) {
    const refusal = refusalFrom(failure, action.id);
    status = refusal.status;
    error = refusal.code;
    refuse(incoming, refusal);
  }
  const total = Math.round(performance.now() - startedAt);
  recorder.allowed({
    session,
    action,
    credential: undefined,
    status,
    requestBytes: 0,
    responseBytes: bytes,
    sha256: undefined,
    ms: { verdict: verdictMs, head: verdictMs, total },
    error,
  });
}
