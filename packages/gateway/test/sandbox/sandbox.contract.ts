import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir, waitFor } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox, SandboxBackend } from '../../src/sandbox/index.ts';
import { processesWith } from './leftovers.ts';

type Folder = Awaited<ReturnType<typeof tempDir>>;

/** Every `SandboxBackend` runs this suite against the real thing. */
export function describeSandboxContract(name: string, open: (folder: string) => SandboxBackend): void {
  describe(`${name} as a SandboxBackend`, () => {
    let folder: Folder;
    let backend: SandboxBackend;
    let sandbox: Sandbox;
    let workspace: string;

    beforeEach(async () => {
      folder = await tempDir();
      workspace = join(folder.path, 'work space');
      await mkdir(workspace);
      backend = open(folder.path);
      sandbox = await backend.acquire('agent-1', { workspace, agentId: 'agent-1', env: { GIVEN: 'yes' } });
    });
    afterEach(async () => {
      await backend.cleanup();
      await folder.remove();
    });

    test('gives back output, code, time and agent, and nothing of containers', async () => {
      const result = await sandbox.exec(['sh', '-c', 'echo out; echo err >&2; exit 3']);
      expect(result).toEqual({
        stdout: 'out\n',
        stderr: 'err\n',
        returncode: 3,
        timed_out: false,
        output_exceeded: false,
        aborted: false,
        execution_time_ms: expect.any(Number),
        agent_id: 'agent-1',
        container_id: null,
        sidecar_id: null,
        sidecar_logs: [],
      });
    });

    test('starts in the workspace, with the variables and the input that were given', async () => {
      const inner = join(workspace, 'inner');
      await mkdir(inner);
      const script = 'pwd; echo "$GIVEN $ALSO"; cat';
      const result = await sandbox.exec(['sh', '-c', script], {
        cwd: inner,
        env: { ALSO: 'this' },
        stdin: 'input',
      });
      expect(result.stdout).toBe(`${inner}\nyes this\ninput`);
    });

    test('writes to the workspace of the host', async () => {
      await sandbox.exec(['sh', '-c', 'echo kept > file']);
      expect(await readFile(join(workspace, 'file'), 'utf8')).toBe('kept\n');
    });

    test.each([
      { cwd: '/', why: 'the root' },
      { cwd: '/tmp', why: 'a folder beside' },
      { cwd: 'inner', why: 'not absolute' },
      { cwd: '/nonexistent', why: 'not there' },
    ])('refuses to start in $cwd: $why', async ({ cwd }) => {
      await expect(sandbox.exec(['true'], { cwd })).rejects.toMatchObject({ code: 'SandboxRefused' });
    });

    test('refuses a working folder that a link leads out of the workspace', async () => {
      await symlink('/usr', join(workspace, 'out'));
      const run = sandbox.exec(['true'], { cwd: join(workspace, 'out') });
      await expect(run).rejects.toMatchObject({ code: 'SandboxRefused' });
    });

    test.each([
      'LD_PRELOAD',
      'NODE_OPTIONS',
      'PYTHONSTARTUP',
      'BASH_ENV',
      'GIT_SSH_COMMAND',
      'PATH',
      'A=B',
      '',
    ])('refuses the variable `%s`, which decides what code runs', async (variable) => {
      const run = sandbox.exec(['true'], { env: { [variable]: '/tmp/x' } });
      await expect(run).rejects.toMatchObject({ code: 'SandboxRefused' });
    });

    test('passes nothing of the gateway’s environment on but what programs need', async () => {
      const result = await sandbox.exec(['env']);
      expect(result.stdout).not.toContain('GATEWAY_SECRET');
      expect(result.stdout).toContain('GIVEN=yes');
    });

    test('kills at the timeout what ignores SIGTERM, and says so', async () => {
      const result = await sandbox.exec(
        ['sh', '-c', 'trap "" TERM INT HUP; echo on; while :; do sleep 9; done'],
        {
          timeoutMs: 2_000,
        },
      );
      expect(result).toMatchObject({ timed_out: true, stdout: 'on\n' });
      expect(result.returncode).toBeGreaterThan(128);
    });

    test('[JA-6] leaves no daemon behind that forked twice and left its session', async () => {
      const mark = `daemon-${Date.now()}`;
      const daemon = `(setsid sh -c 'echo up; exec sleep 300.${mark.slice(7)}' >up 2>&1 &) ; while ! [ -s up ]; do :; done`;
      await sandbox.exec(['sh', '-c', daemon]);
      await waitFor('no process to be left', () => expect(processesWith(`300.${mark.slice(7)}`)).toEqual([]));
    });

    test('an abort ends the command', async () => {
      const abort = new AbortController();
      const run = sandbox.exec(['sh', '-c', 'echo up; exec sleep 60'], {
        signal: abort.signal,
        onOutput: () => abort.abort(),
      });
      expect(await run).toMatchObject({ aborted: true, timed_out: false });
    });

    test('[JA-5] an endless output hits its limit and ends the command', async () => {
      const result = await sandbox.exec(['yes'], { outputBytes: 100_000 });
      expect(result).toMatchObject({ output_exceeded: true, timed_out: false });
      expect(result.stdout.length).toBe(100_000);
    });

    test('output comes as it is written, and waits for who reads it', async () => {
      const seen: string[] = [];
      const go = join(workspace, 'go');
      const result = await sandbox.exec(['sh', '-c', 'echo one; while ! [ -e go ]; do :; done; echo two'], {
        onOutput: async ({ channel, bytes }) => {
          seen.push(`${channel} ${Buffer.from(bytes).toString().trim()}`);
          if (seen.length === 1) await writeFile(go, '');
        },
      });
      expect(seen).toEqual(['stdout one', 'stdout two']);
      expect(result.returncode).toBe(0);
    });

    test('a reader that throws ends the command', async () => {
      const run = sandbox.exec(['yes'], {
        onOutput: () => {
          throw new Error('enough');
        },
      });
      await expect(run).rejects.toThrow('enough');
    });

    test('a program that is not there is an answer or a clear error, never a hang', async () => {
      const outcome = await sandbox.exec(['no-such-program']).catch((error: { code: string }) => error);
      expect(outcome).toSatisfy(
        (value: { returncode?: number; code?: string }) =>
          value.returncode === 127 || value.code === 'SandboxUnavailable',
      );
    });

    test('runs commands side by side', async () => {
      const runs = Array.from({ length: 8 }, (_, n) => sandbox.exec(['sh', '-c', `echo ${n}`]));
      const texts = (await Promise.all(runs)).map((result) => result.stdout.trim());
      expect(texts).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
    });

    test('[JA-6] release ends what runs and refuses what comes', async () => {
      let up = (): void => undefined;
      const started = new Promise<void>((resolve) => {
        up = resolve;
      });
      const run = sandbox.exec(['sh', '-c', 'echo up; exec sleep 61.25'], { onOutput: () => up() });
      await started;
      await sandbox.release();
      expect(await run).toMatchObject({ aborted: true });
      expect(processesWith('61.25')).toEqual([]);
      await expect(sandbox.exec(['true'])).rejects.toMatchObject({ code: 'SandboxRefused' });
      await sandbox.release();
    });

    test('refuses a workspace that is not there', async () => {
      const other = backend.acquire('agent-1', { workspace: join(folder.path, 'missing') });
      await expect(other).rejects.toMatchObject({ code: 'SandboxRefused' });
    });
  });
}
