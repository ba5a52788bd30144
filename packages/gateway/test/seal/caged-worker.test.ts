import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@sallyport/protocol';
import { requireEngine, waitUntil } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Cage, type CagedWorker } from './caged-fixture.ts';

const bwrap = requireEngine('bubblewrap');

describe.skipIf(bwrap.missing)(`our worker in a jail (bubblewrap: ${bwrap.install})`, () => {
  let cage: Cage;
  let session: string;
  let worker: CagedWorker;

  beforeAll(async () => {
    cage = await Cage.open();
    session = await cage.openSession();
    worker = await cage.worker(session);
  });
  afterAll(() => cage[Symbol.asyncDispose]());

  const output = ({ metadata, ...answer }: JsonObject): JsonObject =>
    ((metadata as JsonObject | undefined)?.structured_content ?? answer) as JsonObject;

  test('files on the host, a tool of an MCP server, and a command in the jail: one worker, three paths', async () => {
    const path = join(cage.workspace, 'notes.md');
    expect(await worker.call('fs.write', { path, content: 'hello' })).toMatchObject({
      ...{ type: 'tool_result', is_error: false, metadata: { structured_content: { bytes_written: 5 } } },
    });
    expect(readFileSync(path, 'utf8')).toBe('hello');
    // What the gateway wrote is there for the command at once, and the other way round.
    const ran = await worker.run(`cat notes.md && echo more >> notes.md`);
    expect(ran).toMatchObject({ type: 'tool_result', is_error: false });
    expect(output(ran)).toMatchObject({ exit_code: 0, stdout: 'hello', stderr: '', truncated: false });
    expect(await worker.call('fs.read', { path })).toMatchObject({ content: 'hellomore\n' });
    await waitUntil(
      'the tool of the MCP server',
      async () => (await worker.call('mcp:fix/test_simple_text', {})).type === 'tool_result',
    );
  });

  test('what policy refuses is refused inside, with its violation', async () => {
    const strict = await cage.worker(await cage.openSession('strict'));
    const refused: readonly [string, JsonObject, string][] = [
      ['cmd.run', { command: 'git', args: ['push'] }, 'SubcommandNotAllowed'],
      ['cmd.run', { command: 'curl', args: ['https://x.example'] }, 'CommandNotAllowed'],
      ['fs.read', { path: '/etc/passwd' }, 'PathOutsideBoundary'],
      ['fs.read', { path: `${cage.workspace}/../x` }, 'PathTraversalAttempt'],
      ['no.such', {}, 'ToolNotAllowed'],
    ];
    for (const [tool, input, violation] of refused)
      expect(await strict.call(tool, input)).toMatchObject({ type: 'refused', violation });
  });

  describe('[TO-7] in the namespace of a command the worker does not exist', () => {
    test.each([
      {
        why: 'no process but its own',
        script: 'ls /proc | grep -c "^[0-9]"; grep -l boot[s]trap /proc/[0-9]*/cmdline',
        says: /^[1-5]\n$/,
      },
      {
        why: 'no memory of another',
        script:
          'cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n" | grep -c SECRET; ls /proc/2/mem /proc/9/mem',
        says: /^0\n/,
      },
      { why: 'no capability', script: 'grep CapEff /proc/self/status', says: /^CapEff:\s+0{16}\n$/ },
      { why: 'no mounts', script: 'mount -t tmpfs none /tmp && echo mounted', says: /^$/ },
      {
        why: 'no namespaces',
        script: 'unshare -U true && echo made; unshare -m true && echo made',
        says: /^$/,
      },
      { why: 'no kernel settings', script: 'echo x > /proc/sys/kernel/hostname && echo set', says: /^$/ },
      { why: 'no kill of what it cannot see', script: 'kill -9 -1; echo after', says: /^(after\n)?$/ },
    ])('$why', async ({ script, says }) => {
      const { stdout } = output(await worker.run(script));
      expect(stdout).toMatch(says);
      // Whatever it tried, the worker lives.
      expect(output(await worker.run('echo alive'))).toMatchObject({ stdout: 'alive\n' });
    });
  });

  test('too much output ends the command: what came before, marked and named', async () => {
    const answer = await worker.run('yes');
    expect(answer).toMatchObject({ type: 'tool_result', is_error: true });
    const { stdout, ...rest } = output(answer);
    expect(rest).toMatchObject({ truncated: true, violation: 'OutputSizeLimitExceeded', exit_code: 137 });
    expect(String(stdout).length).toBe(1024 * 1024);
  });

  test('a command that takes too long is killed with everything that it started', async () => {
    const mark = join(cage.workspace, 'late');
    const answer = await worker.run(`(trap "" TERM HUP; sleep 3; touch late) & sleep 60`, {
      timeout_secs: 1,
    });
    expect(output(answer)).toMatchObject({ violation: 'CommandTimeout', exit_code: 137 });
    // The child would have written by the time that another command has slept longer.
    await worker.run('sleep 3');
    expect(existsSync(mark)).toBe(false);
  });

  test.each([
    {
      input: { command: 'echo', args: ['$(id)', ';', '"x"'] },
      says: { exit_code: 0, stdout: '$(id) ; "x"\n' },
    },
    { input: { command: 'sh', args: ['-c', 'exit 7'] }, says: { exit_code: 7 } },
    { input: { command: 'sh', args: ['-c', 'kill -9 $$'] }, says: { exit_code: 137 } },
    { input: { command: 'sh', args: ['-c', 'no-such-program'] }, says: { exit_code: 127 } },
    { input: { command: 'sh', args: ['-c', 'pwd'], cwd: '/tmp' }, says: { stdout: '/tmp\n' } },
  ])('how a command ends is told as it was: $input', async ({ input, says }) => {
    expect(output(await worker.call('cmd.run', input))).toMatchObject(says);
  });

  test('several commands at once', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((n) => worker.run(`sleep 0.${n}; echo ${n}`)));
    expect(answers.map((answer) => output(answer).stdout)).toEqual(['1\n', '2\n', '3\n', '4\n']);
  });

  test('kill -9 of the worker in the middle of a command: a clear end, and a new one goes on', async () => {
    const own = await cage.worker(session);
    const started = join(cage.workspace, 'started');
    const call = own.run('touch started; sleep 60');
    await waitUntil('the command to start', () => existsSync(started), { unless: call });
    await own.kill();
    expect((await call).type).toBe('gone');
    const next = await cage.worker(session, own.workload.execution_id);
    expect(next.workload.execution_id).toBe(own.workload.execution_id);
    const isTold = async (): Promise<boolean> =>
      (await cage.events('CommandExecutionEvent::CommandExecutionFailed')).some(
        ({ data }) => data.violation === 'WorkerLost',
      );
    await waitUntil('the lost worker in the trail', isTold);
    expect(output(await next.run('echo on'))).toMatchObject({ stdout: 'on\n' });
  });

  test('a gateway that is restarted: the worker attests again by itself, and its next call works', async () => {
    writeFileSync(join(cage.workspace, 'kept'), 'kept');
    await cage.stopGateway();
    // Sent while nobody listens: it waits.
    const call = worker.run('cat kept');
    await cage.startGateway();
    expect(output(await call)).toMatchObject({ stdout: 'kept' });
    const attested = await cage.events('SealEvent::WorkloadAttested');
    const own = attested.filter(({ data }) => data.workload === worker.workload.workload_id);
    expect(own).toHaveLength(2);
  });

  test('when its session ends, so do its rights', async () => {
    const own = await cage.openSession();
    const other = await cage.worker(own);
    await cage.end(own);
    expect(await other.run('echo no')).toMatchObject({ type: 'failed', code: 'AttestationRefused' });
  });
});
