import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { startTestGateway, type TestGateway, tempDir } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../src/commands/program.ts';
import { runCommand } from './run-command.ts';

const CANARY = 'canary-2718281828459';
const CONFIG = `# who may do what
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents:
  dev: { description: helps } # the first agent
tenants:
  default:
    users: { ana: { roles: [owner] } }
    default_user: ana
    default_agent: dev
    credentials:
      api: { kind: bearer, source: "env:API", hosts: [api.example.com], risk: low }
`;

/** A command whose value is piped in. */
async function typed(home: string, value: string, ...argv: string[]) {
  let out = '';
  const sink = () =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        out += chunk.toString();
        done();
      },
    });
  const code = await runCli({
    argv,
    env: { SALLYPORT_HOME: home, HOME: home },
    streams: { stdout: sink(), stderr: sink(), stdin: Readable.from([value]) },
    signal: AbortSignal.timeout(60_000),
  });
  return { code, out };
}

describe('with a gateway', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ config: CONFIG, env: { API: CANARY } });
  });
  afterAll(() => gateway.close());

  test('credentials are listed and checked, never shown', async () => {
    const list = await runCommand(gateway.home, 'credentials', 'list');
    expect(list.code).toBe(0);
    expect(list.stdout).toMatch(
      /^CREDENTIAL +KIND +TENANT +RISK +STATE +SOURCE\napi +bearer +default +low +unread +env:API\n$/,
    );
    const check = await runCommand(gateway.home, 'credentials', 'check', '--json');
    expect(check.json<{ items: unknown[] }>().items).toMatchObject([{ name: 'api', state: 'ready' }]);
    for (const { stdout, stderr } of [list, check]) expect(stdout + stderr).not.toContain(CANARY);
  });

  test('[CR-1] one that is added is read from a file of its own, works at once, and its value is nowhere else', async () => {
    const config = join(gateway.home, 'sallyport.yaml');
    const added = await typed(
      gateway.home,
      `${CANARY}-added\n`,
      ...['credentials', 'add', 'internal:key', '--kind', 'header', '--set', 'name=X-Api-Key'],
      ...['--host', 'api.example.com', '--agent', 'dev', '--risk', 'high'],
    );
    expect(added).toMatchObject({ code: 0 });
    expect(added.out).not.toContain(CANARY);
    const text = readFileSync(config, 'utf8');
    expect(text).not.toContain(CANARY);
    expect(text).toContain('# who may do what');
    expect(text).toContain('# the first agent');
    expect(text).toContain('dev: { description: helps, credentials: ["internal:key"] } # the first agent');
    const file = join(gateway.home, 'secrets/default.internal.key.secret');
    expect(readFileSync(file, 'utf8')).toBe(`${CANARY}-added\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(gateway.home, 'secrets')).mode & 0o777).toBe(0o700);
    expect((await gateway.operator('/v1/config/reload', { method: 'POST' })).status).toBe(200);
    const check = await runCommand(gateway.home, 'credentials', 'check', 'internal:key');
    expect(check).toMatchObject({ code: 0 });
    expect(check.stdout).toMatch(/internal:key +header +default +high +ready/);
  });

  test('rotated it has another value at once, removed it leaves the file as it was before', async () => {
    const config = join(gateway.home, 'sallyport.yaml');
    const before = readFileSync(config, 'utf8');
    const add = [
      'credentials',
      'add',
      'web:key',
      '--kind',
      'bearer',
      '--host',
      'x.example',
      '--agent',
      'dev',
    ];
    expect(await typed(gateway.home, 'one', ...add)).toMatchObject({ code: 0 });
    const rotated = await typed(gateway.home, `${CANARY}-two`, 'credentials', 'rotate', 'web:key');
    expect(rotated).toMatchObject({ code: 0 });
    expect(rotated.out).not.toContain(CANARY);
    const file = join(gateway.home, 'secrets/default.web.key.secret');
    expect(readFileSync(file, 'utf8').trim()).toBe(`${CANARY}-two`);
    const removed = await runCommand(gateway.home, 'credentials', 'remove', 'web:key');
    expect(removed.stdout).toContain('agents without it now: dev');
    expect(existsSync(file)).toBe(false);
    expect(readFileSync(config, 'utf8')).toBe(before);
  });

  test('what is kept elsewhere is not rotated from here, and what is needed is not removed', async () => {
    const elsewhere = await typed(gateway.home, 'x', 'credentials', 'rotate', 'api');
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.out).toContain('`api` is kept in `env:API`, where nothing is written from here');
    expect((await runCommand(gateway.home, 'credentials', 'remove', 'none')).stderr).toContain(
      'there is no credential `none` in this file',
    );
  });

  test('a failing one is told with its reason, and exit code 1', async () => {
    const added = await typed(
      gateway.home,
      '',
      ...['credentials', 'add', 'gone', '--kind', 'slack', '--source', 'env:GONE'],
    );
    expect(added).toMatchObject({ code: 0 });
    await gateway.operator('/v1/config/reload', { method: 'POST' });
    const refresh = await runCommand(gateway.home, 'credentials', 'refresh', 'gone');
    expect(refresh.code).toBe(1);
    expect(refresh.stdout).toContain('variable `GONE` is not set');
    expect((await runCommand(gateway.home, 'credentials', 'check', 'nope')).code).toBe(1);
  });
});

describe('adding what is not right changes nothing', () => {
  test.each([
    {
      argv: ['api', '--kind', 'bearer', '--host', 'x.example'],
      says: 'already',
      why: 'a name that is taken',
    },
    { argv: ['x', '--kind', 'bearer'], says: 'hosts', why: 'no hosts' },
    { argv: ['x', '--kind', 'nope', '--host', 'x.example'], says: 'nope', why: 'no such kind' },
    { argv: ['x', '--kind', 'slack', '--agent', 'nobody'], says: 'no agent `nobody`', why: 'no such agent' },
    { argv: ['x', '--kind', 'slack', '--tenant', 'none'], says: 'no tenant `none`', why: 'no such tenant' },
    {
      argv: ['x', '--kind', 'slack', '--source', CANARY],
      says: 'not written in the config',
      why: 'a pasted secret',
    },
    { argv: ['x', '--kind', 'slack', '--set', 'nope'], says: 'key=value', why: 'no pair' },
    { argv: ['../x', '--kind', 'slack'], says: 'is named like', why: 'a name that climbs' },
  ])('$why', async ({ argv, says }) => {
    await using dir = await tempDir();
    const file = join(dir.path, 'sallyport.yaml');
    writeFileSync(file, CONFIG, { mode: 0o600 });
    const { code, out } = await typed(dir.path, CANARY, 'credentials', 'add', ...argv);
    expect({ code, says: out.includes(says) ? says : out }).toEqual({ code: 1, says });
    expect(out).not.toContain(CANARY);
    expect(readFileSync(file, 'utf8')).toBe(CONFIG);
    expect(existsSync(join(dir.path, 'secrets'))).toBe(false);
  });

  test('an empty value', async () => {
    await using dir = await tempDir();
    const file = join(dir.path, 'sallyport.yaml');
    writeFileSync(file, CONFIG, { mode: 0o600 });
    const { code } = await typed(dir.path, '\n', 'credentials', 'add', 'x', '--kind', 'slack');
    expect(code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(CONFIG);
  });

  test('a login of a client needs no value', async () => {
    await using dir = await tempDir();
    const file = join(dir.path, 'sallyport.yaml');
    writeFileSync(file, CONFIG, { mode: 0o600 });
    const argv = ['credentials', 'add', 'claude', '--kind', 'client_login', '--set', 'client=claude-code'];
    expect(await typed(dir.path, '', ...argv, '--json')).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toContain('claude: { kind: client_login, client: claude-code }');
  });
});

test('help has examples, and completion knows the words', async () => {
  await using dir = await tempDir();
  for (const word of ['list', 'check', 'refresh', 'add']) {
    const { code, stdout } = await runCommand(dir.path, 'credentials', word, '--help');
    expect({ code, example: /Examples?:\n/.test(stdout) }).toEqual({ code: 0, example: true });
  }
  const { stdout } = await runCommand(dir.path, 'completion', 'bash');
  expect(stdout).toContain("'credentials') words='list check refresh add");
  expect((await runCommand(dir.path, 'credentials', 'add', 'x')).code).toBe(2);
});
