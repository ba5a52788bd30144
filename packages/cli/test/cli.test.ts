import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requireEngine, startTestGateway, type TestGateway, tempDir, waitFor } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProgram } from '../src/commands/program.ts';
import { createContext } from '../src/context.ts';
import { runCommand } from './run-command.ts';

let gateway: TestGateway;
let home = '';
beforeAll(async () => {
  gateway = await startTestGateway();
  home = gateway.home;
});
afterAll(() => gateway.close());

describe('every command', () => {
  const program = createProgram(
    createContext({
      env: {},
      streams: { stdout: process.stdout, stderr: process.stderr },
      signal: new AbortController().signal,
    }),
  );
  const leaves = program.commands.flatMap((command) =>
    command.commands.length === 0
      ? [[command.name()]]
      : command.commands.map((child) => [command.name(), child.name()]),
  );

  test.each(leaves.map((words) => ({ words, name: words.join(' ') })))(
    '`$name` has help with an example',
    async ({ words }) => {
      const { code, stdout } = await runCommand(home, ...words, '--help');
      expect(code).toBe(0);
      expect(stdout).toMatch(/Examples?:\n {2}(sallyport|source|export)/);
    },
  );
});

describe('against a running gateway', () => {
  test('status says where it is and what it is doing', async () => {
    const text = await runCommand(home, 'status');
    expect(text.code).toBe(0);
    expect(text.stdout).toContain('running');
    expect(text.stdout).toContain(home);
    expect(text.stdout).not.toContain('without a jail');
    expect((await runCommand(home, 'status', '--json')).json<{ pid: number }>().pid).toBe(process.pid);
  });

  test('a session is opened, listed, shown and ended', async () => {
    const opened = (await runCommand(home, 'sessions', 'open', '--jailed', '--json')).json<{
      session_id: string;
      session_token: string;
    }>();
    expect(opened.session_token).toMatch(/^spt_/);
    const list = (await runCommand(home, 'sessions', 'list', '--json')).json<{ items: { id: string }[] }>();
    expect(list.items.map(({ id }) => id)).toContain(opened.session_id);
    expect((await runCommand(home, 'sessions', 'show', opened.session_id)).stdout).toContain('jailed');
    expect((await runCommand(home, 'sessions', 'end', opened.session_id)).code).toBe(0);
    expect((await runCommand(home, 'sessions', 'list')).stdout).not.toContain(opened.session_id);
    expect((await runCommand(home, 'sessions', 'end', 'sess_nope')).code).toBe(1);
  });

  test('a key is made, listed without its value, and revoked', async () => {
    const made = (await runCommand(home, 'keys', 'create', 'ci', '--json')).json<{
      id: string;
      key: string;
    }>();
    const listed = await runCommand(home, 'keys', 'list');
    expect(listed.stdout).toContain(made.id);
    expect(listed.stdout).not.toContain(made.key);
    expect((await runCommand(home, 'keys', 'revoke', made.id)).code).toBe(0);
    expect((await runCommand(home, 'keys', 'list')).stdout).toContain('revoked');
  });

  test('the trail is read, searched, exported and verified', async () => {
    const { session_id } = (await runCommand(home, 'sessions', 'open', '--json')).json<{
      session_id: string;
    }>();
    const tail = await runCommand(home, 'audit', 'tail', '-n', '5', '--json');
    const events = tail.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; seq: number; type: string });
    expect(events.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq).toSorted((a, b) => a - b));
    const search = await runCommand(home, 'audit', 'search', session_id);
    expect(search.stdout).toContain('a session began');
    expect((await runCommand(home, 'audit', 'show', events.at(-1)?.id ?? '')).stdout).toContain(
      events.at(-1)?.type,
    );
    const exported = await runCommand(home, 'audit', 'export', '--since', '1h');
    expect(exported.stdout.trim().split('\n').length).toBeGreaterThan(3);
    const verified = await runCommand(home, 'audit', 'verify');
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.stdout).toMatch(/^whole/);
  });

  test('explain, rules, simulate, stats, suggest and grants answer', async () => {
    const explained = await runCommand(home, 'explain', '--', 'Bash(rm -rf build)');
    expect(explained.code).toBe(0);
    const json = (
      await runCommand(home, 'explain', '--json', '--unconfined', '--', 'Bash(git push origin main)')
    ).json<{ outcome: string; layers: unknown[] }>();
    expect(json.outcome).not.toBe('allow');
    expect(json.layers.length).toBeGreaterThan(3);
    expect((await runCommand(home, 'rules', '--json')).code).toBe(0);
    expect((await runCommand(home, 'grants', '--json')).json()).toEqual({ items: [], next_cursor: null });
    expect((await runCommand(home, 'grants', 'export')).stdout).toContain('# there are none');
    const simulated = await runCommand(home, 'simulate', '--policy', join(home, 'sallyport.yaml'), '--json');
    expect(simulated.json()).toMatchObject({ differ: 0, truncated: false });
    expect((await runCommand(home, 'suggest', '--json')).json()).toEqual({ items: [], next_cursor: null });
    expect((await runCommand(home, 'suggest', '--apply', 'nope')).code).toBe(1);
    expect((await runCommand(home, 'stats', '--json')).json()).toMatchObject({ questions: 0, per_100: 0 });
    expect((await runCommand(home, 'stats', '--since', '2h')).stdout).toContain(
      'in the last 2h, 0 questions',
    );
  });

  test('a broken config is refused with its place, and the old one stays', async () => {
    const broken = join(home, 'broken.yaml');
    await writeFile(broken, 'tenants:\n  default:\n    mod: strict\n');
    const checked = await runCommand(home, 'config', 'check', broken);
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain('broken.yaml:3:5');
    expect(checked.stdout).toContain('mode');
    expect((await runCommand(home, 'config', 'check')).code).toBe(0);
    await rm(broken);
  });
});

describe('without a gateway', () => {
  test('each command says what to do, with exit code 1 and no stack trace', async () => {
    await using dir = await tempDir();
    for (const argv of [
      ['status'],
      ['sessions'],
      ['keys'],
      ['audit', 'tail'],
      ['stop'],
      ['rules'],
      ['grants'],
    ]) {
      const { code, stdout, stderr } = await runCommand(dir.path, ...argv);
      expect({ argv, code }).toEqual({ argv, code: 1 });
      expect(stderr).toContain('sallyport start');
      expect(`${stdout}${stderr}`).not.toMatch(/\n\s+at /);
    }
    const json = (await runCommand(dir.path, 'status', '--json')).json<{ error: { code: string } }>();
    expect(json.error.code).toBe('GatewayNotRunning');
  });

  test('init makes a config that is valid, and changes nothing the second time', async () => {
    await using dir = await tempDir();
    const at = join(dir.path, 'gate');
    expect((await runCommand(at, 'init', '--json')).json()).toMatchObject({ made: true });
    expect((await runCommand(at, 'init', '--json')).json()).toMatchObject({ made: false });
    expect((await runCommand(at, 'config', 'check')).code).toBe(0);
    expect((await runCommand(at, 'explain', '--json', '--', 'Bash(ls)')).json()).toMatchObject({
      outcome: 'allow',
    });
    const doctor = (await runCommand(at, 'doctor', '--json')).json<{
      items: { id: string; status: string }[];
    }>();
    // Another gateway may run on this machine: whose ports are taken is another test's question.
    const failed = doctor.items
      .filter(({ id, status }) => status === 'fail' && id !== 'ground.ports')
      .map(({ id }) => id);
    // A machine without bubblewrap has no jail, and the doctor says so.
    expect(failed).toEqual(requireEngine('bubblewrap').missing ? ['sandbox.jail'] : []);
  });

  test('start and status name the address that it listens on', async () => {
    await using dir = await tempDir();
    const config = 'tenants: { default: {} }\napi: { host: localhost }\n';
    await writeFile(join(dir.path, 'sallyport.yaml'), config, { mode: 0o600 });
    const ports = ['--api-port', '0', '--proxy-port', '0', '--ssh-port', '0', '--operator-port', '0'];
    const running = runCommand(dir.path, 'start', '--no-prompt', ...ports);
    const status = await waitFor(
      'a gateway that says that it runs',
      async () => {
        const ran = await runCommand(dir.path, 'status');
        expect(ran.stdout).toContain('running');
        return ran;
      },
      { unless: running },
    );
    await runCommand(dir.path, 'stop');
    for (const { stdout } of [status, await running]) {
      for (const door of ['agents', 'proxy', 'operator'])
        expect(stdout).toMatch(new RegExp(`${door} +http://localhost:\\d+$`, 'm'));
    }
  });

  test('usage errors end with code 2', async () => {
    await using dir = await tempDir();
    for (const argv of [
      [],
      ['nope'],
      ['sessions', 'end'],
      ['start', '--api-port', 'x'],
      ['completion', 'tcsh'],
      ['status', '--nope'],
    ]) {
      expect({ argv, code: (await runCommand(dir.path, ...argv)).code }).toEqual({ argv, code: 2 });
    }
  });

  test('completion scripts know every command', async () => {
    await using dir = await tempDir();
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { stdout } = await runCommand(dir.path, 'completion', shell);
      for (const word of ['audit', 'verify', 'sessions', '--json', 'explain']) expect(stdout).toContain(word);
    }
  });
});
