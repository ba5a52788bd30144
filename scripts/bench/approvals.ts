import { type ChildProcess, fork } from 'node:child_process';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import type { Order, Report } from './approvals-gateway.ts';
import { type BenchResult, reportBench } from './report.ts';

// 5,000 approvals pending at once, each with a blocked caller: an `admit` inside the gateway, or a long poll over
// HTTP. Measured: the gateway's memory, and the time from sending the decision to the caller's release.

const CALLERS = 5_000;
/** people who press a button at the same moment */
const DECIDING = 2;
const CALLERS_OF_KEY = 1_000;
const MIB = 1024 * 1024;

/** A gateway of its own, so that what one measurement left behind is not in the memory of the next. */
class Gateway implements AsyncDisposable {
  readonly #child: ChildProcess = fork(join(import.meta.dirname, 'approvals-gateway.ts'), {
    stdio: 'inherit',
  });
  readonly #exited = new Promise<number | null>((resolve) => this.#child.once('exit', resolve));
  readonly #listeners = new Set<(report: Report) => void>();
  readonly operators = new Agent({ keepAlive: true, maxSockets: DECIDING });
  readonly callers = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

  constructor() {
    this.#child.on('message', (report: Report) => {
      for (const listener of this.#listeners) listener(report);
    });
    this.#child.once('exit', (code) => {
      if (code !== 0) process.exit(1);
    });
  }

  listen(listener: (report: Report) => void): void {
    this.#listeners.add(listener);
  }

  next<K extends Report['kind']>(kind: K): Promise<Extract<Report, { kind: K }>> {
    return new Promise((resolve) => {
      const listener = (report: Report): void => {
        if (report.kind !== kind) return;
        this.#listeners.delete(listener);
        // The kind was compared two lines above.
        resolve(report as Extract<Report, { kind: K }>);
      };
      this.#listeners.add(listener);
    });
  }

  order<K extends Report['kind']>(what: Order, answer: K): Promise<Extract<Report, { kind: K }>> {
    const reported = this.next(answer);
    this.#child.send(what);
    return reported;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.operators.destroy();
    this.callers.destroy();
    this.#child.send({ kind: 'stop' } satisfies Order);
    await this.#exited;
  }
}

type Ready = Extract<Report, { kind: 'ready' }>;

function call(url: string, agent: Agent, bearer: string, body?: object): Promise<unknown> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        agent,
        method: text === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${bearer}`,
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      },
      (response) => {
        let answer = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          answer += part;
        });
        response.on('error', reject);
        response.on('end', () => {
          if ((response.statusCode ?? 500) >= 300) reject(new Error(`${response.statusCode}: ${answer}`));
          else resolve(JSON.parse(answer));
        });
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

/** Decides all of them, a few at a time; how long each caller waited from the POST on, in ms. */
async function decideAll(
  { operators }: Gateway,
  { operatorUrl, token }: Ready,
  ids: readonly string[],
  released: ReadonlyMap<string, Promise<bigint>>,
): Promise<number[]> {
  const times: number[] = [];
  const queue = [...ids];
  const decide = async (): Promise<void> => {
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      const start = process.hrtime.bigint();
      const posted = call(`${operatorUrl}/v1/approvals/${id}/decision`, operators, token, { code: '1' });
      const end = await released.get(id);
      await posted;
      times.push(Number((end ?? start) - start) / 1e6);
    }
  };
  await Promise.all(Array.from({ length: DECIDING }, decide));
  return times;
}

function results(name: string, times: readonly number[], rss: number): BenchResult[] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return [
    { name: `${name}: memory with 5,000 pending`, value: rss / MIB, unit: 'MiB' },
    { name: `${name}: decision to release, median`, value: at(0.5), unit: 'ms' },
    { name: `${name}: decision to release, p99`, value: at(0.99), unit: 'ms' },
  ];
}

interface Listed {
  readonly items: readonly { readonly id: string }[];
  readonly next_cursor: string | null;
}

async function pendingIds({ operators }: Gateway, { operatorUrl, token }: Ready): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const url = `${operatorUrl}/v1/approvals?status=pending&limit=200${query}`;
    // Our own gateway, whose schema the tests hold.
    const page = (await call(url, operators, token)) as Listed;
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return ids;
}

async function inProcess(): Promise<BenchResult[]> {
  await using gateway = new Gateway();
  const ready = await gateway.next('ready');
  await gateway.order({ kind: 'block', count: CALLERS }, 'blocked');
  const { rss } = await gateway.order({ kind: 'memory' }, 'memory');
  const ids = await pendingIds(gateway, ready);
  const waiting = new Map(ids.map((id) => [id, Promise.withResolvers<bigint>()]));
  gateway.listen((report) => {
    if (report.kind === 'released') waiting.get(report.approval)?.resolve(BigInt(report.at));
  });
  const released = new Map([...waiting].map(([id, { promise }]) => [id, promise]));
  return results('admit', await decideAll(gateway, ready, ids, released), rss);
}

async function longPoll(): Promise<BenchResult[]> {
  await using gateway = new Gateway();
  const ready = await gateway.next('ready');
  const { keys } = await gateway.order({ kind: 'keys', count: CALLERS / CALLERS_OF_KEY }, 'keys');
  const released = new Map<string, Promise<bigint>>();
  for (const key of keys) {
    for (let i = 0; i < CALLERS_OF_KEY; i += 1) {
      const body = {
        session_id: `run ${i}`,
        action_type: 'exec_cmd',
        title: 'Run command',
        preview: `make ${i}`,
      };
      const created = await call(`${ready.apiUrl}/v1/approvals`, gateway.callers, key, body);
      const { approval_id: id } = created as { approval_id: string };
      released.set(id, waitFor(gateway, ready, id, key));
    }
  }
  const { rss } = await gateway.order({ kind: 'memory' }, 'memory');
  return results('long poll', await decideAll(gateway, ready, [...released.keys()], released), rss);
}

/** As a client would: polls again when a minute passed without an answer. */
async function waitFor({ callers }: Gateway, { apiUrl }: Ready, id: string, key: string): Promise<bigint> {
  for (;;) {
    const state = await call(`${apiUrl}/v1/approvals/${id}?wait=60`, callers, key);
    if ((state as { status: string }).status !== 'pending') return process.hrtime.bigint();
  }
}

const measured = [...(await inProcess()), ...(await longPoll())];
reportBench(
  'approvals',
  measured,
  measured
    .filter(({ name }) => name.includes('memory') || name.includes('p99'))
    .map(({ name, unit }) => ({ name, floor: unit === 'MiB' ? 400 : 50, ceiling: true })),
);
