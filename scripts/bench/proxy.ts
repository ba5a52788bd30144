import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestCa } from '@sallyport/testkit';
import type { LoadReport } from './proxy/load.ts';
import type { LoadOrder } from './proxy/open-connection.ts';
import { type RunningProxy, startMitmproxy, startSquid } from './proxy/peers.ts';
import { cpuMicros, residentMib } from './proxy/process-cost.ts';
import { startSallyport } from './proxy/sallyport.ts';
import { type BenchResult, median, reportBench } from './report.ts';

// TLS-intercepted requests through Sallyport, Squid and mitmproxy, and straight to the server, in interleaved rounds.
// `--quick` leaves out the million requests.

const HOST = 'localhost';
const CONNECTIONS = 32;
/** A gateway runs for days: what is measured is code that the engine has compiled. The same for all but the slowest. */
const WARM_REQUESTS = 60_000;
const ROUNDS = 13;
const isQuick = process.argv.includes('--quick');
const LONG_RUN = isQuick ? 100_000 : 1_000_000;
const IDLE = 5_000;
/** no session may have more than the door's limit */
const PER_SESSION = 500;

interface Sample extends LoadReport {
  readonly cpuMicros: number;
}

const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-proxy-'));
const cleanUps: (() => Promise<void> | void)[] = [() => rmSync(folder, { recursive: true, force: true })];
try {
  await main();
} finally {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
}

async function main(): Promise<void> {
  const upstreamCa = await createTestCa('bench upstream');
  const upstreamCaFile = file('upstream-ca.pem', upstreamCa.cert);
  const proxyCa = makePeersCa();
  const port = await startUpstream(await upstreamCa.issue([HOST]));
  const options = { folder, upstreamCaFile, ...proxyCa };
  const ours = await startSallyport(options, port);
  cleanUps.push(() => ours.stop());
  const squid = await startSquid(options);
  cleanUps.push(() => squid.stop());
  const mitmproxy = await startMitmproxy(options);
  cleanUps.push(() => mitmproxy.stop());
  const proxies: readonly RunningProxy[] = [ours, squid, mitmproxy];
  const load = fork(join(import.meta.dirname, 'proxy/load.ts'));
  cleanUps.push(() => void load.kill());

  const orderFor = (proxy: RunningProxy | undefined, rest: Partial<LoadOrder>): LoadOrder => ({
    proxy,
    host: HOST,
    port,
    ca: [proxy?.ca ?? upstreamCa.cert],
    connections: CONNECTIONS,
    method: 'GET',
    path: '/',
    requests: 1_000,
    ...rest,
  });
  const measure = async (proxy: RunningProxy | undefined, rest: Partial<LoadOrder>): Promise<Sample> => {
    const before = proxy === undefined ? 0 : cpuMicros(proxy.pid);
    const report = await order(load, orderFor(proxy, rest));
    const cost = proxy === undefined ? 0 : cpuMicros(proxy.pid) - before;
    return { ...report, cpuMicros: cost / report.requests };
  };

  const results: BenchResult[] = [];
  const add = (name: string, value: number, unit: string): void => {
    results.push({ name, value, unit });
    // At once: a run takes minutes, and what was measured before a failure counts too.
    console.error(`${name}: ${value.toPrecision(4)} ${unit}`);
  };
  const all = [undefined, ...proxies];

  for (const method of ['GET', 'POST'] as const) {
    for (const proxy of all)
      await measure(proxy, { method, requests: proxy?.name === 'mitmproxy' ? 500 : WARM_REQUESTS });
    const rounds = new Map<string, Sample[]>();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const proxy of all) {
        const name = proxy?.name ?? 'direct';
        const requests = name === 'mitmproxy' ? 500 : 10_000;
        rounds.set(name, [...(rounds.get(name) ?? []), await measure(proxy, { method, requests })]);
      }
    }
    const middle = (name: string, pick: (sample: Sample) => number): number =>
      median((rounds.get(name) ?? []).map(pick));
    for (const name of rounds.keys()) {
      add(
        `${method} ${name}`,
        middle(name, (sample) => sample.requests / sample.seconds),
        'requests/s',
      );
      add(
        `${method} ${name} p50`,
        middle(name, (sample) => sample.p50Ms),
        'ms',
      );
      add(
        `${method} ${name} p99`,
        middle(name, (sample) => sample.p99Ms),
        'ms',
      );
      if (name !== 'direct')
        add(
          `${method} ${name} cpu`,
          middle(name, (sample) => sample.cpuMicros),
          'µs/request',
        );
    }
    // Round by round: a machine that is slower for a while is so for all of them.
    const against = (name: string, pick: (sample: Sample) => number): number => {
      const theirs = rounds.get(name) ?? [];
      return median(
        (rounds.get('sallyport') ?? []).flatMap((ours, round) => {
          const other = theirs[round];
          return other === undefined ? [] : [pick(ours) / pick(other)];
        }),
      );
    };
    const rate = ({ requests, seconds }: Sample): number => requests / seconds;
    add(
      `${method} cpu ÷ squid`,
      against('squid', (sample) => sample.cpuMicros),
      '×',
    );
    add(`${method} requests/s ÷ squid`, against('squid', rate), '×');
    add(`${method} requests/s ÷ mitmproxy`, against('mitmproxy', rate), '×');
  }

  const single: Record<string, number[]> = { direct: [], ours: [] };
  const downloads: Record<string, number[]> = { ours: [], squid: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    single.direct?.push((await measure(undefined, { connections: 1, requests: 2_000 })).p50Ms);
    single.ours?.push((await measure(ours, { connections: 1, requests: 2_000 })).p50Ms);
    for (const [name, proxy] of [
      ['ours', ours],
      ['squid', squid],
    ] as const) {
      const { requests, seconds } = await measure(proxy, { path: '/large', connections: 2, requests: 20 });
      downloads[name]?.push((requests * 10) / seconds);
    }
  }
  add('added p50 over direct, one connection', median(single.ours ?? []) - median(single.direct ?? []), 'ms');
  add('10 MB downloads sallyport', median(downloads.ours ?? []), 'MB/s');
  add('10 MB downloads squid', median(downloads.squid ?? []), 'MB/s');
  add('10 MB downloads ÷ squid', median(downloads.ours ?? []) / median(downloads.squid ?? []), '×');

  for (const proxy of proxies) add(`RSS ${proxy.name}`, residentMib(proxy.pid), 'MiB');
  const early = await memoryOver(ours, () => measure(ours, { requests: LONG_RUN / 4 }));
  const late = await memoryOver(ours, () => measure(ours, { requests: (LONG_RUN * 3) / 4 }));
  add(`RSS after ${(LONG_RUN / 4).toLocaleString('en-US')} requests`, early, 'MiB');
  add(`RSS after ${LONG_RUN.toLocaleString('en-US')} requests`, late, 'MiB');
  add('RSS growth over the long run', late / early, '×');

  const before = residentMib(ours.pid);
  for (let session = 0; session < IDLE / PER_SESSION; session += 1) {
    const proxy = { ...ours, authorization: await ours.anotherSession() };
    await openIdle(orderFor(proxy, { connections: PER_SESSION }));
  }
  const withIdle = residentMib(ours.pid);
  add(`RSS with ${IDLE.toLocaleString('en-US')} idle connections`, withIdle, 'MiB');
  add('of that, what they added', withIdle - before, 'MiB');

  reportBench('proxy', results, [
    ...(['GET', 'POST'] as const).flatMap((method) => [
      { name: `${method} cpu ÷ squid`, floor: 1.3, ceiling: true },
      { name: `${method} requests/s ÷ squid`, floor: 0.8 },
      { name: `${method} requests/s ÷ mitmproxy`, floor: 6 },
    ]),
    { name: 'added p50 over direct, one connection', floor: 0.6, ceiling: true },
    { name: '10 MB downloads ÷ squid', floor: 0.8 },
    // Flat: what the first quarter has grown to is all it needs.
    { name: 'RSS growth over the long run', floor: 1.15, ceiling: true },
    { name: `RSS with ${IDLE.toLocaleString('en-US')} idle connections`, floor: 300, ceiling: true },
  ]);
}

async function memoryOver(proxy: RunningProxy, run: () => Promise<unknown>): Promise<number> {
  await run();
  return residentMib(proxy.pid);
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** The authority of the peers; Sallyport makes its own. */
function makePeersCa(): { readonly caFile: string; readonly caKeyFile: string; readonly ca: string } {
  const caFile = join(folder, 'peers-ca.pem');
  const caKeyFile = join(folder, 'peers-ca.key');
  const { status } = spawnSync('openssl', [
    ...['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-days', '2'],
    ...['-subj', '/CN=bench peers', '-keyout', caKeyFile, '-out', caFile],
  ]);
  if (status !== 0) throw new Error('openssl is missing: install it with `npm run bench:setup`');
  return { caFile, caKeyFile, ca: readFileSync(caFile, 'utf8') };
}

async function startUpstream(certificate: { cert: string; key: string }): Promise<number> {
  const child = fork(join(import.meta.dirname, 'proxy/upstream.ts'));
  cleanUps.push(() => void child.kill());
  const port = new Promise<number>((resolve) => child.once('message', (message) => resolve(Number(message))));
  child.send(certificate);
  return port;
}

function order(load: ChildProcess, what: LoadOrder): Promise<LoadReport> {
  return new Promise((resolve, reject) => {
    load.once('exit', () => reject(new Error('the load client failed')));
    // The only thing that the client ever sends.
    load.once('message', (message) => {
      load.removeAllListeners('exit');
      resolve(message as LoadReport);
    });
    load.send(what);
  });
}

/** Many connections that have each made one request and now wait, until the end of the run. */
async function openIdle(what: LoadOrder): Promise<void> {
  const child = fork(join(import.meta.dirname, 'proxy/idle.ts'));
  cleanUps.push(() => void child.kill());
  const opened = new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error('the idle client failed')));
  });
  child.send(what);
  await opened;
}
