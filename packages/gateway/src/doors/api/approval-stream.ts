import type { FastifyReply } from 'fastify';
import type { Approval, Approvals } from '../../approvals/index.ts';
import { type SseMessage, writeSse } from '../../servers/index.ts';
import { toState } from './approval-wire.ts';

/** Streams how an approval stands until it has ended or the reader is gone. */
export async function streamApproval(
  reply: FastifyReply,
  first: Approval,
  approvals: Pick<Approvals, 'find' | 'watch'>,
  options: { readonly heartbeatMs: number; readonly stopping: AbortSignal },
): Promise<void> {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, options.stopping]);
  reply.hijack();
  const headers = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)] as const);
  reply.raw.writeHead(200, {
    ...Object.fromEntries(headers),
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  });
  reply.raw.write('retry: 1000\n\n');
  const source = states(first, approvals, signal);
  await writeSse(reply.raw, source, { signal, heartbeatMs: options.heartbeatMs });
}

async function* states(
  first: Approval,
  approvals: Pick<Approvals, 'find' | 'watch'>,
  signal: AbortSignal,
): AsyncGenerator<SseMessage> {
  const seen: Approval[] = [];
  let wake = (): void => {};
  const stop = approvals.watch(first.id, (approval) => {
    // Only the newest counts: a slow reader costs one place.
    seen.splice(0, seen.length, approval);
    wake();
  });
  const leave = (): void => wake();
  signal.addEventListener('abort', leave, { once: true });
  try {
    // Watching began before this look, so that nothing is missed between the two.
    let current = (await approvals.find(first.id)) ?? first;
    for (;;) {
      yield { id: current.id, event: current.status, data: JSON.stringify(toState(current)) };
      if (current.status !== 'pending') return;
      while (seen.length === 0 && !signal.aborted)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      const next = seen.shift();
      if (signal.aborted || next === undefined) return;
      current = next;
    }
  } finally {
    signal.removeEventListener('abort', leave);
    stop();
  }
}
