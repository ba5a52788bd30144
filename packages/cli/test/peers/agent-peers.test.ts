import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claudeHandler } from '../../src/hook/client-hooks.ts';
import { hookPlace } from '../../src/hook/hook-place.ts';
import { openRunFixture, PROGRAM, type RunFixture } from '../run/run-fixture.ts';

const NODE = process.execPath;
const CLI = `${NODE} ${PROGRAM}`;
const SAY = `${NODE} ${join(import.meta.dirname, 'say-on-socket.mjs')}`;

const HAS_SCRIPT = existsSync('/usr/bin/script');
const INSTALL_SCRIPT = 'needs `script`: apt-get install bsdutils';

interface Ran {
  readonly code: number;
  readonly output: string;
}

describe.skipIf(process.platform !== 'linux')('[ID-7] the operator side and processes of agents', () => {
  let fixture: RunFixture;
  beforeAll(async () => {
    fixture = await openRunFixture();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  /** As a person does it: in a shell that no agent started. */
  const shell = (line: string): Promise<Ran> =>
    new Promise((resolve) => {
      execFile(
        '/bin/bash',
        ['-c', line],
        { cwd: fixture.workspace, env: fixture.env() },
        (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
      );
    });
  const unconfined = (line: string): Promise<Ran> =>
    shell(`${CLI} run --unconfined -- bash -c '${line.replaceAll("'", `'\\''`)}'`);
  const hookLine = (): string => {
    const enrollment = join(fixture.userHome, 'enrollment.json');
    const { home, enrollmentSecret: secret } = fixture.gateway;
    writeFileSync(enrollment, JSON.stringify({ home, tenant: 'default', agent: 'dev', secret }), {
      mode: 0o600,
    });
    return claudeHandler(hookPlace(enrollment)).command;
  };
  const client = (line: string): Promise<Ran> => {
    const quoted = [hookLine(), line].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    return shell(`${NODE} ${join(import.meta.dirname, 'client.mjs')} ${quoted}`);
  };
  const places = { 'an unconfined run': unconfined, 'a client with a hook': client };

  test('a person in a shell is answered, by the command line, the socket and the port', async () => {
    expect(await shell(`${CLI} pending`)).toMatchObject({ code: 0 });
    for (const how of ['socket', 'port', 'handed-on'])
      expect((await shell(`${SAY} ${how} | cat`)).output).toBe('said 200 none\n');
  });

  describe.each(Object.entries(places))('in %s', (_name, run) => {
    test.each([
      { why: 'the socket', line: `${SAY} socket` },
      { why: 'the port, with the same token', line: `${SAY} port` },
      { why: 'a shell in a shell', line: `sh -c "sh -c '${SAY} socket'; true"` },
      { why: 'another session of the terminal', line: `setsid -w ${SAY} socket` },
      { why: 'a clean environment', line: `env -i SALLYPORT_HOME="$SALLYPORT_HOME" ${SAY} socket` },
      { why: 'a connection that was handed on', line: `${SAY} handed-on | cat` },
    ])('is refused by $why', async ({ line }) => {
      const { output } = await run(line);
      expect(output).toContain('said 403 NotForAgents');
      expect(output).not.toContain('said 200');
    });

    test('is refused when it writes and leaves, so that nobody can be asked who it was', async () => {
      const answers = async (): Promise<string> =>
        (await fixture.gateway.operator('/metrics')).text
          .split('\n')
          .filter((line) => line.includes('route="/v1/keys"') && line.includes('method="POST"'))
          .join('\n');
      const before = await answers();
      // It stays until the answer is there: an agent that has ended is nobody's.
      const running = run(`${SAY} left; while ! [ -e answered ]; do sleep 0.05; done; rm answered`);
      try {
        await waitUntil('the request to be answered', async () => (await answers()) !== before);
      } finally {
        await shell('touch answered');
        await running;
      }
      const keys = (await fixture.gateway.operator('/v1/keys')).json<{ items: { name: string }[] }>();
      expect(keys.items.map(({ name }) => name)).not.toContain('made-and-left');
    });

    test('the command line says why, and what to do', async () => {
      const { output } = await run(`${CLI} approve appr_x; echo "code $?"`);
      expect(output).toMatch(/started by the agent of session `sess_\w+`, and only people decide/);
      expect(output).toContain('in a terminal that no agent started');
      expect(output).toContain('code 1');
    });

    test('a person elsewhere is answered meanwhile, and in the same shell when the agent is gone', async () => {
      const script = 'touch up; while ! [ -e go ]; do sleep 0.05; done';
      const running = run(script);
      await waitUntil('the jail to be up', async () => (await shell('ls up')).code === 0);
      expect((await shell(`${SAY} socket; ${SAY} port`)).output).toBe('said 200 none\nsaid 200 none\n');
      await shell('touch go');
      await running;
      await shell('rm up go');
      expect((await shell(`${SAY} socket`)).output).toBe('said 200 none\n');
    });
  });

  const daemon = (how: string, before = ''): string =>
    `(${before} setsid bash -c 'sleep 0.2; ${SAY} ${how} >out 2>&1; mv out told' &)`;
  const CLEAN = 'env -i SALLYPORT_HOME="$SALLYPORT_HOME"';
  describe.each(Object.entries(places))('what %s leaves behind', (_name, run) => {
    test.each([
      { why: 'a daemon', line: daemon('socket') },
      { why: 'a daemon, on the port', line: daemon('port') },
      { why: 'a daemon with a clean environment', line: daemon('socket', CLEAN) },
      { why: 'the same, on the port', line: daemon('port', CLEAN) },
      {
        why: 'a daemon of a daemon',
        line: `(setsid bash -c "${daemon('socket', CLEAN).replaceAll('"', '\\"')}" &)`,
      },
    ])('$why is refused as long as it lasts', async ({ line }) => {
      const { output } = await run(`${line}; while ! [ -e told ]; do sleep 0.05; done; cat told; rm told`);
      expect(output).toContain('said 403 NotForAgents');
    });
  });

  test.skipIf(!HAS_SCRIPT)(
    `a daemon with a terminal of its own is told by what its client set (${INSTALL_SCRIPT})`,
    async () => {
      const line = `(CLAUDECODE=1 setsid script -qec '${SAY} socket >out; mv out told' /dev/null >/dev/null 2>&1 &)`;
      const { output } = await client(`${line}; while ! [ -e told ]; do sleep 0.05; done; cat told; rm told`);
      expect(output).toContain('said 403 NotForAgents');
    },
  );

  test.each(['CLAUDECODE', 'CODEX_THREAD_ID', 'PI_CODING_AGENT', 'AI_AGENT'])(
    'a daemon that its client marked with %s is refused after its client, too',
    async (name) => {
      await client(
        `(${name}=1 setsid bash -c 'while ! [ -e gone ]; do sleep 0.05; done; ${SAY} socket >out; ${SAY} port >>out; mv out told' >/dev/null 2>&1 &)`,
      );
      await shell('touch gone; while ! [ -e told ]; do sleep 0.05; done');
      const { output } = await shell('cat told; rm told gone');
      expect(output).toBe('said 403 NotForAgents\nsaid 403 NotForAgents\n');
    },
  );

  test.skipIf(!HAS_SCRIPT)(
    `what a person left behind is answered, if it is older than the client or has a terminal (${INSTALL_SCRIPT})`,
    async () => {
      const waits = `while ! [ -e up ]; do sleep 0.05; done; ${SAY} socket >out; ${SAY} port >>out; mv out older`;
      await shell(`(setsid bash -c '${waits}' >/dev/null 2>&1 &)`);
      const running = client('touch up; while ! [ -e go ]; do sleep 0.05; done');
      const typed = `script -qec '${SAY} socket >out2; ${SAY} port >>out2; mv out2 typed' /dev/null`;
      await shell(`while ! [ -e up ]; do sleep 0.05; done; (setsid ${typed} >/dev/null 2>&1 &)`);
      const { output } = await shell(
        'while ! [ -e older -a -e typed ]; do sleep 0.05; done; cat older typed; rm older typed; touch go',
      );
      await running;
      await shell('rm up go');
      expect(output).toBe('said 200 none\n'.repeat(4));
    },
  );

  test('an unconfined run ends as it did', async () => {
    expect(await unconfined('(true &); exit 5')).toMatchObject({ code: 5 });
  });

  test('a tool server that the gateway started, and what that started, are refused', async () => {
    const { home } = fixture.gateway;
    const told = join(fixture.userHome, 'told');
    const args = JSON.stringify([join(import.meta.dirname, 'nosy-server.mjs'), home, told]);
    const entry = `\n  - { name: nosy, executable: ${JSON.stringify(NODE)}, args: ${args}, sandbox: none }\n`;
    await fixture.gateway.writeConfig(
      `${readFileSync(join(home, 'sallyport.yaml'), 'utf8')}\nmcp_servers:${entry}`,
    );
    await waitUntil('the agent to be told', () => existsSync(told));
    expect(readFileSync(told, 'utf8')).toBe('said 403 NotForAgents\nsaid 403 NotForAgents\n');
  });

  test('a person who tries a hook by hand keeps their shell', async () => {
    const hook = hookLine().replaceAll("'", `'\\''`);
    const typed = `echo '{"tool_name":"Bash","tool_input":{"command":"ls"}}' | sh -c '${hook}' >hooked 2>&1; echo "hook $?"; ${SAY} socket`;
    writeFileSync(join(fixture.workspace, 'typed'), `${typed}\n`);
    expect((await shell('bash --norc <typed')).output).toBe('hook 0\nsaid 200 none\n');
  });

  test('each agent that tried is in the trail, once a minute', async () => {
    const { output } = await unconfined(
      `${SAY} socket; ${SAY} port; ${SAY} socket; echo "id $SALLYPORT_SESSION_ID"`,
    );
    const [, id] = /id (sess_\w+)/.exec(output) ?? [];
    const { items } = (
      await fixture.gateway.operator('/v1/audit/events?type=IdentityEvent::OperatorRefused&limit=200')
    ).json<{
      items: { data: { who: string; via: string } }[];
    }>();
    expect(items.filter(({ data }) => data.who === id).map(({ data }) => data.via)).toEqual(['socket']);
  });

  test('whether the gateway answers is no secret from anyone', async () => {
    const script = `require('http').get({ socketPath: process.env.SALLYPORT_HOME + '/operator.sock', path: '/healthz' }, (answer) => answer.pipe(process.stdout))`;
    const { output } = await unconfined(`${NODE} -e "${script}"`);
    expect(output).toContain('"status":"ok"');
  });
});
