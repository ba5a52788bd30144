import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { requireEngine, waitFor } from '@sallyport/testkit';
import { rounds } from '@sallyport/testkit/rounds';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createJailGroup, prepareJail, signalJail, spawnJail } from '../../src/sandbox/jail/index.ts';
import { openBubblewrap } from './backends.ts';
import { type JailHost, startJailHost } from './jail-fixture.ts';
import { childrenOf, groupsOf, mountsWith, processesWith } from './leftovers.ts';

const bwrap = requireEngine('bubblewrap');
const JAILS = rounds(200);
const memoryFiles = (): string[] =>
  [...readdirSync('/dev/shm'), ...readdirSync(tmpdir())].filter((name) =>
    /^sallyport-\d+-[0-9a-z]+$/.test(name),
  );

describe.skipIf(bwrap.missing)(`after the jail (${bwrap.install})`, () => {
  let host: JailHost;
  beforeAll(async () => {
    host = await startJailHost();
  });
  afterAll(() => host[Symbol.asyncDispose]());

  /** A command that is found by its arguments wherever it is, also before bwrap has become it. */
  const sleeper = (mark: string): [string, ...string[]] => [
    ...(['bash', '-c', `(setsid sleep ${mark} &); trap "" TERM; exec sleep ${mark}`] as const),
  ];

  test(`[JA-6] ${JAILS} jails killed at random moments leave nothing behind`, async () => {
    const before = readdirSync(host.places.workspace);
    const mark = `4000.${process.pid}`;
    const launch = prepareJail(host.spec({ command: sleeper(mark), sockets: [] }));
    const one = async (n: number): Promise<void> => {
      const group = createJailGroup({ processes: 50 });
      const grouped = n % 2 === 0;
      const own = grouped ? prepareJail(host.spec({ command: sleeper(mark), sockets: [] }), group) : launch;
      const child = spawnJail(own, ['ignore', 'pipe', 'pipe']);
      const gone = once(child, 'close');
      // From before bwrap has begun to long after the command runs.
      await wait(Math.random() * 60);
      signalJail(child, 'SIGKILL');
      await gone;
      await group.remove();
    };
    for (let n = 0; n < JAILS; n += 10) await Promise.all(Array.from({ length: 10 }, (_, k) => one(n + k)));
    await waitFor('no process to be left', () => expect(processesWith(mark)).toEqual([]));
    expect(groupsOf(process.pid)).toEqual([]);
    expect(mountsWith(host.places.workspace)).toEqual([]);
    expect(memoryFiles()).toEqual([]);
    expect(readdirSync(host.places.workspace)).toEqual(before);
  });

  test('[JA-6] whoever starts a jail may be killed at any moment: the jail goes too', async () => {
    const mark = `4001.${process.pid}`;
    const spec = JSON.stringify(host.spec({ command: sleeper(mark) }));
    const pids: number[] = [];
    const one = async (n: number): Promise<void> => {
      const launcher = spawn(process.execPath, [join(import.meta.dirname, 'launcher.ts'), spec], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      pids.push(launcher.pid ?? 0);
      await once(launcher.stdout, 'data');
      await wait(n * 15);
      const gone = once(launcher, 'exit');
      launcher.kill('SIGKILL');
      await gone;
    };
    for (let n = 0; n < 12; n += 2) await Promise.all([one(n), one(n + 1)]);
    await waitFor('no process to be left', () => expect(processesWith(mark)).toEqual([]));
    expect(memoryFiles()).toEqual([]);
    // A control group cannot be removed by the dead: whoever makes the next one does it.
    await createJailGroup().remove();
    await waitFor('no control group to be left', () => expect(pids.flatMap(groupsOf)).toEqual([]));
  });

  test('[JA-5] 50 jails at once', async () => {
    const script = (n: number) => `echo ${n}; exec 3<>/dev/tcp/127.0.0.1/7181 && cat <&3`;
    const runs = Array.from({ length: 50 }, (_, n) => host.run(script(n)));
    const outputs = (await Promise.all(runs)).map(({ output }) => output);
    expect(outputs).toEqual(Array.from({ length: 50 }, (_, n) => `${n}\ngateway\n`));
    expect(groupsOf(process.pid)).toEqual([]);
  });

  test('[JA-6] a spawner that dies takes its commands along, and the next command has a new one', async () => {
    const backend = openBubblewrap(host.places.home);
    try {
      const sandbox = await backend.acquire('agent', { workspace: host.places.beside });
      const mark = `4002.${process.pid}`;
      const run = sandbox.exec(['sh', '-c', `echo up; exec sleep ${mark}`], {
        onOutput: () => {
          for (const pid of childrenOf(process.pid, 'spawner-main.ts')) process.kill(pid, 'SIGKILL');
        },
      });
      await expect(run).rejects.toMatchObject({ code: 'SandboxUnavailable' });
      await waitFor('no process to be left', () => expect(processesWith(mark)).toEqual([]));
      expect((await sandbox.exec(['echo', 'again'])).stdout).toBe('again\n');
    } finally {
      await backend.cleanup();
    }
  });
});
