import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { requireEngine, waitFor } from '@sallyport/testkit';
import { rounds } from '@sallyport/testkit/rounds';
import { describe, expect, test } from 'vitest';
import { holdRun } from '../../src/run/held-run.ts';
import { parseRunFlags } from '../../src/run/run-flags.ts';
import { readyJailed } from '../../src/run/start-jailed.ts';
import { openRunFixture, type RunFixture } from './run-fixture.ts';

const bwrap = requireEngine('bubblewrap');
const RUNS = rounds(200);
const AT_ONCE = 10;
/** From before bwrap has begun to long after the agent runs. */
const LATEST_MS = 80;

/** One run as the command line makes it, from the session to the jail, and cut at a random moment. */
async function cutRun(fixture: RunFixture, word: string): Promise<void> {
  const script = `(setsid bash -c 'while :; do sleep 1; done' ${word} &); trap '' TERM; while :; do sleep 1; done`;
  const flags = parseRunFlags(['--', 'bash', '-c', script, word]);
  const { workspace, userHome, gateway } = fixture;
  const place = {
    env: fixture.env(),
    cwd: workspace,
    userHome,
    gatewayHome: gateway.home,
    isTerminal: false,
  };
  const starter = readyJailed(flags, place, () => undefined);
  const token = gateway.operatorToken;
  const run = await holdRun({ socketPath: join(gateway.home, 'operator.sock'), token }, {});
  const { child, signal } = await starter.start(run.started, undefined);
  const exited = once(child, 'exit');
  await wait(Math.random() * LATEST_MS);
  // Either end may go first.
  if (Math.random() < 0.5) run.drop();
  signal('SIGKILL');
  await exited;
  run.drop();
  await starter.clean();
}

describe.skipIf(bwrap.missing)(`many runs (${bwrap.install})`, () => {
  test('[JA-6] 200 that are killed at random moments leave no process, mount, socket, group or session', async () => {
    await using fixture = await openRunFixture();
    const word = `cut-${process.pid}-run`;
    for (let begun = 0; begun < RUNS; begun += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => cutRun(fixture, word)));
    }
    const left = async () => ({
      processes: readdirSync('/proc').filter((pid) => read(`/proc/${pid}/cmdline`).includes(word)),
      mounts: read('/proc/self/mountinfo')
        .split('\n')
        .filter((line) => line.includes(fixture.workspace)),
      sockets: existsSync(join(fixture.gateway.home, 'run'))
        ? readdirSync(join(fixture.gateway.home, 'run'))
        : [],
      open: read('/proc/net/unix')
        .split('\n')
        .filter((line) => line.includes(`${fixture.gateway.home}/run/`)),
      groups: groupsOf(process.pid),
      sessions: (await fixture.gateway.operator('/v1/sessions')).json<{ items: unknown[] }>().items,
    });
    await waitFor('nothing of any run to be left', async () =>
      expect(await left()).toEqual({
        processes: [],
        mounts: [],
        sockets: [],
        open: [],
        groups: [],
        sessions: [],
      }),
    );
  });
});

/** Control groups that this process made and did not take away. */
function groupsOf(pid: number): readonly string[] {
  const root = '/sys/fs/cgroup';
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.includes(`/sallyport-${pid}-`),
  );
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
