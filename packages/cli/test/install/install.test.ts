import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { HOOK_CLIENTS, type HookClient } from '@sallyport/protocol';
import { tempDir } from '@sallyport/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../run-command.ts';

/** A home with a gateway's secret in it; `HOME` and `SALLYPORT_HOME` are the same folder here. */
async function openHome(files: Readonly<Record<string, string>> = {}): Promise<Home> {
  const dir = await tempDir();
  onTestFinished(() => dir.remove());
  const home = join(dir.path, 'home with a space');
  mkdirSync(home);
  writeFileSync(join(home, 'enrollment.secret'), 'spe_canary\n', { mode: 0o600 });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return {
    path: home,
    read: (path) => readFileSync(join(home, path), 'utf8'),
    has: (path) => existsSync(join(home, path)),
    all: () => snapshot(home),
    run: (...argv) => runCommand(home, ...argv),
  };
}

interface Home {
  readonly path: string;
  read(path: string): string;
  has(path: string): boolean;
  /** every file and what is in it */
  all(): Readonly<Record<string, string>>;
  run(...argv: readonly string[]): ReturnType<typeof runCommand>;
}

function snapshot(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => !lstatSync(join(folder, name)).isDirectory());
  const read = (path: string): string =>
    lstatSync(path).isSymbolicLink() ? readlinkSync(path) : readFileSync(path, 'utf8');
  return Object.fromEntries(files.map((name) => [name, read(join(folder, name))]));
}

/** What people have in these files, oddly written. */
const THEIRS: Readonly<Record<HookClient, Readonly<Record<string, string>>>> = {
  'claude-code': {
    '.claude/settings.json':
      '{\n\t"model": "opus",\n\t"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "mine"}]}]}\n}',
    '.claude.json': '{"numStartups":3,"mcpServers":{"theirs":{"command":"x"}}}',
  },
  codex: {
    '.codex/config.toml':
      '# mine\nmodel = "m"   # odd\nnotes = """\n[not.a.table]\n"""\n[mcp_servers.theirs]\ncommand = "x"',
    '.codex/hooks.json':
      '{ "hooks": { "PreToolUse": [ { "hooks": [ { "type": "command", "command": "mine" } ] } ] } }\n',
  },
  pi: { '.pi/agent/settings.json': '{"theme":"dark"}' },
};

describe.each(HOOK_CLIENTS)('for %s', (client) => {
  test.each([
    ['nothing was there', {}],
    ['something was', THEIRS[client]],
  ])('what was installed goes to the last byte: %s', async (_name, files) => {
    const home = await openHome(files);
    const before = home.all();
    const installed = await home.run('install', client, '--yes');
    expect(installed.code, installed.stderr).toBe(0);
    expect(home.all()).not.toEqual(before);
    // Once more changes nothing.
    const after = home.all();
    expect((await home.run('install', client, '--yes')).stdout).toContain('nothing to change');
    expect(home.all()).toEqual(after);
    expect((await home.run('uninstall', client, '--yes')).code).toBe(0);
    expect(home.all()).toEqual(before);
    expect((await home.run('uninstall', client, '--yes')).stdout).toContain('nothing to change');
  });

  test('the change is shown first, without the secret, and nothing is written without a yes', async () => {
    const home = await openHome(THEIRS[client]);
    const before = home.all();
    const { code, stdout, stderr } = await home.run('install', client);
    expect(code).toBe(1);
    expect(stderr).toContain('--yes');
    expect(stdout).toMatch(/^ {2}\+ .*sallyport-hook\.cjs/m);
    expect(stdout).not.toContain('spe_canary');
    expect(home.all()).toEqual(before);
  });

  test('in a project it stays in the project, but for what only the user may say', async () => {
    const home = await openHome();
    const project = join(home.path, 'project');
    mkdirSync(project);
    expect((await home.run('install', client, '--project', project, '--yes')).code).toBe(0);
    // Settings, not the hook itself.
    const hooked = Object.entries(home.all()).filter(
      ([path, text]) => !path.startsWith('.local/') && text.includes('sallyport-hook.cjs'),
    );
    const places = hooked.map(([path]) => path).filter((path) => !path.endsWith('installed.json'));
    expect(places).toEqual([expect.stringMatching(/^project\//)]);
    expect((await home.run('uninstall', client, '--project', project, '--yes')).code).toBe(0);
    expect(Object.keys(home.all())).toEqual(['enrollment.secret']);
  });
});

test('what people changed since stays: only our entries go', async () => {
  const home = await openHome(THEIRS['claude-code']);
  await home.run('install', 'claude-code', '--yes');
  const settings = JSON.parse(home.read('.claude/settings.json'));
  settings.model = 'haiku';
  settings.hooks.PreToolUse.push({ hooks: [{ type: 'command', command: 'later' }] });
  writeFileSync(join(home.path, '.claude/settings.json'), JSON.stringify(settings));
  // The client writes its own state all the time.
  const state = JSON.parse(home.read('.claude.json'));
  writeFileSync(join(home.path, '.claude.json'), JSON.stringify({ ...state, numStartups: 4 }));
  expect((await home.run('uninstall', 'claude-code', '--yes')).code).toBe(0);
  expect(JSON.parse(home.read('.claude/settings.json'))).toEqual({
    model: 'haiku',
    hooks: {
      PreToolUse: [
        { matcher: 'Bash', hooks: [{ type: 'command', command: 'mine' }] },
        { hooks: [{ type: 'command', command: 'later' }] },
      ],
    },
  });
  expect(JSON.parse(home.read('.claude.json'))).toEqual({
    numStartups: 4,
    mcpServers: { theirs: { command: 'x' } },
  });
});

test('the hooks block on failure, and the secret is for the user alone', async () => {
  const home = await openHome();
  await home.run('install', 'claude-code', '--yes');
  const { hooks } = JSON.parse(home.read('.claude/settings.json'));
  for (const event of ['PreToolUse', 'PermissionRequest'])
    expect(hooks[event][0]).toMatchObject({ matcher: '*', hooks: [{ onFailure: 'block', timeout: 3600 }] });
  const folder = join(home.path, '.config/sallyport');
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
  expect(home.read('.claude/settings.json')).not.toContain('spe_canary');
});

test('two clients share one enrollment, and it goes with the last', async () => {
  const home = await openHome();
  const secrets = (): number =>
    Object.values(home.all()).filter((text) => text.includes('spe_canary')).length;
  await home.run('install', 'claude-code', '--yes');
  await home.run('install', 'pi', '--yes');
  expect(secrets()).toBe(2);
  await home.run('uninstall', 'claude-code', '--yes');
  expect(secrets()).toBe(2);
  await home.run('uninstall', 'pi', '--yes');
  expect(secrets()).toBe(1);
});

interface Odd {
  readonly client: HookClient;
  readonly path: string;
  readonly text?: string;
  readonly make?: (path: string) => void;
  readonly says: RegExp;
  readonly why: string;
}

const ODD: readonly Odd[] = [
  {
    client: 'claude-code',
    path: '.claude/settings.json',
    text: '{',
    says: /not valid JSON/,
    why: 'half a file',
  },
  {
    client: 'claude-code',
    path: '.claude/settings.json',
    text: '// mine\n{}',
    says: /not valid JSON/,
    why: 'a comment, which would be lost',
  },
  { client: 'claude-code', path: '.claude/settings.json', text: '[]', says: /object/, why: 'no settings' },
  {
    client: 'claude-code',
    path: '.claude/settings.json',
    text: `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    says: /nested too deeply/,
    why: 'more levels than can be written again',
  },
  {
    client: 'claude-code',
    path: '.claude/settings.json',
    text: '{"hooks":[]}',
    says: /hooks/,
    why: 'hooks in no form that we know',
  },
  {
    client: 'claude-code',
    path: '.claude/settings.json',
    text: '{"hooks":{"PreToolUse":{}}}',
    says: /PreToolUse/,
    why: 'an event in no form that we know',
  },
  {
    client: 'claude-code',
    path: '.claude/settings.json',
    text: '{"disableAllHooks":true}',
    says: /disableAllHooks/,
    why: 'our hook would never run',
  },
  {
    client: 'claude-code',
    path: '.claude.json',
    text: 'x',
    says: /not valid JSON/,
    why: 'the second file: the first stays too',
  },
  {
    client: 'codex',
    path: '.codex/config.toml',
    text: 'model = "x',
    says: /line 1/,
    why: 'a text that does not end',
  },
  {
    client: 'codex',
    path: '.codex/config.toml',
    text: 'x = """\n',
    says: /never ends/,
    why: 'our tables would be part of it',
  },
  {
    client: 'codex',
    path: '.codex/config.toml',
    text: 'x = [\n1,\n',
    says: /never ends/,
    why: 'a list that does not end',
  },
  { client: 'codex', path: '.codex/config.toml', text: 'what is this\n', says: /line 1/, why: 'no TOML' },
  {
    client: 'codex',
    path: '.codex/config.toml',
    text: '[mcp_servers.sallyport]\n',
    says: /mcp_servers\.sallyport/,
    why: 'a table may stand once',
  },
  {
    client: 'codex',
    path: '.codex/config.toml',
    text: '[features]\nhooks = false # mine\n',
    says: /hooks = false/,
    why: 'our hook would never run',
  },
  { client: 'codex', path: '.codex/hooks.json', text: 'null', says: /object/, why: 'no hooks' },
  {
    client: 'pi',
    path: '.pi/agent/extensions/sallyport.js',
    text: 'mine',
    says: /does not come from us/,
    why: 'theirs',
  },
  {
    client: 'claude-code',
    path: '.claude/settings.json',
    make: (path) => mkdirSync(path),
    says: /not a file/,
    why: 'a folder',
  },
  {
    client: 'claude-code',
    path: '.claude/settings.json',
    make: (path) => symlinkSync('/etc/passwd', path),
    says: /is a link/,
    why: 'it would be written elsewhere',
  },
  {
    client: 'codex',
    path: '.codex/config.toml',
    make: (path) => symlinkSync('nowhere', path),
    says: /is a link/,
    why: 'a link that leads nowhere',
  },
  {
    client: 'claude-code',
    path: '.claude/settings.json',
    make: (path) => {
      writeFileSync(path, '{}');
      chmodSync(path, 0o444);
    },
    says: /may not be written/,
    why: 'somebody meant it',
  },
  {
    client: 'codex',
    path: '.codex/config.toml',
    make: (path) => writeFileSync(path, Buffer.from([0xff, 0xfe])),
    says: /as text/,
    why: 'bytes that could not be put back',
  },
];

test.each(ODD)('$path of $client is left alone: $why', async ({ client, path, text, make, says }) => {
  const home = await openHome(text === undefined ? {} : { [path]: text });
  if (make !== undefined) {
    mkdirSync(dirname(join(home.path, path)), { recursive: true });
    make(join(home.path, path));
  }
  const names = () => readdirSync(home.path, { recursive: true, encoding: 'utf8' }).toSorted();
  const before = names();
  const { code, stderr } = await home.run('install', client, '--yes');
  expect(code).toBe(1);
  expect(stderr).toMatch(says);
  expect(names()).toEqual(before);
  if (text !== undefined) expect(home.read(path)).toBe(text);
});

test('without a gateway there is nothing to install, and it says what to do', async () => {
  const home = await openHome();
  writeFileSync(join(home.path, 'enrollment.secret'), '');
  const { code, stderr } = await runCommand(join(home.path, 'nowhere'), 'install', 'pi', '--yes');
  expect(code).toBe(1);
  expect(stderr).toContain('sallyport start');
});
