/**
 * `npm run bench:undo`: how long a snapshot takes, in the process of its own in which gateways take them, and what holding
 * a small workspace before and after adds to `sallyport run -- true`, beside Anthropic's sandbox-runtime, interleaved.
 *
 * Needs git, bubblewrap, and `npm run bench:setup`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Workspace } from '../../packages/gateway/src/workspace/history/workspace.ts';
import { WorkspaceProcesses } from '../../packages/gateway/src/workspace/worker/workspace-processes.ts';
import { git } from '../../packages/testkit/src/workspace-template.ts';
import { median, reportBench } from './report.ts';

const FILES = 10_000;
const CHANGED = 50;
const COLD_ROUNDS = 5;
const WARM_ROUNDS = 20;
const RUN_ROUNDS = 15;
/** What was written longer ago than this need not be read again. */
const SETTLED_MS = 2_500;

const root = resolve(import.meta.dirname, '../..');
const cache = process.env.SALLYPORT_CACHE ?? join(homedir(), '.cache/sallyport');
const srt = join(cache, 'bench/node_modules/@anthropic-ai/sandbox-runtime/dist/cli.js');
if (!existsSync(srt)) throw new Error('the peers are missing: run `npm run bench:setup`');

const folder = mkdtempSync(join(tmpdir(), 'sallyport-undo-'));
const limits = { maxFile: 1024 * 1024, maxBytes: 2 ** 32, maxFiles: 300_000 };
const run = { id: 'sess_bench', tenant: 'default', agent: 'dev', kind: 'run' } as const;

/** A repository with files of 1 to 8 KB in folders of a hundred, all of them committed. */
function makeWorkspace(name: string, files: number): string {
  const path = join(folder, name);
  for (let n = 0; n < files; n += 1) {
    if (n % 100 === 0) mkdirSync(join(path, `part-${n / 100}`), { recursive: true });
    writeFileSync(fileOf(path, n), `${n} line of a file\n`.repeat(50 + (n % 350)));
  }
  git(path, 'init', '-q', '-b', 'main');
  git(path, 'add', '-A');
  git(path, 'commit', '-qm', 'first');
  git(path, 'gc', '-q');
  return path;
}

function fileOf(path: string, n: number): string {
  return join(path, `part-${Math.floor(n / 100)}`, `file-${n}.txt`);
}

async function timed(act: () => Promise<unknown> | unknown): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

function open(home: string): WorkspaceProcesses {
  return new WorkspaceProcesses({ home, limits: () => limits, onRecovered: () => undefined });
}

/** With an empty store, and with the start of the process. */
async function coldSnapshots(path: string): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < COLD_ROUNDS; round += 1) {
    const processes = open(join(folder, `home-${round}`));
    times.push(await timed(() => processes.do(path, 'take', { run, kind: 'start', isQuiet: true })));
    processes.close();
  }
  return times;
}

function change(path: string, round: number): void {
  for (let n = 0; n < CHANGED; n += 1)
    writeFileSync(fileOf(path, (round * CHANGED + n * 199) % FILES), `changed ${round}\n`.repeat(100));
}

async function warmSnapshots(path: string): Promise<readonly number[]> {
  const processes = open(join(folder, 'home-warm'));
  await processes.do(path, 'take', { run, kind: 'start', isQuiet: true });
  const times: number[] = [];
  for (let round = 0; round < WARM_ROUNDS; round += 1) {
    change(path, round);
    times.push(await timed(() => processes.do(path, 'take', { run, kind: 'timed', isQuiet: false })));
  }
  processes.close();
  return times;
}

/** The same work in this process: what of the time is its own, also on a machine that others use. */
function warmCpu(path: string): readonly number[] {
  const workspace = new Workspace(join(folder, 'home-cpu'), path, () => limits);
  workspace.take({ run, kind: 'start', isQuiet: true });
  return Array.from({ length: WARM_ROUNDS }, (_, round) => {
    change(path, round);
    const began = process.cpuUsage();
    workspace.take({ run, kind: 'timed', isQuiet: false });
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1_000;
  });
}

/** `sallyport run -- true` with snapshots and without, and srt, in turns. */
async function runs(path: string): Promise<Readonly<Record<'held' | 'plain' | 'srt', readonly number[]>>> {
  const settings = join(folder, 'srt.json');
  const filesystem = { denyRead: [], allowWrite: [path], denyWrite: [] };
  writeFileSync(settings, JSON.stringify({ network: { allowedDomains: [], deniedDomains: [] }, filesystem }));
  const sallyport = join(root, 'packages/cli/bin/sallyport.js');
  await using held = await startGateway(sallyport, 'held', 20);
  await using plain = await startGateway(sallyport, 'plain', 0);
  const command = (args: readonly string[], env: NodeJS.ProcessEnv): void => {
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: path, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`\`${args.join(' ')}\` ended with ${status}: ${stderr}`);
  };
  const ways = {
    held: () => command([sallyport, 'run', '--', 'true'], held.env),
    plain: () => command([sallyport, 'run', '--', 'true'], plain.env),
    srt: () => command([srt, '--settings', settings, 'true'], held.env),
  };
  const times = { held: [] as number[], plain: [] as number[], srt: [] as number[] };
  for (let round = 0; round <= RUN_ROUNDS; round += 1) {
    for (const name of ['held', 'plain', 'srt'] as const) {
      const ms = await timed(ways[name]);
      // The first round warms caches up and is thrown away.
      if (round > 0) times[name].push(ms);
    }
  }
  return times;
}

async function startGateway(sallyport: string, name: string, keepRuns: number) {
  const userHome = join(folder, `user-${name}`);
  const env = { PATH: process.env.PATH ?? '', HOME: userHome, SALLYPORT_HOME: join(userHome, 'gate') };
  mkdirSync(env.SALLYPORT_HOME, { recursive: true, mode: 0o700 });
  writeFileSync(
    join(env.SALLYPORT_HOME, 'sallyport.yaml'),
    `tenants: { default: { default_user: ana, default_agent: dev, users: { ana: { roles: [owner] } } } }
roles: { owner: { allow: ["agent:*", "tool:*"] } }
agents: { dev: { permissions: ["allow:*"] } }
workspace: { snapshot: { keep_runs: ${keepRuns} } }
`,
    { mode: 0o600 },
  );
  const ports = ['--api-port', '0', '--proxy-port', '0', '--ssh-port', '0', '--operator-port', '0'];
  const child = spawn(process.execPath, [sallyport, 'start', ...ports], { env, stdio: 'ignore' });
  while (!existsSync(join(env.SALLYPORT_HOME, 'runtime.json'))) await wait(20);
  return {
    env,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'close');
    },
  };
}

try {
  const [large, small] = [makeWorkspace('large', FILES), makeWorkspace('small', 100)];
  await wait(SETTLED_MS);
  const [cold, warm] = [await coldSnapshots(large), await warmSnapshots(large)];
  const cpu = warmCpu(large);
  const { held, plain, srt: peer } = await runs(small);
  const row = (name: string, list: readonly number[]) => ({ name, value: median(list), unit: 'ms' });
  reportBench(
    'undo',
    [
      row('snapshot of 10,000 files, cold', cold),
      row('snapshot of 10,000 files, 50 of them changed', warm),
      row('the same, CPU time', cpu),
      row('run -- true, 100 files held', held),
      row('run -- true, nothing held', plain),
      row('srt true', peer),
      { name: 'run, 100 files held / srt', value: median(held) / median(peer), unit: '×' },
    ],
    [
      { name: 'snapshot of 10,000 files, cold', floor: 2_000, ceiling: true },
      { name: 'snapshot of 10,000 files, 50 of them changed', floor: 200, ceiling: true },
      { name: 'run, 100 files held / srt', floor: 0.6, ceiling: true },
    ],
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
