import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestCa } from '@sallyport/testkit';
import { residentMib } from '../bench/proxy/process-cost.ts';
import { startSallyport } from '../bench/proxy/sallyport.ts';
import { type BenchResult, median, reportBench } from '../bench/report.ts';
import { type Death, runClients } from './proxy/client.ts';
import { runH2Clients } from './proxy/h2-client.ts';
import { Ledger } from './proxy/ledger.ts';
import { countTrail, type TrailCount } from './proxy/trail.ts';
import { startSoakUpstream } from './proxy/upstream.ts';

// Full load on the proxy while one request in a hundred ends with its client, at any point. Afterwards: no socket is
// left, memory did not grow, and the trail has every request exactly once. `npm run soak:proxy -- MINUTES`, ten unless
// told otherwise.

const HOST = 'localhost';
const CLIENTS = 24;
const H2_CLIENTS = 2;
const ONE_IN = 100;
const SAMPLE_MS = 500;
const SETTLE_MS = 20_000;
const FILES_AT_MOST = 5;
/** Of the last quarter over the one before, in MiB: a heap takes half a minute of load to find its size. */
const GROWTH_AT_MOST = 30;

const minutes = Number(process.argv[2] ?? 10);
if (!(minutes > 0)) throw new Error('usage: npm run soak:proxy -- [MINUTES]');
const folder = mkdtempSync(join(tmpdir(), 'sallyport-soak-proxy-'));
const cleanUps: (() => Promise<void> | void)[] = [() => rmSync(folder, { recursive: true, force: true })];
try {
  await main();
} finally {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
}

async function main(): Promise<void> {
  const ca = await createTestCa('soak upstream');
  const upstreamCaFile = join(folder, 'upstream-ca.pem');
  writeFileSync(upstreamCaFile, ca.cert);
  const upstream = await startSoakUpstream(await ca.issue([HOST]));
  cleanUps.push(() => upstream.close());
  const proxy = await startSallyport({ folder, upstreamCaFile }, upstream.port);
  cleanUps.push(() => proxy.stop());
  const openFiles = (): number => readdirSync(`/proc/${proxy.pid}/fd`).length;

  const answered = new Ledger();
  const deaths = new Map<Death, number>();
  const memory: number[] = [];
  const filesBefore = openFiles();
  let filesAtMost = 0;
  const end = performance.now() + minutes * 60_000;
  const order = {
    proxy: { port: proxy.port, authorization: proxy.authorization ?? '', ca: proxy.ca },
    ...{ host: HOST, port: upstream.port, answered, deaths, oneIn: ONE_IN },
    isOver: () => performance.now() > end,
  };
  const clients = Promise.all([
    ...Array.from({ length: CLIENTS }, () => runClients(order)),
    ...Array.from({ length: H2_CLIENTS }, () => runH2Clients(order)),
  ]);
  const sampler = setInterval(() => {
    memory.push(residentMib(proxy.pid));
    filesAtMost = Math.max(filesAtMost, openFiles());
  }, SAMPLE_MS);
  try {
    await clients;
  } finally {
    clearInterval(sampler);
  }
  // Connections that wait to be used again are no leak: the host ends them.
  upstream.hangUp();
  const filesLeft = await settled(openFiles, filesBefore + FILES_AT_MOST);
  process.kill(proxy.pid, 'SIGTERM');
  await settled(() => Number(isAlive(proxy.pid)), 0);
  const trail = countTrail(join(folder, 'sallyport', 'sallyport.db'));

  const count = (name: string, value: number): BenchResult => ({ name, value, unit: '' });
  const [third, last] = [median(quarter(memory, 2)), median(quarter(memory, 3))];
  const results: readonly BenchResult[] = [
    { name: 'load', value: answered.count / (minutes * 60), unit: 'requests/s' },
    count('requests begun', answered.count),
    count('answered', total(answered)),
    ...[...deaths].map(([death, times]) => count(`died ${death}`, times)),
    count('blocked before a verdict', trail.blocked),
    { name: 'memory', value: last, unit: 'MiB' },
    { name: 'memory growth', value: last - third, unit: 'MiB' },
    count('open files at most', filesAtMost),
    count('open files left', filesLeft - filesBefore),
    ...faults(answered, upstream.arrived, trail),
  ];
  reportBench('soak:proxy', results, [
    { name: 'answered', floor: answered.count * 0.97 },
    { name: 'memory growth', floor: GROWTH_AT_MOST, ceiling: true },
    { name: 'open files left', floor: FILES_AT_MOST, ceiling: true },
    ...faults(answered, upstream.arrived, trail).map(({ name }) => ({ name, floor: 0, ceiling: true })),
  ]);
}

/** How many requests are recorded otherwise than exactly once, or were sent otherwise than allowed. */
function faults(answered: Ledger, arrived: Ledger, trail: TrailCount): readonly BenchResult[] {
  const { judged, ended, strangers, unended } = trail;
  const many = (name: string, isFault: (number: number) => boolean): BenchResult => {
    let value = 0;
    for (let number = 0; number < answered.count; number++) if (isFault(number)) value += 1;
    return { name, value, unit: 'requests' };
  };
  return [
    many(
      'missing in the trail',
      (number) => answered.at(number) + arrived.at(number) > 0 && ended.at(number) === 0,
    ),
    many('twice in the trail', (number) => judged.at(number) > 1 || ended.at(number) > 1),
    many('twice at the host', (number) => arrived.at(number) > 1),
    many('at the host without a verdict', (number) => arrived.at(number) > 0 && judged.at(number) === 0),
    { name: 'ended without a verdict', value: strangers, unit: 'requests' },
    { name: 'allowed and never ended', value: unended, unit: 'requests' },
  ];
}

function total(ledger: Ledger): number {
  let sum = 0;
  for (let number = 0; number < ledger.count; number++) sum += ledger.at(number);
  return sum;
}

function quarter(samples: readonly number[], index: number): readonly number[] {
  const size = samples.length / 4;
  return samples.slice(Math.floor(index * size), Math.max(1, Math.ceil((index + 1) * size)));
}

/** Waits until a number is small enough, and says what it is then or when time is over. */
async function settled(read: () => number, enough: number): Promise<number> {
  const until = performance.now() + SETTLE_MS;
  while (read() > enough && performance.now() < until) await sleep(100);
  return read();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
