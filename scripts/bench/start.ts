/**
 * `npm run bench:start`: how long people wait for the package that they install, as multiples of what Node alone takes in the same
 * rounds. `-- --sources` measures the checkout in the same rounds as well; `-- --quick` leaves out the minute at rest.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { buildPackage } from '../pack/build-package.ts';
import { type BenchFloor, median, reportBench } from './report.ts';

const ROUNDS = 15;
const GIVE_UP_MS = 30_000;
const AT_REST_MS = 60_000;
const root = resolve(import.meta.dirname, '../..');
const NO_PORTS = ['--api-port', '0', '--proxy-port', '0', '--ssh-port', '0', '--operator-port', '0'];
const folder = mkdtempSync(join(tmpdir(), 'sallyport-start-'));
const EVENT = JSON.stringify({
  ...{ hook_event_name: 'PreToolUse', session_id: 'bench', cwd: folder, tool_name: 'Bash' },
  tool_input: { command: 'ls' },
});

/** One way to run Sallyport, with a home of its own user. */
interface Way {
  readonly name: string;
  readonly program: string;
  readonly hook: string;
  readonly userHome: string;
}

interface Running {
  readonly ms: number;
  readonly pid: number;
  stop(): Promise<void>;
}

function envOf(way: Way, home: string): NodeJS.ProcessEnv {
  return { HOME: way.userHome, SALLYPORT_HOME: home, PATH: process.env.PATH };
}

/** Milliseconds from spawn to exit. Throws when it failed. */
async function time(argv: readonly string[], env: NodeJS.ProcessEnv, input = ''): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, argv, { env, cwd: folder, stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`);
  return performance.now() - began;
}

/** Starts in `home` and waits until `/healthz` answers. */
async function start(way: Way, home: string): Promise<Running> {
  const began = performance.now();
  const argv = [way.program, 'start', '--json', ...NO_PORTS];
  const child = spawn(process.execPath, argv, {
    env: envOf(way, home),
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const up = once(child.stdout, 'data').then(async () => {
    const { ports } = JSON.parse(readFileSync(join(home, 'runtime.json'), 'utf8')) as {
      ports: { api: number };
    };
    const answer = await fetch(`http://127.0.0.1:${ports.api}/healthz`);
    if (!answer.ok) throw new Error(`/healthz says ${answer.status}`);
  });
  await Promise.race([
    up,
    wait(GIVE_UP_MS).then(() => Promise.reject(new Error('the gateway did not come up'))),
  ]);
  const ms = performance.now() - began;
  return {
    ms,
    pid: child.pid ?? 0,
    async stop() {
      const gone = once(child, 'close');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** What a process has in memory, in MiB. */
function memoryOf(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) / 1024;
}

const samples = new Map<string, number[]>();
const add = (name: string, ms: number): void => void samples.set(name, [...(samples.get(name) ?? []), ms]);

/** In every round beside what it is compared with: a machine that others use is fast and slow by turns. */
const addBare = async (): Promise<void> => add('node -e 0', await time(['-e', '0'], process.env));

async function round(way: Way, index: number): Promise<void> {
  const home = join(way.userHome, `gate-${index}`);
  await addBare();
  add(`${way.name} --version`, await time([way.program, '--version'], envOf(way, home)));
  const first = await start(way, home);
  add(`${way.name} first start`, first.ms);
  await first.stop();
  const second = await start(way, home);
  add(`${way.name} second start`, second.ms);
  await addBare();
  add(`${way.name} status`, await time([way.program, 'status'], envOf(way, home)));
  const secret = readFileSync(join(home, 'enrollment.secret'), 'utf8').trim();
  const enrollment = join(home, 'hook.json');
  writeFileSync(enrollment, JSON.stringify({ home, tenant: 'default', secret }), { mode: 0o600 });
  const hook = [way.hook, 'claude-code', '--enrollment', enrollment, '--wait', '5'];
  // The first one of a conversation opens its session.
  await time(hook, envOf(way, home), EVENT);
  await addBare();
  add(`${way.name} hook answer`, await time(hook, envOf(way, home), EVENT));
  await second.stop();
  rmSync(home, { recursive: true, force: true });
}

const ways: Way[] = [];
const addWay = (name: string, program: string, hook: string): void => {
  const userHome = join(folder, `home-${ways.length}`);
  mkdirSync(userHome);
  ways.push({ name, program, hook, userHome });
};
try {
  await buildPackage(root, join(folder, 'package'));
  addWay(
    'sallyport',
    join(folder, 'package/bin/sallyport.js'),
    join(folder, 'package/lib/sallyport-hook.cjs'),
  );
  if (process.argv.includes('--sources')) {
    const cli = join(root, 'packages/cli');
    addWay('sources:', join(cli, 'bin/sallyport.js'), join(cli, 'src/hook/sallyport-hook.cjs'));
  }
  for (let index = -1; index < ROUNDS; index += 1) {
    // The first round is a rehearsal: files come from the disk, and compiled code is not there yet.
    if (index === 0) samples.clear();
    for (const way of ways) await round(way, index);
  }
  if (!process.argv.includes('--quick') && existsSync('/proc/self/status')) {
    for (const way of ways) {
      const gateway = await start(way, join(way.userHome, 'at-rest'));
      await wait(AT_REST_MS);
      add(`${way.name} at rest`, memoryOf(gateway.pid));
      await gateway.stop();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const bare = median(samples.get('node -e 0') ?? []);
const results = [...samples].map(([name, values]) =>
  name.endsWith('at rest')
    ? { name, value: median(values), unit: 'MiB' }
    : name === 'node -e 0'
      ? { name, value: bare, unit: 'ms' }
      : { name, value: median(values) / bare, unit: '× node -e 0' },
);
const FLOORS: Readonly<Record<string, number>> = {
  '--version': 1.3,
  status: 4,
  'first start': 24,
  'second start': 18,
  'hook answer': 1.4,
  ...(samples.has('sallyport at rest') ? { 'at rest': 150 } : {}),
};
reportBench(
  'start',
  results,
  Object.entries(FLOORS).map(
    ([name, floor]): BenchFloor => ({ name: `sallyport ${name}`, floor, ceiling: true }),
  ),
);
