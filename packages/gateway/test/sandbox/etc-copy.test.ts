import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { requireEngine, type TempDir, tempDir } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SandboxBackend } from '../../src/sandbox/index.ts';
import { openBubblewrap } from './backends.ts';

const bwrap = requireEngine('bubblewrap');
const MEMORY = '/dev/shm';
const ownFolders = (): readonly string[] =>
  readdirSync(MEMORY).filter((name) => name.startsWith(`sallyport-etc-${process.pid}-`));

describe.skipIf(bwrap.missing)(`the /etc of commands (${bwrap.install})`, () => {
  let dir: TempDir;
  let backend: SandboxBackend;
  let workspace: string;
  beforeAll(async () => {
    dir = await tempDir();
    workspace = join(dir.path, 'work');
    mkdirSync(workspace);
    backend = openBubblewrap(dir.path);
  });
  afterAll(async () => {
    await backend.cleanup();
    await dir.remove();
  });

  async function sh(script: string, more: object = {}): Promise<string> {
    const sandbox = await backend.acquire('etc', { workspace, ...more });
    try {
      const { stdout, stderr } = await sandbox.exec(['sh', '-c', script]);
      return stdout + stderr;
    } finally {
      await sandbox.release();
    }
  }

  test('[JA-2] is one folder of what is harmless, which they cannot change', async () => {
    const attempts = ['echo x >>/etc/passwd', 'echo x >/etc/ld.so.preload', 'rm /etc/ld.so.cache'];
    const script = ['cat /etc/passwd', 'ls /etc', ...attempts.map((attempt) => `(${attempt}) || echo kept`)];
    const seen = await sh(script.join('; '));
    expect(seen).toMatch(/^agent:x:/);
    expect(seen).not.toMatch(/^(?:shadow|gshadow|ssh|environment|gitconfig)$/m);
    expect(seen.match(/^kept$/gm)).toHaveLength(attempts.length);
    // One mount for all of it; without the copy there is one for each folder.
    const mounts = await sh('cut -d" " -f5 /proc/self/mountinfo');
    expect(mounts.split('\n').filter((path) => path.startsWith('/etc'))).toEqual(['/etc']);
  });

  test('[JA-2] has what programs need as it is on the machine', async () => {
    const script = 'cat /etc/nsswitch.conf; ls /etc/alternatives; ls /etc/ssl/certs | wc -l';
    const outside = spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout;
    expect(await sh(script)).toBe(outside);
  });

  test('[JA-6] is gone with the sandbox', async () => {
    const sandbox = await backend.acquire('etc', { workspace });
    const [own, ...others] = ownFolders();
    expect([own === undefined, others]).toEqual([false, []]);
    await sandbox.release();
    expect(ownFolders()).toEqual([]);
  });

  test('[JA-6] of a gateway that was killed is gone with the next sandbox', async () => {
    const ended = spawnSync('true').pid;
    const left = join(MEMORY, `sallyport-etc-${ended}-left`);
    mkdirSync(left, { mode: 0o700 });
    try {
      await sh('true');
      expect(existsSync(left)).toBe(false);
    } finally {
      rmSync(left, { recursive: true, force: true });
    }
  });

  test('gives way to what is bound there by name', async () => {
    // Something that machines have there, and jails by themselves do not.
    const file = ['/etc/hostname', '/etc/issue', '/etc/fstab'].find((path) => existsSync(path)) ?? '';
    expect(await sh(`cat ${file}`)).toContain('No such file');
    expect(await sh(`cat ${file}`, { readOnly: [file] })).toBe(readFileSync(file, 'utf8'));
  });
});
