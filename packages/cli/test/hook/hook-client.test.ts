import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { listenOnFreePort, startTestGateway, type TestGateway, tempDir } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { HOOK_FILE } from '../../src/hook/hook-place.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function hook(
  args: readonly string[],
  input: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [HOOK_FILE, ...args], { env: { HOME: '/', ...env } });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  // It may have heard enough before it has read everything.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

const event = (session = 's1'): string =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: session,
    cwd: '/tmp',
    tool_name: 'bash',
    tool_input: { command: 'ls' },
  });

async function enroll(content: object): Promise<string> {
  const dir = await tempDir();
  onTestFinished(() => dir.remove());
  const file = join(dir.path, 'enrollment.json');
  writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
  return file;
}

const known = (): object => ({ home: gateway.home, tenant: 'default', secret: gateway.enrollmentSecret });
const liveSessions = async (): Promise<readonly { id: string }[]> =>
  (await gateway.operator('/v1/sessions?limit=200')).json<{ items: { id: string }[] }>().items;

describe('a hook outside a jail', () => {
  test('opens one session for each conversation, and keeps its token for the user alone', async () => {
    const file = await enroll(known());
    const before = (await liveSessions()).length;
    for (const session of ['a', 'a', 'b', '../../etc'])
      expect(await hook(['pi', '--enrollment', file], event(session))).toMatchObject({
        code: 0,
        stdout: '{"block":false}\n',
      });
    expect((await liveSessions()).length - before).toBe(3);
    const kept = readdirSync(`${file}.sessions`).toSorted();
    expect(kept).toEqual(['pi-a', 'pi-b', 'pi-none']);
    for (const name of kept) expect(statSync(join(`${file}.sessions`, name)).mode & 0o777).toBe(0o600);
  });

  test('opens another one when its own has ended', async () => {
    const file = await enroll(known());
    await hook(['pi', '--enrollment', file], event());
    const token = readFileSync(join(`${file}.sessions`, 'pi-s1'), 'utf8');
    expect((await gateway.agent('/session', { token, method: 'DELETE' })).status).toBe(204);
    expect((await hook(['pi', '--enrollment', file], event())).code).toBe(0);
    expect(readFileSync(join(`${file}.sessions`, 'pi-s1'), 'utf8')).not.toBe(token);
  });

  test('blocks with a secret that is not valid, and says what to do', async () => {
    const file = await enroll({ ...known(), secret: 'spe_wrong' });
    const { code, stdout, stderr } = await hook(['codex', '--enrollment', file], event());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('sallyport install codex');
  });

  test('[TO-8] blocks without an enrollment, wherever its environment points', async () => {
    for (const api of ['', 'http://192.0.2.1:80', 'http://127.0.0.1.example.com:80', `${gateway.urls.api}/x`])
      expect(await hook(['pi', '--enrollment', '/nowhere'], event(), { SALLYPORT_API: api })).toMatchObject({
        code: 2,
        stdout: '',
      });
    // Outside a jail nobody is anybody without a token.
    const lost = await hook(['pi'], event(), { SALLYPORT_API: gateway.urls.api });
    expect(lost).toMatchObject({ code: 2, stderr: expect.stringContaining('NotAuthenticated') });
  });

  test.each([
    ['nothing', ''],
    ['no JSON', 'PreToolUse'],
    ['two objects', '{}{}'],
    ['JSON that closes ours', '{},"event":{}'],
    ['more than it takes', `"${'x'.repeat(17 * 1024 * 1024)}"`],
  ])('[TO-8] blocks when it is handed %s', async (_name, input) => {
    const file = await enroll(known());
    expect(await hook(['claude-code', '--enrollment', file], input)).toMatchObject({ code: 2, stdout: '' });
  });

  test('[TO-8] blocks for a client that it does not know, and for a wait that is none', async () => {
    const file = await enroll(known());
    expect((await hook(['emacs', '--enrollment', file], event())).code).toBe(2);
    expect((await hook([], event())).code).toBe(2);
    expect((await hook(['pi', '--enrollment', file, '--wait', 'x'], event())).code).toBe(2);
  });
});

describe('whoever answers in the place of the gateway', () => {
  const ok = (body: string): string => `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n${body}`;

  test.each([
    ['hangs up', ''],
    ['speaks something else', 'SSH-2.0-OpenSSH\r\n'],
    ['says no more than 200', ok('')],
    ['gives no decision', ok('{}')],
    ['gives a decision that is none', ok('{"decision":"maybe","output":null}')],
    ['says no without words, which a client would take for a yes', ok('{"decision":"deny","output":null}')],
    ['is broken', 'HTTP/1.1 500 Oops\r\n\r\n{"decision":"allow","output":null}'],
    ['sends it elsewhere', 'HTTP/1.1 302 Found\r\nlocation: /\r\n\r\n'],
  ])('[TO-8] and %s lets nothing run', async (_name, answer) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(answer));
    });
    const port = await listenOnFreePort(server);
    onTestFinished(() => void server.close());
    const ended = await hook(['claude-code'], event(), { SALLYPORT_API: `http://127.0.0.1:${port}` });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('sallyport: ');
  });
});
