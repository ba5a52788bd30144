import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { StartedRun } from '@sallyport/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PRESET_NAMES } from '../run-flags.ts';
import { codexConfig } from './codex.ts';
import { withoutKeyLines } from './others.ts';
import { PRESETS } from './presets.ts';

const CANARY = 'canary-4c1f88';
const PLACEHOLDER = 'sp-placeholder-0123456789012345678901234567890123456789';

/** What people have in their homes, secrets included. */
const HOME: Readonly<Record<string, string>> = {
  '.claude/settings.json': JSON.stringify({
    model: 'opus',
    env: { SOME: CANARY },
    apiKeyHelper: `echo ${CANARY}`,
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] },
  }),
  '.claude/.credentials.json': CANARY,
  '.claude.json': JSON.stringify({
    theme: 'light',
    oauthAccount: { accessToken: CANARY },
    projects: { '/x': { history: [CANARY] } },
    mcpServers: { a: { env: { TOKEN: CANARY } } },
  }),
  '.codex/config.toml': `model = "gpt-9"\n[mcp_servers.a]\ncommand = "a"\n[mcp_servers.a.env]\nTOKEN = "${CANARY}"\n[model_providers.x]\nbase_url = "https://models.example"\nexperimental_bearer_token = "${CANARY}"\nhttp_headers = { Authorization = "${CANARY}" }\n`,
  '.codex/auth.json': CANARY,
  '.pi/agent/models.json': JSON.stringify({
    providers: { x: { api: 'anthropic-messages', baseUrl: 'https://models.example', apiKey: CANARY } },
  }),
  '.pi/agent/auth.json': CANARY,
  '.aider.conf.yml': `model: sonnet\nanthropic-api-key: ${CANARY}\napi-key:\n  - openai=${CANARY}\ndark-mode: true\n`,
  '.config/opencode/opencode.json': JSON.stringify({
    theme: 'x',
    provider: { anthropic: { options: { apiKey: CANARY } } },
    mcp: { a: { headers: { Authorization: CANARY } } },
  }),
};

const STARTED: StartedRun = {
  ...{
    kind: 'started',
    session_id: 'sess_x',
    tenant: 'default',
    user: 'ana',
    agent: 'dev',
    confinement: 'jailed',
  },
  ...{ sockets: null, session_token: null, ports: { proxy: 7181, api: 7180 }, ca_file: '/ca.pem' },
  ...{
    env: { ANTHROPIC_API_KEY: PLACEHOLDER, OPENAI_API_KEY: PLACEHOLDER },
    login: 'lent',
    login_token: null,
  },
  asks: [],
  tip: null,
  ...{ snapshot: null, snapshot_problem: null },
};

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sallyport-presets-'));
  for (const [path, text] of Object.entries(HOME)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
});
afterEach(() => rmSync(home, { recursive: true }));

function build(name: string, started: StartedRun = STARTED) {
  const preset = PRESETS.get(name);
  if (preset === undefined) throw new Error(`no preset ${name}`);
  return preset.build({ userHome: home, workspace: '/work here', isRoot: true, caller: {}, started });
}

function fileOf(name: string, path: string): string {
  return String(build(name).files.find((file) => file.path === path)?.content);
}

describe.each([...PRESETS.keys()])('the preset for %s', (name) => {
  test('[CR-1] takes nothing along that is a secret', () => {
    expect(JSON.stringify(build(name))).not.toContain(CANARY);
  });

  test('makes do without any settings', () => {
    rmSync(home, { recursive: true });
    mkdirSync(home);
    // What runs the hook comes from this installation; of the home there is nothing.
    expect(build(name).readOnly.filter((path) => path.startsWith(home))).toEqual([]);
  });
});

test('every name that a flag takes has its preset', () => {
  expect([...PRESETS.keys()]).toEqual([...PRESET_NAMES]);
});

test('Claude Code keeps its settings, trusts the workspace, and takes the placeholder for its key', () => {
  expect(JSON.parse(fileOf('claude', '.claude/settings.json'))).toMatchObject({ model: 'opus' });
  const state = JSON.parse(fileOf('claude', '.claude.json'));
  expect(state).toMatchObject({ theme: 'light', hasCompletedOnboarding: true });
  expect(state.projects).toEqual({
    '/work here': { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true },
  });
  expect(state.customApiKeyResponses.approved).toEqual([PLACEHOLDER.slice(-20)]);
  expect(build('claude').env).toMatchObject({ IS_SANDBOX: '1', DISABLE_TELEMETRY: '1' });
});

test('Codex keeps its model, leaves its own sandbox off, and is logged in with a placeholder', () => {
  const config = fileOf('codex', '.codex/config.toml');
  expect(config).toContain('model = "gpt-9"');
  expect(config).toContain('base_url = "https://models.example"');
  expect(config).toContain('sandbox_mode = "danger-full-access"');
  expect(config).toContain('[projects."/work here"]');
  expect(JSON.parse(fileOf('codex', '.codex/auth.json'))).toEqual({ OPENAI_API_KEY: PLACEHOLDER });
  const login = build('codex', { ...STARTED, login_token: PLACEHOLDER }).files.find(({ path }) =>
    path.endsWith('auth.json'),
  );
  expect(JSON.parse(String(login?.content)).tokens).toMatchObject({ access_token: PLACEHOLDER });
});

test('a person’s own choice of Codex’s sandbox stays', () => {
  const config = codexConfig('sandbox_mode = "read-only"\n', '/w');
  expect(config.match(/sandbox_mode/g)).toHaveLength(1);
  expect(config).toContain('read-only');
});

test('Codex has no search that runs past the gate, unless a person says so', () => {
  expect(codexConfig('', '/w')).toContain('web_search = "disabled"');
  expect(codexConfig('web_search = "cached"\n', '/w').match(/web_search/g)).toHaveLength(1);
});

test('Pi asks with what stands in its environment', () => {
  expect(JSON.parse(fileOf('pi', '.pi/agent/models.json')).providers.x).toEqual({
    ...{ api: 'anthropic-messages', baseUrl: 'https://models.example', apiKey: '$ANTHROPIC_API_KEY' },
  });
});

test('lines of YAML that name keys go, with what is below them', () => {
  expect(withoutKeyLines(HOME['.aider.conf.yml'] ?? '')).toBe('model: sonnet\ndark-mode: true\n');
});

test('OpenCode’s settings may hold comments, and its folders come along', () => {
  const folder = join(home, '.config/opencode');
  mkdirSync(join(folder, 'agents'), { recursive: true });
  writeFileSync(
    join(folder, 'opencode.jsonc'),
    '{ // mine\n "model": "x/y", /* not: "z" */ "theme": "a // b,}", "provider": { "p": { "options": { "apiKey": "sk-1", }, }, },\n}',
  );
  expect(JSON.parse(fileOf('opencode', '.config/opencode/opencode.jsonc'))).toEqual({
    ...{ model: 'x/y', theme: 'a // b,}', provider: { p: { options: {} } } },
  });
  expect(build('opencode').readOnly).toContain(join(folder, 'agents'));
});

test('settings that are nested too deeply to be meant are left out, with and without comments', () => {
  const folder = join(home, '.config/opencode');
  mkdirSync(folder, { recursive: true });
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  for (const name of ['opencode.json', 'opencode.jsonc']) {
    writeFileSync(join(folder, name), `{ // mine\n "model": "x/y", "mcp": ${deep} }`);
    expect(fileOf('opencode', `.config/opencode/${name}`)).toBe('{}');
  }
});
