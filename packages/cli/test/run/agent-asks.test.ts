import { execFile } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listenOnFreePort, requireEngine, waitUntil } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CANARIES, openRunFixture, PROGRAM, type RunFixture } from './run-fixture.ts';

const bwrap = requireEngine('bubblewrap', 'curl');

describe.skipIf(bwrap.missing)(`an agent in its jail (${bwrap.install})`, () => {
  let fixture: RunFixture;
  beforeAll(async () => {
    fixture = await openRunFixture({
      tenant: `    credentials:
      model: { kind: bearer, source: "file:$FOLDER/model.key", hosts: [api.anthropic.com] }`,
      agent: '    credentials: [model]',
      // Not even a policy that allows it opens this machine.
      network: '  rules: [{ host: "127.0.0.1", action: allow }]',
    });
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  test('asks before it writes, and goes on after a yes; the run says so', async () => {
    const running = fixture.start([
      '--json',
      '--',
      'curl',
      '-sS',
      '-d',
      'a=1',
      `${fixture.upstream.url}/post`,
    ]);
    const question = await fixture.answer('1');
    expect(question.preview).toContain('/post');
    const ended = await running.ended;
    expect(ended).toMatchObject({ code: 0, stdout: '{"ok":true}' });
    expect(ended.summary()).toMatchObject({ calls: 1, writes: 1, asked: 1, approved: 1, denied: 0 });
    expect(ended.summary().suggestions).toMatchObject([{ setting: 'exceptions', avoids: 1 }]);
  });

  test('is told of a no in words', async () => {
    const running = fixture.start([
      '--json',
      '--',
      'curl',
      '-sS',
      '-X',
      'DELETE',
      `${fixture.upstream.url}/x`,
    ]);
    await fixture.answer('3');
    const ended = await running.ended;
    expect(ended.stdout).toContain('ApprovalDenied');
    expect(ended.summary()).toMatchObject({ asked: 1, approved: 0, denied: 1 });
  });

  test('asks about a new host once: after `2` it reads there without asking', async () => {
    const [first, second] = [`${fixture.upstream.url}/one`, `${fixture.upstream.url}/two`];
    const running = fixture.start(['--json', '--', 'bash', '-c', `curl -sS ${first}; curl -sS ${second}`]);
    await fixture.answer('2');
    const ended = await running.ended;
    expect(ended.stdout).toBe('{"ok":true}{"ok":true}');
    expect(ended.summary()).toMatchObject({ reads: 2, asked: 1, approved: 1 });
    expect(ended.summary().suggestions).toMatchObject([{ setting: 'network.rules' }]);
  });

  test('that leaves takes its questions along', async () => {
    const running = fixture.start(['--', 'curl', '-sS', '-d', 'x', `${fixture.upstream.url}/left`]);
    await waitUntil('the question', async () => (await fixture.pending()).length === 1, {
      unless: running.ended,
    });
    running.process.kill('SIGTERM');
    await running.ended;
    await waitUntil('no question to be left', async () => (await fixture.pending()).length === 0);
    expect(fixture.upstream.requests.map(({ url }) => url)).not.toContain('/left');
  });

  test('[CR-1] [JA-2] finds no secret of its person in environment, files or processes', async () => {
    writeFileSync(join(fixture.workspace, '.env'), `KEY=${CANARIES.env}\n`);
    const ended = await fixture.shell(
      `env; cat .env; find ~ -xdev -type f; ls -la ~/.ssh ~/.aws 2>&1
       grep -rhE 'canary-[a-z-]+-[0-9a-f]{6}' ~ /tmp /run /etc /var "$PWD" 2>/dev/null
       cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n'
       echo "key: $ANTHROPIC_API_KEY"`,
    );
    expect(ended.code).toBe(0);
    for (const canary of Object.values(CANARIES)) expect(ended.stdout, canary).not.toContain(canary);
    expect(ended.stdout).toMatch(/key: sp-placeholder-[0-9a-f]{40}/);
    expect(ended.stdout).not.toContain(fixture.gateway.operatorToken);
  });

  test('[JA-2] has no open descriptor of whoever started it', async () => {
    const script = `exec 30<"$HOME/.ssh" 31<"$HOME/.ssh/id_ed25519"; exec "$0" "$1" run -- bash -c 'ls /proc/self/fd/30/ 2>&1; cat <&31; ls /proc/$$/fd'`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script, process.execPath, PROGRAM], {
      ...{ cwd: fixture.workspace, env: fixture.env() },
    }).catch((error: { stdout: string }) => error);
    expect(stdout).not.toContain('id_ed25519');
    expect(stdout).not.toContain(CANARIES.ssh);
    expect(stdout).toMatch(/^0\n1\n2\n/m);
    expect(stdout).not.toMatch(/^3[01]$/m);
  });

  test('[JA-1] [JA-3] reaches no server of this machine, and writes nothing but its workspace', async () => {
    let visitors = 0;
    const server = createServer((socket) => {
      visitors += 1;
      socket.destroy();
    });
    const port = await listenOnFreePort(server);
    onTestFinished(() => void server.close());
    const { api, operator } = fixture.gateway.ports;
    const ended = await fixture.shell(
      `for port in ${port} ${operator} ${api}; do
         (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null && echo "reached $port"
         curl -sS --noproxy '*' -m 2 http://127.0.0.1:$port/ 2>/dev/null
         curl -sS -m 5 http://127.0.0.1:$port/healthz >/dev/null 2>&1
       done
       echo inside > file-of-the-agent; touch ~/../outside /usr/x /etc/x 2>/dev/null; echo done`,
    );
    expect(ended.stdout).toBe('done\n');
    expect(visitors).toBe(0);
    expect(existsSync(join(fixture.workspace, 'file-of-the-agent'))).toBe(true);
    expect(readdirSync(join(fixture.userHome, '..'))).not.toContain('outside');
  });

  test('[AP-2] [ID-1] [ID-2] cannot approve its own request: by file, port, socket or process', async () => {
    const running = fixture.start([
      '--',
      'bash',
      '-c',
      `curl -sS -d mine ${fixture.upstream.url}/mine >answer.txt & sleep 1.5
       id=$(curl -sS $SALLYPORT_API/session | grep -o 'sess_[0-9a-z]*'); echo "me $id"
       for path in /v1/approvals /v1/approvals?status=pending /v1/grants /v1/runs /v1/sessions /v1/tokens; do
         curl -sS -o /dev/null -w '%{http_code} ' $SALLYPORT_API$path
         curl -sS -o /dev/null -w '%{http_code} ' -X POST -H 'content-type: application/json' -d '{"code":"1"}' $SALLYPORT_API$path
       done; echo
       for port in ${Object.values(fixture.gateway.ports).join(' ')}; do
         curl -sS -m 5 -o /dev/null -w '%{http_code} ' --noproxy '' http://127.0.0.1:$port/v1/approvals
       done; echo
       find / -xdev \\( -name operator.sock -o -name operator.token -o -name sallyport.db -o -name ca.key \\) 2>/dev/null
       find / -type s 2>/dev/null; ls ${fixture.gateway.home} 2>&1
       awk '$4 == "0A" { split($2, part, ":"); print "listens " part[2] }' /proc/net/tcp /proc/net/tcp6
       kill %1`,
    ]);
    const ended = await running.ended;
    expect(ended.stdout).toMatch(/^me sess_/);
    const [, own = '', others = '', ...found] = ended.stdout.split('\n');
    // 401: an API key is asked for, which it does not have; 404 and 405: there is nothing to ask.
    expect(own.trim().split(' ')).toHaveLength(12);
    expect(own).toMatch(/^(?:(?:401|404|405|400) )+$/);
    // The gateway's own listeners are no target of its proxy, whatever anyone says.
    expect(others).toMatch(/^(?:403 )+$/);
    const ports = found.flatMap((line) => /^listens (\w+)$/.exec(line)?.[1] ?? []);
    expect(new Set(ports.map((port) => Number.parseInt(port, 16)))).toEqual(new Set([7180, 7181]));
    // Its own two ways out at most; nothing of the gateway's home.
    for (const path of found.filter((line) => line.startsWith('/')))
      expect(path).toMatch(/^\/\.sallyport\/718[01]\.sock$/);
    expect(fixture.upstream.requests.map(({ url }) => url)).not.toContain('/mine');
    await waitUntil('no question to be left', async () => (await fixture.pending()).length === 0);
  });
});
