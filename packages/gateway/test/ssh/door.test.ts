import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireEngine } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSsh, type SshPlace } from './ssh-fixture.ts';

const needs = requireEngine('bubblewrap', 'ssh');
const audit = requireEngine('ssh-audit');

const GH = `
case "$1" in
  version) env | cut -d= -f1 | sort | tr '\\n' ' '; echo; echo "home: $(ls -A "$HOME")"; echo "cwd: $(ls -A)";;
  status) cat; echo "to stderr" >&2; exit 7;;
  *) for word in "$@"; do printf '<%s>' "$word"; done;;
esac
`;

describe.skipIf(needs.missing)(`the SSH door (${needs.install})`, () => {
  let place: SshPlace;
  beforeAll(async () => {
    place = await openSsh({}, { gh: GH });
  });
  afterAll(() => place[Symbol.asyncDispose]());

  test('runs a read at once, in an empty home and folder, with few variables', async () => {
    const ran = await place.ssh('gh version');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const [variables = '', home, cwd] = ran.stdout.split('\n');
    expect(
      variables
        .trim()
        .split(' ')
        .filter((name) => !/^(?:GH_|GIT_TERMINAL_PROMPT)/.test(name)),
    ).toEqual([
      'HOME',
      'HTTPS_PROXY',
      'HTTP_PROXY',
      'LANG',
      'NO_PROXY',
      'PATH',
      'PWD',
      'TMPDIR',
      'http_proxy',
      'https_proxy',
      'no_proxy',
    ]);
    expect({ home, cwd }).toEqual({ home: 'home: ', cwd: 'cwd: ' });
  });

  test('streams input and both outputs, and ends with the code of the program', async () => {
    const input = 'x'.repeat(300_000);
    expect(await place.ssh('gh status', { input })).toEqual({
      ...{ code: 7, signal: null, stdout: input, stderr: 'to stderr\n' },
    });
  });

  test('[SS-2] what a shell would read as more than words is a word', async () => {
    const line = 'gh search repos \'$(id)\' "a b" ; | && `id` $HOME * > out < in \\; x#y';
    const ran = await place.ssh(line);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toBe(
      '<search><repos><$(id)><a b><;><|><&&><`id`><$HOME><*><><out><<><in><;><x#y>'
        .replace('<><out>', '<>><out>')
        .replace('<<>', '<<>'),
    );
  });

  test.each([
    ['an unknown command', 'nmap 10.0.0.1', 'no command of this door'],
    ['a variable before it', 'LD_PRELOAD=x gh version', 'variables are not taken'],
    ['a path to a program', '/usr/bin/gh version', 'no command of this door'],
    ['an open quote', "gh 'version", 'quote that nothing closes'],
    ['nothing but blanks', '   ', 'empty'],
  ])('refuses %s with one sentence', async (_what, line, sentence) => {
    const ran = await place.ssh(line);
    expect(ran).toMatchObject({ code: 64, stdout: '' });
    expect(ran.stderr).toContain(sentence);
    expect(ran.stderr.trim().split('\n')).toHaveLength(1);
  });

  test.each([
    ['a shell', undefined, [], 'a shell is refused'],
    ['a terminal with a shell', undefined, ['-tt'], 'a shell is refused'],
    ['a subsystem', 'sftp', ['-s'], 'copying files (sftp, scp) is refused'],
    ['another subsystem', 'netconf', ['-s'], 'the subsystem `netconf` is refused'],
  ])('[SS-1] refuses %s by its name', async (_what, command, flags, sentence) => {
    const ran = await place.ssh(command, { flags });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(sentence);
    expect(ran.stdout).toBe('');
  });

  test('[SS-1] refuses every forwarding, of ports, sockets, agents and displays', async () => {
    const failing = ['-o', 'ExitOnForwardFailure=yes'];
    const back = await place.ssh('gh version', { flags: [...failing, '-R', '0:127.0.0.1:22'] });
    expect(back.code).toBe(255);
    const socket = await place.ssh('gh version', { flags: [...failing, '-R', '/tmp/x.sock:/tmp/y.sock'] });
    expect(socket.code).toBe(255);
    // Dialled at once by `-W`, which is the same channel that `-L` and `-D` open.
    const to = await place.ssh(undefined, { flags: ['-W', '127.0.0.1:22'] });
    expect(to.code).not.toBe(0);
    expect(to.stderr).toMatch(/open failed|forwarding failed/);
    const agent = await place.ssh('gh version', { flags: ['-A', '-o', 'ForwardAgent=yes'] });
    expect(agent.stdout).not.toContain('SSH_AUTH_SOCK');
  });

  test('[SS-4] takes languages from the client, and no other variable', async () => {
    const flags = ['-o', 'SendEnv=LC_NAME', '-o', 'SetEnv=LD_PRELOAD=/x AWS_PROFILE=y GIT_DIR=z'];
    const ran = await place.ssh('gh version', { flags });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('LC_NAME');
    expect(ran.stdout).not.toMatch(/LD_PRELOAD|AWS_PROFILE|GIT_DIR/);
  });

  test('knows nobody by a wrong password, and no session that has ended', async () => {
    expect((await place.ssh('gh version', { token: 'sess_wrong' })).code).toBe(255);
    const other = await place.gateway.openSession();
    expect((await place.ssh('gh version', { token: other.session_token })).code).toBe(0);
    await place.gateway.operator(`/v1/sessions/${other.session_id}`, { method: 'DELETE' });
    expect((await place.ssh('gh version', { token: other.session_token })).code).toBe(255);
  });

  test('knows a session by a key that was registered for it, as long as it lives', async () => {
    const key = join(place.dir.path, 'id');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    const flags = ['-i', key, '-o', 'IdentitiesOnly=yes', '-o', 'PreferredAuthentications=publickey'];
    expect((await place.ssh('gh version', { flags })).code).toBe(255);
    const { session_token: token, session_id: id } = await place.gateway.openSession();
    const public_key = readFileSync(`${key}.pub`, 'utf8');
    const answer = await place.gateway.agent('/v1/ssh/keys', { token, json: { public_key } });
    expect(answer.status).toBe(201);
    expect((await place.ssh('gh version', { flags })).code).toBe(0);
    await place.gateway.operator(`/v1/sessions/${id}`, { method: 'DELETE' });
    expect((await place.ssh('gh version', { flags })).code).toBe(255);
  });

  test.each([
    'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQ==',
    'nonsense that is long enough',
    'ssh-ed25519 AAAAB3NzaC1yc2EAAAADAQABAAAAgQDD',
  ])('takes no other line for a key: %s', async (public_key) => {
    const answer = await place.gateway.agent('/v1/ssh/keys', { token: place.token, json: { public_key } });
    expect(answer.status).toBe(422);
  });

  test.skipIf(audit.missing)(`has no fault that ssh-audit finds (${audit.install})`, async () => {
    const { ssh: port } = place.gateway.ports;
    const ran = await place.program('ssh-audit', ['-n', '-p', String(port), '127.0.0.1']);
    expect(ran.stdout).toContain('ssh-ed25519');
    expect(ran.stdout).not.toContain('[fail]');
    expect(ran.stdout).toContain('kex-strict-s-v00@openssh.com');
  });
});
