import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireEngine, waitUntil } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRunFixture, PROGRAM, type RunFixture, type Running } from './run-fixture.ts';

const bwrap = requireEngine('bubblewrap', 'curl');

async function printed(running: Running, text: string): Promise<void> {
  await waitUntil(`the run to print ${text}`, () => running.stdout().includes(text), {
    unless: running.ended,
  });
}

/** Processes of this machine whose command line holds a word. */
function alive(word: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return execFileSync('cat', [`/proc/${pid}/cmdline`], { encoding: 'utf8', stdio: 'pipe' }).includes(
        word,
      );
    } catch {
      return false; // gone meanwhile
    }
  });
}

describe.skipIf(bwrap.missing)(`a run on a bad day (${bwrap.install})`, () => {
  let fixture: RunFixture;
  beforeAll(async () => {
    fixture = await openRunFixture();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  /** Nothing of any run is left: no session, no socket, no process. */
  async function nothingIsLeft(word: string): Promise<void> {
    await waitUntil('no session, socket or process to be left', async () => {
      const sessions = (await fixture.gateway.operator('/v1/sessions')).json<{ items: unknown[] }>().items;
      const folder = join(fixture.gateway.home, 'run');
      const folders = existsSync(folder) ? readdirSync(folder) : [];
      return sessions.length === 0 && folders.length === 0 && alive(word).length === 0;
    });
  }

  test.each([
    ['exit 7', 7],
    ['kill -9 $$', 137],
    ['kill -TERM $$', 143],
  ])('the exit code of `%s` is the agent’s own', async (script, code) => {
    expect(await fixture.shell(script)).toMatchObject({ code, stderr: '' });
  });

  test.each([
    [['--', 'no-such-program'], 127, 'there is no program `no-such-program`'],
    [
      ['--workspace', '/nowhere/at/all', '--', 'true'],
      125,
      'the workspace `/nowhere/at/all` is not a folder',
    ],
    [['--workspace', '/etc', '--', 'true'], 125, 'belongs to the system'],
    [['--agent', 'nobody', '--', 'true'], 125, 'there is no agent `nobody`'],
    [['--bogus', '--', 'true'], 2, 'there is no flag `--bogus`'],
    [['--agent'], 2, '`--agent` needs a value'],
    [['--'], 2, 'there is no command to run'],
  ])('%j says what is wrong', async (argv, code, message) => {
    const ended = await fixture.run(argv);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).not.toContain('    at ');
  });

  test('a home, or what holds the gateway’s, is no workspace', async () => {
    expect((await fixture.run(['--workspace', fixture.userHome, '--', 'true'])).stderr).toContain(
      'your home',
    );
    const ended = await fixture.run(['--workspace', fixture.gateway.home, '--', 'true']);
    expect(ended.stderr).toContain("the gateway's own folder");
  });

  test('a workspace may be called anything', async () => {
    const odd = join(fixture.workspace, 'two words\nand "a" $(line) \u{1f512}');
    mkdirSync(odd);
    const ended = await fixture.run(['--workspace', odd, '--', 'bash', '-c', 'echo made > it; ls']);
    expect(ended).toMatchObject({ code: 0, stdout: 'it\n' });
    expect(existsSync(join(odd, 'it'))).toBe(true);
  });

  test('SIGTERM reaches the agent, which may end in its own way', async () => {
    const running = fixture.start([
      '--',
      'bash',
      '-c',
      'trap "echo bye; exit 3" TERM; echo up; while :; do sleep 0.1; done',
    ]);
    await printed(running, 'up');
    running.process.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 3, stdout: 'up\nbye\n' });
  });

  test('[JA-6] an agent that ignores SIGTERM and leaves daemons behind is gone with all of them', async () => {
    const word = 'stubborn-b41f';
    const running = fixture.start([
      '--',
      'bash',
      '-c',
      `trap '' TERM HUP INT; (setsid bash -c 'trap "" TERM; while :; do sleep 0.2; done' ${word} &) ; echo up; while :; do sleep 0.1; done`,
    ]);
    await printed(running, 'up');
    running.process.kill('SIGTERM');
    expect((await running.ended).code).toBe(137);
    await nothingIsLeft(word);
  });

  test('[JA-6] daemons do not outlive an agent that ends by itself', async () => {
    const word = 'daemon-77aa';
    await fixture.shell(
      `(setsid bash -c 'while :; do sleep 0.2; done' ${word} </dev/null >/dev/null 2>&1 &); exit 0`,
    );
    await nothingIsLeft(word);
  });

  test('[JA-6] a run that is killed at whatever moment leaves nothing', async () => {
    const word = 'killed-9c2e';
    const moments = [0, 40, 80, 120, 160, 220, 300, 400];
    await Promise.all(
      moments.map(async (ms) => {
        const running = fixture.start(['--', 'bash', '-c', 'while :; do sleep 0.2; done', word]);
        // Not a wait for something: the moment itself is what is tried out.
        await new Promise((resolve) => setTimeout(resolve, ms));
        running.process.kill('SIGKILL');
        await running.ended;
      }),
    );
    await nothingIsLeft(word);
  });

  test('[ID-3] a revoked session ends its agent, and the run says why', async () => {
    const running = fixture.start(['--', 'bash', '-c', 'echo up; while :; do sleep 0.1; done']);
    await printed(running, 'up');
    const [session] = (await fixture.gateway.operator('/v1/sessions')).json<{ items: { id: string }[] }>()
      .items;
    await fixture.gateway.operator(`/v1/sessions/${session?.id}`, { method: 'DELETE' });
    const ended = await running.ended;
    expect(ended.code).toBe(125);
    expect(ended.stderr).toContain('the run was ended: ended by the operator');
  });

  test.each([
    {
      why: 'no bwrap',
      around: ['--ro-bind', '/dev/null', '/usr/bin/bwrap'],
      message: 'the jail needs `bwrap`, which is not installed',
    },
    {
      why: 'no user namespaces',
      around: ['--unshare-user', '--disable-userns'],
      message: 'bwrap cannot build a jail here',
    },
  ])('$why is said with what to do, and leaves nothing', async ({ around, message }) => {
    // A machine as it might be: this one, without what is taken away.
    const machine = ['--bind', '/', '/', '--dev-bind', '/dev', '/dev', '--proc', '/proc', ...around, '--'];
    const words = [...machine, process.execPath, PROGRAM, 'run', '--', 'echo', 'never'];
    // Not synchronously: the gateway that it talks to lives in this process.
    const ended = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const options = { cwd: fixture.workspace, env: fixture.env(), timeout: 60_000 };
      execFile('/usr/bin/bwrap', words, options, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
    });
    expect(ended.stderr).toContain(message);
    expect(ended).toMatchObject({ code: 125, stdout: '' });
    await nothingIsLeft('echo never');
  });

  test('an unconfined run says so loudly, and is marked', async () => {
    const ended = await fixture.run([
      '--unconfined',
      '--json',
      '--',
      'bash',
      '-c',
      'curl -sS $SALLYPORT_API/healthz; ls ~/.ssh',
    ]);
    expect(ended.stderr).toContain('UNCONFINED');
    expect(ended.stdout).toContain('id_ed25519');
    expect(ended.summary()).toMatchObject({ confinement: 'unconfined' });
  });
});

describe.skipIf(bwrap.missing)('a gateway that is not there', () => {
  test('that goes away takes the agent along', async () => {
    const fixture = await openRunFixture();
    const running = fixture.start(['--', 'bash', '-c', 'echo up; while :; do sleep 0.1; done']);
    await printed(running, 'up');
    await fixture[Symbol.asyncDispose]();
    const ended = await running.ended;
    expect(ended.code).toBe(125);
    expect(ended.stderr).toContain('the run was ended: the gateway stopped');
  });

  test('is started in the background, said, and kept', async () => {
    await using fixture = await openRunFixture();
    const home = join(fixture.userHome, 'gate');
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, 'sallyport.yaml'), CONFIG, { mode: 0o600 });
    const first = await fixture.run(['--home', home, '--', 'echo', 'hello']);
    try {
      expect(first, first.stderr).toMatchObject({ code: 0, stdout: 'hello\n' });
      expect(first.stderr).toContain('starting one in the background');
      expect(await fixture.run(['--home', home, '--', 'true'])).toMatchObject({ code: 0, stderr: '' });
      expect(existsSync(join(home, 'gateway.log'))).toBe(true);
    } finally {
      const { pid } = JSON.parse(execFileSync('cat', [join(home, 'runtime.json')], { encoding: 'utf8' }));
      process.kill(pid, 'SIGTERM');
      await waitUntil(
        'the gateway to take its runtime.json away',
        () => !existsSync(join(home, 'runtime.json')),
      );
    }
  });

  test('that cannot be started says why', async () => {
    await using fixture = await openRunFixture();
    const home = join(fixture.userHome, 'broken');
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, 'sallyport.yaml'), 'nonsense: true\n', { mode: 0o600 });
    const ended = await fixture.run(['--home', home, '--', 'true']);
    expect(ended.code).toBe(125);
    expect(ended.stderr).toContain('the gateway could not be started');
    expect(ended.stderr).toContain('gateway.log');
  });
});

const CONFIG = `api: { ports: { api: 0, proxy: 0, ssh: 0, operator: 0 } }
tenants: { default: { default_user: ana, default_agent: dev, users: { ana: { roles: [owner] } } } }
roles: { owner: { allow: ["agent:*"] } }
agents: { dev: {} }
`;
