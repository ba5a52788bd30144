import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireEngine, waitUntil } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openRunFixture, PROGRAM, type RunFixture } from './run-fixture.ts';
import { openScreen } from './screen.ts';

const bwrap = requireEngine('bubblewrap');
const tmux = requireEngine('tmux');

/** Processes of this machine whose command line holds a word. */
function alive(word: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
    } catch {
      return false; // gone meanwhile
    }
  });
}

const gone = (word: string) => waitUntil('no process of the run to be left', () => alive(word).length === 0);

describe.skipIf(bwrap.missing)(`a run on a worse day (${bwrap.install})`, () => {
  let fixture: RunFixture;
  beforeAll(async () => {
    fixture = await openRunFixture();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  test('[JA-6] a gateway that is killed takes the agent along, in words, and the next one cleans up', async () => {
    const home = join(fixture.userHome, 'killed');
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, 'sallyport.yaml'), CONFIG, { mode: 0o600 });
    const start = () => {
      const words = [PROGRAM, 'start', '--json', '--home', home];
      const gateway = spawn(process.execPath, words, { env: fixture.env(), stdio: 'ignore' });
      onTestFinished(() => void gateway.kill('SIGKILL'));
      return gateway;
    };
    const gateway = start();
    await waitUntil('the gateway to start', () => existsSync(join(home, 'runtime.json')), {
      unless: gateway,
    });
    const word = 'orphan-5c1d';
    const script = `(setsid bash -c 'trap "" TERM; while :; do sleep 0.2; done' ${word} &); echo up; while :; do sleep 0.1; done`;
    const running = fixture.start(['--home', home, '--', 'bash', '-c', script]);
    await waitUntil('the run to print `up`', () => running.stdout().includes('up'), {
      unless: running.ended,
    });
    gateway.kill('SIGKILL');
    const ended = await running.ended;
    expect(ended.code).toBe(125);
    expect(ended.stderr).toContain('the run was ended: the gateway is gone');
    await gone(word);
    expect(readdirSync(join(home, 'run'))).toHaveLength(1);
    const next = start();
    await waitUntil(
      'the next gateway to start',
      () =>
        existsSync(join(home, 'runtime.json')) &&
        JSON.parse(readFileSync(join(home, 'runtime.json'), 'utf8')).pid === next.pid,
      { unless: next },
    );
    expect(existsSync(join(home, 'run')) ? readdirSync(join(home, 'run')) : []).toEqual([]);
    expect((await fixture.run(['--home', home, '--', 'echo', 'again'])).stdout).toBe('again\n');
    next.kill('SIGTERM');
    await once(next, 'exit');
  });

  test.skipIf(tmux.missing)(
    `[JA-6] a terminal that is closed ends the run and all of it (${tmux.install})`,
    async () => {
      const word = 'hungup-83b0';
      const screen = openScreen(fixture.env(), fixture.workspace);
      const script = `trap "" HUP; (setsid bash -c "while :; do sleep 0.2; done" ${word} &); echo u''p; while :; do sleep 0.1; done`;
      screen.type(`${process.execPath} ${PROGRAM} run -- bash -c '${script.replaceAll("'", `'\\''`)}'`);
      screen.keys('Enter');
      await screen.shows(/^up$/m);
      expect(alive(word)).not.toEqual([]);
      screen[Symbol.dispose]();
      await gone(word);
      await waitUntil(
        'the end of the session',
        async () =>
          (await fixture.gateway.operator('/v1/sessions')).json<{ items: unknown[] }>().items.length === 0,
      );
    },
  );

  test('a machine without any memory left for files uses its disk, and without that says so', async () => {
    const small = (path: string) => ['--size', '4096', '--tmpfs', path];
    const run = (around: readonly string[], env: Record<string, string>) =>
      new Promise<{ stdout: string; stderr: string }>((resolve) => {
        const machine = ['--bind', '/', '/', '--dev-bind', '/dev', '/dev', ...around, '--'];
        const words = [...machine, process.execPath, PROGRAM, 'run', '--', 'echo', 'works'];
        const options = { cwd: fixture.workspace, env: { ...fixture.env(), ...env }, timeout: 60_000 };
        execFile('/usr/bin/bwrap', words, options, (_error, stdout, stderr) => resolve({ stdout, stderr }));
      });
    expect(await run(small('/dev/shm'), {})).toEqual({ stdout: 'works\n', stderr: '' });
    const full = await run([...small('/dev/shm'), ...small('/mnt')], { TMPDIR: '/mnt' });
    expect(full.stdout).toBe('');
    expect(full.stderr).toContain("the jail's settings cannot be written to `/dev/shm` or `/mnt`");
  });

  test('an agent that fills its memory folders hears of it, and the run goes on', async () => {
    const ended = await fixture.shell(
      'dd if=/dev/zero of=/tmp/full bs=1M count=4096 2>&1 | grep -o "No space left on device"; rm /tmp/full; echo on',
    );
    expect(ended).toMatchObject({ code: 0, stdout: 'No space left on device\non\n' });
  });

  test('[JA-2] a project of more folders than anyone reads is searched all the same', async () => {
    const wide = join(fixture.workspace, 'wide');
    for (let n = 0; n < 150; n += 1) {
      for (let m = 0; m < 150; m += 1) mkdirSync(join(wide, `${n}/${m}`), { recursive: true });
    }
    writeFileSync(join(wide, '149/149/.env'), 'KEY=canary-in-the-last-folder\n');
    const ended = await fixture.run(['--workspace', wide, '--', 'cat', '149/149/.env', '0/0/.env']);
    expect(ended.stderr).not.toContain('folders');
    expect(ended.stdout).toBe('');
  });
});

const CONFIG = `api: { ports: { api: 0, proxy: 0, ssh: 0, operator: 0 } }
tenants: { default: { default_user: ana, default_agent: dev, users: { ana: { roles: [owner] } } } }
roles: { owner: { allow: ["agent:*"] } }
agents: { dev: {} }
`;
