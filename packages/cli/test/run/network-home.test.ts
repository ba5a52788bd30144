import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireEngine, tempDir, waitUntil } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { mountNetworkFolder, type NetworkFolder } from './network-folder.ts';
import { openRunFixture, PROGRAM, type RunFixture, type Running } from './run-fixture.ts';

const needs = requireEngine('bubblewrap', 'sshfs', 'fuse');

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

const printed = (running: Running, text: string) =>
  waitUntil(`the run to print ${text}`, () => running.stdout().includes(text), { unless: running.ended });

describe.skipIf(needs.missing)(`a network disk (${needs.install})`, () => {
  let fixture: RunFixture;
  beforeAll(async () => {
    fixture = await openRunFixture();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  async function mount(rememberS = 0): Promise<NetworkFolder> {
    const folder = await mountNetworkFolder(rememberS);
    onTestFinished(async () => {
      await folder[Symbol.asyncDispose]();
      // Others mount and unmount, too: what counts is what holds this folder.
      expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(folder.path);
    });
    for (const name of ['home', 'project']) mkdirSync(join(folder.origin, name), { mode: 0o700 });
    return folder;
  }

  const sessions = async () =>
    (await fixture.gateway.operator('/v1/sessions')).json<{ items: { id: string }[] }>().items;

  /** Of any run of the fixture: no session, no socket, no process. */
  async function nothingIsLeft(word: string): Promise<void> {
    await waitUntil('no session, socket or process to be left', async () => {
      const folder = join(fixture.gateway.home, 'run');
      const folders = existsSync(folder) ? readdirSync(folder) : [];
      return (await sessions()).length === 0 && folders.length === 0 && alive(word).length === 0;
    });
  }

  test('[JA-2] holds the home and the workspace of a run as a local one would', async () => {
    const { path, origin } = await mount();
    writeFileSync(join(origin, 'project/.env'), 'KEY=canary-on-the-network\n');
    const script = 'echo made >it; cat it; cat .env; ls -A ~/.ssh';
    const argv = ['--workspace', join(path, 'project'), '--', 'bash', '-c', script, 'net-3a71'];
    const ended = await fixture.run(argv, { HOME: join(path, 'home') });
    expect(ended.stdout, ended.stderr).toBe('made\n');
    expect(readFileSync(join(origin, 'project/it'), 'utf8')).toBe('made\n');
    await nothingIsLeft('net-3a71');
  });

  test('[JA-2] that dies under an agent is an error for the agent, and no workspace for the next', async () => {
    const folder = await mount(600);
    const workspace = join(folder.path, 'project');
    const script = 'echo up; while echo x >f; do sleep 0.05; done; exit 9';
    // There already: a new name in a folder would make the kernel forget what it knows of it.
    writeFileSync(join(folder.origin, 'project/f'), '');
    const running = fixture.start(['--workspace', workspace, '--', 'bash', '-c', script, 'net-90bc']);
    await printed(running, 'up');
    expect(statSync(workspace).isDirectory()).toBe(true);
    await folder.crash();
    expect((await running.ended).code).toBe(9);
    const never = (folder: string) => fixture.run(['--workspace', folder, '--', 'echo', 'never']);
    // The kernel still knows that there was a folder, and nobody knows whether there is a `.env` in it.
    const known = await never(workspace);
    expect(known).toMatchObject({ code: 125, stdout: '' });
    expect(known.stderr).toContain(`\`${workspace}\` cannot be searched for secrets (ENOTCONN)`);
    const other = await never(join(folder.path, 'home'));
    expect(other).toMatchObject({ code: 125, stdout: '' });
    expect(other.stderr).toContain('cannot be looked at (ENOTCONN)');
    expect(other.stderr).toContain('still mounted');
    await nothingIsLeft('net-90bc');
  });

  test('[JA-6] that hangs keeps nobody from ending the run, and its session is gone', async () => {
    const folder = await mount();
    // Without a pause: it waits for the disk as soon as that hangs.
    const script = 'echo up; while echo x >f; do :; done';
    const workspace = join(folder.path, 'project');
    const running = fixture.start(['--workspace', workspace, '--', 'bash', '-c', script, 'net-c2e8']);
    await printed(running, 'up');
    folder.hang();
    const [session] = await sessions();
    await fixture.gateway.operator(`/v1/sessions/${session?.id}`, { method: 'DELETE' });
    await waitUntil('the end of the run', () => running.process.exitCode !== null);
    expect(await sessions()).toEqual([]);
    // What waits in the kernel for the disk holds on to its output, too, until the disk is given up.
    await folder.crash();
    expect(await running.ended).toMatchObject({ code: 125 });
    expect((await running.ended).stderr).toContain('the run was ended: ended by the operator');
    await nothingIsLeft('net-c2e8');
  });

  test('has no sockets: a gateway whose home it holds has them in the runtime folder, or says what to do', async () => {
    const folder = await mount();
    await using runtime = await tempDir('rt-');
    const home = join(folder.path, 'home/gate');
    mkdirSync(join(folder.origin, 'home/gate'), { mode: 0o700 });
    writeFileSync(join(folder.origin, 'home/gate/sallyport.yaml'), CONFIG, { mode: 0o600 });
    const env = { HOME: join(folder.path, 'home'), SALLYPORT_HOME: home };
    const local = { ...env, XDG_RUNTIME_DIR: runtime.path };

    const [refused, warned] = await Promise.all([command(['start'], env), command(['doctor'], env)]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`the socket \`${home}/operator.sock\` cannot be opened`);
    expect(refused.stderr).toContain('set XDG_RUNTIME_DIR');
    expect(warned.stdout).toContain('takes no unix sockets');

    const gateway = start(['start', '--json'], local, 'ignore');
    onTestFinished(() => void gateway.kill('SIGKILL'));
    await waitUntil('the gateway to start', () => existsSync(join(folder.origin, 'home/gate/runtime.json')), {
      unless: gateway,
    });
    const running = fixture.start(
      ['--', 'bash', '-c', 'echo up; while :; do sleep 0.1; done', 'net-51fd'],
      local,
    );
    await printed(running, 'up');

    await folder.crash();
    const [next, doctor] = await Promise.all([
      fixture.run(['--', 'echo', 'never'], local),
      command(['doctor'], local),
    ]);
    expect(next).toMatchObject({ code: 125, stdout: '' });
    expect(next.stderr).toContain(`the disk of \`${home}\` does not answer (ENOTCONN)`);
    expect(doctor.stdout).toContain(`the disk of \`${home}\` does not answer (ENOTCONN)`);
    expect(doctor.code).toBe(1);
    const exited = once(gateway, 'exit');
    gateway.kill('SIGTERM');
    const ended = await running.ended;
    expect(ended.code).toBe(125);
    expect(ended.stderr).toContain('the run was ended: the gateway');
    await exited;
    await waitUntil('no process of the run to be left', () => alive('net-51fd').length === 0);
    const [own = ''] = readdirSync(runtime.path);
    expect(readdirSync(join(runtime.path, own, 'run'))).toEqual([]);
    expect(existsSync(join(runtime.path, own, 'operator.sock'))).toBe(false);
  });

  function start(
    words: readonly string[],
    env: Readonly<Record<string, string>>,
    stdio: 'ignore' | 'pipe',
  ): ChildProcess {
    const options = { env: { ...fixture.env(), ...env }, cwd: '/', stdio };
    return spawn(process.execPath, [PROGRAM, ...words], options);
  }

  async function command(words: readonly string[], env: Readonly<Record<string, string>>) {
    const child = start(words, env, 'pipe');
    let [stdout, stderr] = ['', ''];
    child.stdout?.on('data', (chunk) => {
      stdout += String(chunk);
    });
    child.stderr?.on('data', (chunk) => {
      stderr += String(chunk);
    });
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout, stderr };
  }
});

const CONFIG = `api: { ports: { api: 0, proxy: 0, ssh: 0, operator: 0 } }
tenants: { default: { default_user: ana, default_agent: dev, users: { ana: { roles: [owner] } } } }
roles: { owner: { allow: ["agent:*"] } }
agents: { dev: {} }
`;
