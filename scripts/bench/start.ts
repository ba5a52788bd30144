/** `npm run bench:start`: how long a stranger waits, from `npm start` in an empty home to a healthy gateway. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { median, reportBench } from './report.ts';

const ROUNDS = 5;
const GIVE_UP_MS = 30_000;
const root = resolve(import.meta.dirname, '../..');

/** Starts once in `home` and returns the milliseconds until `/healthz` answers. */
async function start(home: string): Promise<number> {
  const began = performance.now();
  const child = spawn(
    'npm',
    ['start', '--', '--api-port', '0', '--proxy-port', '0', '--operator-port', '0'],
    {
      cwd: root,
      env: { ...process.env, SALLYPORT_HOME: home, HOME: home },
      stdio: 'ignore',
      detached: true,
    },
  );
  try {
    const runtime = join(home, 'runtime.json');
    for (;;) {
      if (performance.now() - began > GIVE_UP_MS) throw new Error('the gateway did not come up');
      if (existsSync(runtime)) {
        const { ports } = JSON.parse(readFileSync(runtime, 'utf8')) as { ports: { api: number } };
        const answer = await fetch(`http://127.0.0.1:${ports.api}/healthz`);
        if (answer.ok) return performance.now() - began;
      }
      await wait(5);
    }
  } finally {
    const gone = once(child, 'close');
    // npm and the gateway are one process group of their own.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await gone;
    // npm is gone before the gateway is: it takes `runtime.json` with it.
    while (existsSync(join(home, 'runtime.json'))) await wait(5);
  }
}

const first: number[] = [];
const second: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const home = mkdtempSync(join(tmpdir(), 'sallyport-start-'));
  first.push(await start(home));
  second.push(await start(home));
  rmSync(home, { recursive: true, force: true });
}
reportBench(
  'start',
  [
    { name: 'first start to healthy', value: median(first), unit: 'ms' },
    { name: 'second start to healthy', value: median(second), unit: 'ms' },
  ],
  [{ name: 'first start to healthy', floor: 2_000, ceiling: true }],
);
