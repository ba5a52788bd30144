import type { JsonObject } from '@sallyport/protocol';
import { openNestedJail } from './nested-jail.ts';
import { runOrder } from './run-order.ts';
import { SealClient } from './seal-client.ts';
import { linesOf, serveLines } from './serve-lines.ts';
import { WorkerError } from './worker-error.ts';
import { parseWorkload } from './workload.ts';

// The jailed side. Reads its workload from the first line of stdin, so that it stands neither in the arguments nor in
// the environment; then a call on each line. Answers are lines of stdout. Ends when stdin does.

const write = (line: JsonObject): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const ending = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.once(signal, () => {
    ending.abort();
    process.exit(128);
  });
}

void main();

async function main(): Promise<void> {
  try {
    const lines = linesOf(process.stdin);
    const first = await lines.next();
    if (first.done === true) throw new WorkerError('BadStart', 'there is no workload on stdin');
    const workload = parseWorkload(first.value);
    const nest = openNestedJail();
    const cwd = process.cwd();
    const client = new SealClient(workload, {
      runOrder: (order) => runOrder(order, { nest, cwd, signal: ending.signal }),
    });
    const { session_id, expires_at } = await client.attest();
    write({ type: 'ready', session_id, expires_at, execution_id: workload.execution_id });
    await serveLines(lines, client, write);
    process.exit(0);
  } catch (error) {
    const code = error instanceof WorkerError ? error.code : 'Internal';
    write({
      type: 'failed',
      id: null,
      code,
      message: error instanceof Error ? error.message : String(error),
    });
    process.exit(1);
  }
}
