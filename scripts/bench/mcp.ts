/**
 * `npm run bench:mcp`: `echo` of the official reference server through the MCP door, with policy and trail on, against
 * the same server directly and behind two proxies. The same client calls all of them, in turns.
 */
import { connectEcho, type EchoClient } from './mcp/client.ts';
import {
  bareBridge,
  directHttp,
  directStdio,
  mcpProxy,
  sallyport,
  supergateway,
  type Target,
} from './mcp/targets.ts';
import { type BenchFloor, type BenchResult, median, reportBench } from './report.ts';

const ROUNDS = 11;
const SERIAL_CALLS = 200;
const PARALLEL_CALLS = 1_500;
const WIDTH = 16;
/** A gateway runs for days: what is measured is code that the engine has compiled. The same for all. */
const WARM_CALLS = 30_000;

interface Measured {
  readonly p50: number[];
  readonly rate: number[];
}

async function serial(client: EchoClient): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < SERIAL_CALLS; call += 1) {
    const began = performance.now();
    await client.echo();
    times.push(performance.now() - began);
  }
  return median(times);
}

async function parallel(client: EchoClient, calls: number): Promise<number> {
  let left = calls;
  const began = performance.now();
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await client.echo();
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
  return calls / ((performance.now() - began) / 1000);
}

const opened: Target[] = [];
const clients: { readonly name: string; readonly client: EchoClient }[] = [];
try {
  for (const open of [sallyport, directStdio, directHttp, bareBridge, mcpProxy, supergateway]) {
    const target = await open();
    opened.push(target);
    const client = await connectEcho(target.way);
    await parallel(client, WARM_CALLS);
    clients.push({ name: target.name, client });
  }
  const measured = new Map<string, Measured>(clients.map(({ name }) => [name, { p50: [], rate: [] }]));
  for (let round = 0; round < ROUNDS; round += 1) {
    // Nobody is always the first, or always after the same one.
    const order = clients.map((_, index) => clients[(index + round) % clients.length]);
    for (const entry of order) {
      if (entry === undefined) continue;
      measured.get(entry.name)?.p50.push(await serial(entry.client));
      measured.get(entry.name)?.rate.push(await parallel(entry.client, PARALLEL_CALLS));
    }
  }
  report(measured);
} finally {
  for (const { client } of clients) await client.close();
  for (const target of opened) await target.stop();
}

function report(measured: ReadonlyMap<string, Measured>): void {
  const results: BenchResult[] = [...measured].flatMap(([name, { p50, rate }]) => [
    { name: `${name}: p50, one at a time`, value: median(p50), unit: 'ms' },
    { name: `${name}: calls, ${WIDTH} at a time`, value: median(rate), unit: '1/s' },
  ]);
  // Round by round, each against the better peer of that round: a machine that is slower for a while is so for all of them.
  const ratios = (kind: keyof Measured, better: (a: number, b: number) => number): number => {
    const rounds = (name: string): readonly number[] => measured.get(name)?.[kind] ?? [];
    const [one, other] = [rounds('mcp-proxy'), rounds('supergateway')];
    return median(
      rounds('sallyport').map((value, round) => value / better(one[round] ?? 0, other[round] ?? 0)),
    );
  };
  results.push(
    { name: 'calls/s, times the best peer', value: ratios('rate', Math.max), unit: '×' },
    { name: 'p50, times the best peer', value: ratios('p50', Math.min), unit: '×' },
  );
  const floors: readonly BenchFloor[] = [
    { name: 'calls/s, times the best peer', floor: 2 },
    { name: 'p50, times the best peer', floor: 0.6, ceiling: true },
  ];
  reportBench('mcp', results, floors);
}
