/**
 * `npm run bench:sandbox`: what a jail costs, beside raw bwrap and Anthropic's sandbox-runtime, interleaved.
 *
 * Needs `npm run bench:setup`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createBubblewrapBackend } from '../../packages/gateway/src/sandbox/bubblewrap-backend.ts';
import { createSubprocessBackend } from '../../packages/gateway/src/sandbox/subprocess-backend.ts';
import { median, reportBench } from './report.ts';

const ROUNDS = 8;
const EXECS_PER_ROUND = 5;
/** Rounds of requests, each of a jailed and an unconfined client, one after the other. */
const REQUEST_ROUNDS = 10;
const REQUESTS = 400;
const WARM_UP = 150;
/** Not 127.0.0.1: that is the jail's own, and no proxy is asked for it. */
const OUTSIDE = '127.0.0.2';
const RESIDENT_BYTES = 300 * 1024 * 1024;

const root = resolve(import.meta.dirname, '../..');
const cache = process.env.SALLYPORT_CACHE ?? join(homedir(), '.cache/sallyport');
const srt = join(cache, 'bench/node_modules/@anthropic-ai/sandbox-runtime/dist/cli.js');
if (!existsSync(srt)) throw new Error('the peers are missing: run `npm run bench:setup`');

const folder = mkdtempSync(join(tmpdir(), 'sallyport-sandbox-'));
const workspace = join(folder, 'work');
const home = join(folder, 'home');
mkdirSync(workspace);
mkdirSync(home);
const env = { PATH: process.env.PATH ?? '', HOME: home, SALLYPORT_HOME: join(home, '.sallyport') };

/** Raw bwrap from a process as small as a shell: asks for one run by a line, answers with its milliseconds. */
const RAW = `
  const { spawnSync } = require('node:child_process');
  const args = ['--unshare-all', '--die-with-parent', '--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin',
    '--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64', '--proc', '/proc', '--dev', '/dev',
    '--tmpfs', '/tmp', '--bind', ${JSON.stringify(workspace)}, ${JSON.stringify(workspace)}, 'true'];
  process.stdin.on('data', () => {
    const began = performance.now();
    const { status } = spawnSync('bwrap', args);
    process.stdout.write(status === 0 ? String(performance.now() - began) : 'failed');
  });`;
const small = spawn(process.execPath, ['-e', RAW], { stdio: ['pipe', 'pipe', 'inherit'] });

async function rawBwrap(): Promise<number> {
  small.stdin.write('\n');
  const [answer] = (await once(small.stdout, 'data')) as [Buffer];
  return Number(answer.toString());
}

/** Median of a request through the proxy, by the same client inside a jail and outside. */
async function proxied(flags: readonly string[]): Promise<number> {
  const words = ['--', process.execPath, join(workspace, 'client.mjs'), target, REQUESTS, WARM_UP];
  const child = spawn(process.execPath, [sallyport, 'run', ...flags, ...words.map(String)], {
    ...{ cwd: workspace, env, stdio: ['ignore', 'pipe', 'inherit'] as const },
  });
  let answer = '';
  child.stdout.on('data', (piece) => {
    answer += String(piece);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the client ended with ${code}`);
  return Number(answer);
}

async function timed(run: () => Promise<unknown> | unknown): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

function command(args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: workspace, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`\`${args.join(' ')}\` ended with ${status}: ${stderr}`);
}

/** What a jailed agent asks for, and the config that lets it. */
const upstream = createServer((_request, response) => response.end('ok')).listen(0, OUTSIDE);
await once(upstream, 'listening');
const { port } = upstream.address() as AddressInfo; // a TCP server that listens has one
const target = `http://${OUTSIDE}:${port}/`;
mkdirSync(env.SALLYPORT_HOME, { mode: 0o700 });
writeFileSync(
  join(env.SALLYPORT_HOME, 'sallyport.yaml'),
  `tenants: { default: { default_user: ana, default_agent: dev, users: { ana: { roles: [owner] } } } }
roles: { owner: { allow: ["agent:*", "tool:*"] } }
agents: { dev: { permissions: ["allow:*"] } }
network: { allow_private: ["${OUTSIDE}"], rules: [{ host: "${OUTSIDE}", action: allow }] }
`,
  { mode: 0o600 },
);

/** A gateway for `sallyport run`, which then only has to find it. */
const sallyport = join(root, 'packages/cli/bin/sallyport.js');
const gateway = spawn(
  process.execPath,
  [sallyport, 'start', '--api-port', '0', '--proxy-port', '0', '--ssh-port', '0', '--operator-port', '0'],
  { env, stdio: 'ignore' },
);
while (!existsSync(join(env.SALLYPORT_HOME, 'runtime.json'))) await wait(20);

const srtSettings = join(folder, 'srt.json');
writeFileSync(
  srtSettings,
  JSON.stringify({
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: { denyRead: [], allowWrite: [workspace], denyWrite: [] },
  }),
);

// A gateway that has been up for a while.
const resident = Buffer.alloc(RESIDENT_BYTES, 1);
const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, name: 'agent' };
const openBubblewrap = (): ReturnType<typeof createBubblewrapBackend> =>
  createBubblewrapBackend({ gatewayHome: env.SALLYPORT_HOME, userHome: home, user });
const bubblewrap = openBubblewrap();
const subprocess = createSubprocessBackend({ hostEnv: process.env });
const jailed = await bubblewrap.acquire('bench', { workspace });
const plain = await subprocess.acquire('bench', { workspace });

copyFileSync(join(import.meta.dirname, 'sandbox-client.mjs'), join(workspace, 'client.mjs'));
const times: Record<'raw' | 'warm' | 'plain' | 'cold' | 'srt' | 'run' | 'inside' | 'outside', number[]> = {
  ...{ raw: [], warm: [], plain: [], cold: [], srt: [], run: [], inside: [], outside: [] },
};
for (let round = 0; round <= ROUNDS; round += 1) {
  // The first round warms caches up and is thrown away.
  const keep = (list: number[], value: number): void => void (round > 0 && list.push(value));
  for (let n = 0; n < EXECS_PER_ROUND; n += 1) {
    keep(times.raw, await rawBwrap());
    keep(times.warm, await timed(() => jailed.exec(['true'])));
    keep(times.plain, await timed(() => plain.exec(['true'])));
  }
  keep(
    times.cold,
    await timed(async () => {
      const backend = openBubblewrap();
      const sandbox = await backend.acquire('bench', { workspace });
      await sandbox.exec(['true']);
      await backend.cleanup();
    }),
  );
  keep(times.srt, await timed(() => command([srt, '--settings', srtSettings, 'true'])));
  keep(times.run, await timed(() => command([sallyport, 'run', '--', 'true'])));
}

for (let round = 0; round < REQUEST_ROUNDS; round += 1) {
  const inside = async () => times.inside.push(await proxied(['--read', process.execPath]));
  const outside = async () => times.outside.push(await proxied(['--unconfined']));
  // Nobody is always the first.
  for (const one of round % 2 === 0 ? [inside, outside] : [outside, inside]) await one();
}

await Promise.all([bubblewrap.cleanup(), subprocess.cleanup()]);
small.kill();
gateway.kill();
upstream.close();
await once(gateway, 'close');
const residentMb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
rmSync(folder, { recursive: true, force: true });

const row = (name: string, list: readonly number[]) => ({ name, value: median(list), unit: 'ms' });
reportBench(
  'sandbox',
  [
    {
      name: 'resident memory of the caller',
      value: Math.max(residentMb, resident.length / 1024 ** 2),
      unit: 'MB',
    },
    row('raw bwrap from a small process', times.raw),
    row('bubblewrap exec, warm', times.warm),
    row('subprocess exec, warm', times.plain),
    row('bubblewrap exec, cold, with cleanup', times.cold),
    row('srt true', times.srt),
    row('sallyport run -- true', times.run),
    row('proxied request, outside', times.outside),
    row('proxied request, from inside the jail', times.inside),
    // Pair by pair: what slows the machine down for some seconds slows down both of a pair.
    row(
      'overhead of the jail for a request',
      times.inside.map((value, index) => value - (times.outside[index] ?? value)),
    ),
    { name: 'bubblewrap exec / raw bwrap', value: median(times.warm) / median(times.raw), unit: '×' },
    { name: 'sallyport run / srt', value: median(times.run) / median(times.srt), unit: '×' },
  ],
  [
    { name: 'bubblewrap exec / raw bwrap', floor: 1.6, ceiling: true },
    { name: 'sallyport run / srt', floor: 0.6, ceiling: true },
    { name: 'overhead of the jail for a request', floor: 0.3, ceiling: true },
  ],
);
