import { ApprovalsRepository } from '../../packages/gateway/src/store/index.ts';
import { push } from '../../packages/gateway/test/approvals/actions.ts';
import { openHttp } from '../../packages/gateway/test/approvals/http-fixture.ts';

// The measured side of `approvals.ts`, in a process of its own: both sides of the API over sockets, a real store
// and a real trail. It tells its memory, and the moment at which each blocked caller was released.

/** What the driver may ask for. */
export type Order =
  | { readonly kind: 'block'; readonly count: number }
  | { readonly kind: 'keys'; readonly count: number }
  | { readonly kind: 'memory' }
  | { readonly kind: 'stop' };

/** What it is told. Times are `process.hrtime`, which all processes of a machine share. */
export type Report =
  | { readonly kind: 'ready'; readonly apiUrl: string; readonly operatorUrl: string; readonly token: string }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'keys'; readonly keys: readonly string[] }
  | { readonly kind: 'memory'; readonly rss: number }
  | { readonly kind: 'released'; readonly approval: string; readonly at: string };

const http = await openHttp({ limits: { connections: 20_000 } });
const tell = (report: Report): void => void process.send?.(report);

async function block(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const action = push({ fingerprint: `f${i}`, binding: `b${i}`, actor: { execution: `exec_${i}` } });
    void http.gate.admit(action).then((verdict) => {
      const at = String(process.hrtime.bigint());
      if (verdict.kind === 'allow' && verdict.approval !== undefined)
        tell({ kind: 'released', approval: verdict.approval, at });
    });
  }
  // Counted in the store: reading them all would be measured as the gateway's own memory.
  const approvals = new ApprovalsRepository(http.store);
  while ((await approvals.countPending('default', undefined, Date.now())) < count)
    await new Promise((resolve) => setTimeout(resolve, 100));
  tell({ kind: 'blocked' });
}

process.on('message', (order: Order) => {
  switch (order.kind) {
    case 'block':
      void block(order.count);
      return;
    case 'keys':
      void Promise.all(Array.from({ length: order.count }, () => http.newKey())).then((keys) =>
        tell({ kind: 'keys', keys }),
      );
      return;
    case 'memory':
      tell({ kind: 'memory', rss: process.memoryUsage.rss() });
      return;
    case 'stop':
      void http[Symbol.asyncDispose]().then(() => process.disconnect?.());
      return;
  }
});
tell({ kind: 'ready', apiUrl: http.apiUrl, operatorUrl: http.operatorUrl, token: http.operatorToken });
