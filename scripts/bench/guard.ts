/**
 * `npm run bench:guard`: how long what a jailed agent plants stands there while it works, with three busy loops beside it in
 * the jail. What counts is the longest: in that time a program of the person's could run it.
 *
 * Needs git and bubblewrap.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { median, reportBench } from './report.ts';

const PLANTS = 40;
/** Often enough, and not so often that the guard makes the agent wait */
const BETWEEN_S = 0.7;
const SALLYPORT = resolve(import.meta.dirname, '../../packages/cli/bin/sallyport.js');

const folder = mkdtempSync(join(tmpdir(), 'sallyport-guard-'));
const [work, home] = [join(folder, 'app'), join(folder, 'home')];
for (const path of [work, home]) mkdirSync(path);
const env = { PATH: process.env.PATH ?? '', HOME: home, SALLYPORT_HOME: join(home, 'gate') };

const SCRIPT = `for n in 1 2 3; do (while :; do :; done) & done
for n in $(seq ${PLANTS}); do git config core.fsmonitor ./planted-$n; echo planted > .mcp.json; sleep ${BETWEEN_S}; done
kill $(jobs -p); exit 0`;

/** How long each plant in one file was seen, in ms. */
class Watched {
  readonly times: number[] = [];
  readonly #file: string;
  #since: number | undefined;

  constructor(file: string) {
    this.#file = join(work, file);
  }

  look(): void {
    const isThere = this.#isPlanted();
    const now = performance.now();
    if (isThere) this.#since ??= now;
    else if (this.#since !== undefined) {
      this.times.push(now - this.#since);
      this.#since = undefined;
    }
  }

  #isPlanted(): boolean {
    try {
      return readFileSync(this.#file, 'utf8').includes('planted');
    } catch {
      return false;
    }
  }
}

try {
  execFileSync('git', ['init', '-q', work], { env });
  const watched = [new Watched('.git/config'), new Watched('.mcp.json')];
  const child = spawn(process.execPath, [SALLYPORT, 'run', '--', 'bash', '-c', SCRIPT], {
    ...{ cwd: work, env, stdio: 'ignore' },
  });
  while (child.exitCode === null) {
    for (const one of watched) one.look();
    await wait(1);
  }
  const times = watched.flatMap((one) => one.times);
  if (times.length < PLANTS) throw new Error(`only ${times.length} plants were seen`);
  reportBench(
    'guard',
    [
      { name: 'plants seen', value: times.length, unit: '' },
      { name: 'a plant stands, median', value: median(times), unit: 'ms' },
      { name: 'a plant stands, longest', value: Math.max(...times), unit: 'ms' },
    ],
    [{ name: 'a plant stands, longest', floor: 100, ceiling: true }],
  );
} finally {
  execFileSync(process.execPath, [SALLYPORT, 'stop', '--now'], { env });
  rmSync(folder, { recursive: true, force: true });
}
