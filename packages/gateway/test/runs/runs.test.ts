import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { RunLine, RunSummary, Session, StartedRun } from '@sallyport/protocol';
import { startTestGateway, type TestGateway, tempDir, waitFor } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../../src/index.ts';

interface HeldRun {
  readonly started: StartedRun;
  /** the lines after the first */
  readonly lines: AsyncIterator<RunLine>;
  readonly hangUp: () => void;
}

async function holdRun(gateway: TestGateway, body: object = {}): Promise<HeldRun> {
  const text = JSON.stringify(body);
  const outgoing = request({
    socketPath: gateway.operatorSocket,
    method: 'POST',
    path: '/v1/runs',
    headers: {
      host: 'localhost',
      authorization: `Bearer ${gateway.operatorToken}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    },
  });
  outgoing.on('error', () => {});
  const answer = new Promise<IncomingMessage>((resolve) => outgoing.once('response', resolve));
  outgoing.end(text);
  const response = await answer;
  response.on('error', () => {});
  onTestFinished(() => void outgoing.destroy());
  const lines = parsed(response);
  const first = await lines.next();
  if (first.done === true || first.value.kind !== 'started') throw new Error(JSON.stringify(first.value));
  return { started: first.value, lines, hangUp: () => outgoing.destroy() };
}

async function* parsed(response: IncomingMessage): AsyncGenerator<RunLine> {
  for await (const line of createInterface({ input: response })) yield JSON.parse(line) as RunLine;
}

/** A request on a session's own socket, without a token unless the headers have one. */
async function overSocket(
  socketPath: string,
  path: string,
  options: { method?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent: false,
        socketPath,
        path,
        method: options.method ?? 'GET',
        headers: { host: 'localhost', ...options.headers },
      },
      async (response) => {
        let text = '';
        for await (const chunk of response) text += String(chunk);
        resolve({ status: response.statusCode ?? 0, text });
      },
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}

async function liveSessions(gateway: TestGateway): Promise<readonly Session[]> {
  return (await gateway.operator('/v1/sessions')).json<{ items: Session[] }>().items;
}

async function gone(gateway: TestGateway, started: StartedRun): Promise<void> {
  await waitFor('nothing of the run to be left', async () => {
    expect((await liveSessions(gateway)).map(({ id }) => id)).not.toContain(started.session_id);
    expect(existsSync(join(gateway.home, 'run', started.session_id))).toBe(false);
  });
}

let shared: TestGateway;
beforeAll(async () => {
  shared = await startTestGateway();
});
afterAll(() => shared.close());

describe('[GA-15] the repositories of a run', () => {
  const config = (...names: string[]): string =>
    names.map((name, index) => `[remote "r${index}"]\n\turl = https://github.com/${name}.git\n`).join('');

  test('are what its workspace named as remotes before the agent started, whatever it names later', async () => {
    await using gateway = await startTestGateway();
    await using folder = await tempDir();
    const workspace = folder.path;
    mkdirSync(join(workspace, '.git'));
    writeFileSync(join(workspace, '.git/config'), config('acme/app'));
    const { started } = await holdRun(gateway, { workspace });
    const repositories = async (): Promise<readonly string[] | undefined> =>
      (await liveSessions(gateway)).find(({ id }) => id === started.session_id)?.repositories;
    expect(await repositories()).toEqual(['github.com/acme/app']);
    // As an agent does that wants an exception to hold for another repository.
    writeFileSync(join(workspace, '.git/config'), config('acme/app', 'eve/other'));
    expect(await repositories()).toEqual(['github.com/acme/app']);
  });

  test('are none where the run names no workspace, or one without a repository', async () => {
    await using gateway = await startTestGateway();
    await holdRun(gateway);
    await using folder = await tempDir();
    await holdRun(gateway, { workspace: folder.path });
    await holdRun(gateway, { workspace: 'relative/folder' });
    expect((await liveSessions(gateway)).map(({ repositories }) => repositories)).toEqual([[], [], []]);
  });

  test('are those of the folder that a hook of a client on this machine works in', async () => {
    await using gateway = await startTestGateway();
    await using folder = await tempDir();
    mkdirSync(join(folder.path, '.git'));
    writeFileSync(join(folder.path, '.git/config'), config('acme/app'));
    const answer = await gateway.agent('/session/new', {
      json: {
        tenant_id: 'default',
        enrollment_secret: gateway.enrollmentSecret,
        workspace: folder.path,
      },
    });
    expect(answer.status).toBe(201);
    expect((await liveSessions(gateway)).map(({ repositories }) => repositories)).toEqual([
      ['github.com/acme/app'],
    ]);
  });
});

describe('a run', () => {
  test('is a jailed session whose sockets are its owner’s alone, and hands out no token', async () => {
    const gateway = shared;
    const { started } = await holdRun(gateway);
    expect(started).toMatchObject({
      confinement: 'jailed',
      agent: 'dev',
      session_token: null,
      login: 'none',
    });
    const { sockets } = started;
    if (sockets === null) throw new Error('no sockets');
    expect(statSync(join(gateway.home, 'run', started.session_id)).mode & 0o777).toBe(0o700);
    for (const path of [sockets.proxy, sockets.api]) expect(statSync(path).mode & 0o777).toBe(0o600);
    const own = await overSocket(sockets.api, '/session');
    expect(JSON.parse(own.text)).toMatchObject({ session_id: started.session_id, confinement: 'jailed' });
    expect((await overSocket(sockets.api, '/session/renew', { method: 'POST' })).status).toBe(200);
  });

  test.each([
    ['hanging up', async ({ run }: { run: HeldRun; gateway: TestGateway }) => run.hangUp()],
    [
      'the operator ending its session',
      async ({ run, gateway }: { run: HeldRun; gateway: TestGateway }) =>
        void (await gateway.operator(`/v1/sessions/${run.started.session_id}`, { method: 'DELETE' })),
    ],
    [
      'the agent ending its session',
      async ({ run }: { run: HeldRun; gateway: TestGateway }) =>
        void (await overSocket(run.started.sockets?.api ?? '', '/session', { method: 'DELETE' })),
    ],
  ])('[JA-6] %s ends it: session, sockets and folder are gone', async (_how, end) => {
    const gateway = shared;
    const run = await holdRun(gateway);
    await end({ run, gateway });
    await gone(gateway, run.started);
    await expect(overSocket(run.started.sockets?.api ?? '', '/session')).rejects.toThrow();
  });

  test('says why it ended when somebody else ends it', async () => {
    const gateway = shared;
    const run = await holdRun(gateway);
    await gateway.operator(`/v1/sessions/${run.started.session_id}`, { method: 'DELETE' });
    expect(await run.lines.next()).toMatchObject({
      value: { kind: 'ended', reason: 'ended by the operator' },
    });
  });

  test('ends with the gateway, which waits for no run', async () => {
    const gateway = await startTestGateway();
    const run = await holdRun(gateway);
    const closing = gateway.close();
    expect(await run.lines.next()).toMatchObject({ value: { kind: 'ended', reason: 'the gateway stopped' } });
    await closing;
    expect(existsSync(run.started.sockets?.api ?? '')).toBe(false);
  });

  test('gives a sign of life, and is renewed while it lasts', async () => {
    await using gateway = await startTestGateway({
      heartbeatMs: 20,
      config:
        'sessions: { ttl: 3s }\ntenants: { default: { default_user: ana, default_agent: dev, users: { ana: { roles: [owner] } } } }\nroles: { owner: { allow: ["agent:*"] } }\nagents: { dev: {} }\n',
    });
    const run = await holdRun(gateway);
    expect(await run.lines.next()).toMatchObject({ value: { kind: 'beat' } });
    const before = (await liveSessions(gateway))[0]?.expires_at ?? '';
    await waitFor('a later end of the session', async () =>
      expect(((await liveSessions(gateway))[0]?.expires_at ?? '') > before).toBe(true),
    );
  });

  test('that is ended says what it did, also a second time', async () => {
    const gateway = shared;
    const { started } = await holdRun(gateway);
    const end = () =>
      gateway.operator(`/v1/runs/${started.session_id}/end`, { method: 'POST', json: { exit_code: 3 } });
    const summary = (await end()).json<RunSummary>();
    expect(summary).toMatchObject({ calls: 0, asked: 0, end_reason: 'the agent ended with exit code 3' });
    expect((await end()).json<RunSummary>()).toEqual(summary);
    await gone(gateway, started);
  });
});

describe('inside a jail', () => {
  test('[ID-1] [AP-2] no operator route exists on a session’s socket, with whatever token', async () => {
    const gateway = shared;
    const { started } = await holdRun(gateway);
    const api = started.sockets?.api ?? '';
    const operatorPaths = ['/v1/status', '/v1/sessions', '/v1/runs', '/v1/grants', '/v1/events', '/v1/ca'];
    for (const path of operatorPaths) {
      for (const headers of [{}, { authorization: `Bearer ${gateway.operatorToken}` }]) {
        expect((await overSocket(api, path, { headers })).status, path).toBe(404);
      }
    }
    const decide = await overSocket(api, '/v1/approvals/appr_x/decision', { method: 'POST' });
    expect(decide.status).toBe(404);
  });

  test('[ID-2] a connection speaks for its own session, not for one whose token was found', async () => {
    const gateway = shared;
    const { started } = await holdRun(gateway);
    const other = await gateway.openSession();
    const headers = { authorization: `Bearer ${other.session_token}` };
    expect((await overSocket(started.sockets?.api ?? '', '/session', { headers })).status).toBe(401);
  });

  test('[ID-2] the operator side takes no request without its token on its own socket', async () => {
    const gateway = shared;
    expect((await overSocket(gateway.operatorSocket, '/v1/runs', { method: 'POST' })).status).toBe(401);
  });
});

test('an unconfined run gets a token for the doors on this machine, and no sockets', async () => {
  const gateway = shared;
  const { started } = await holdRun(gateway, { confinement: 'unconfined' });
  expect(started.sockets).toBeNull();
  expect(started.ports).toEqual({ proxy: gateway.ports.proxy, api: gateway.ports.api });
  const own = await gateway.agent('/session', { token: started.session_token ?? '' });
  expect(own.json()).toMatchObject({ confinement: 'unconfined' });
});

test.each([
  [{ agent: 'nobody' }, 404, 'there is no agent `nobody`'],
  [{ tenant: 'nowhere' }, 404, 'there is no tenant `nowhere`'],
] as [{ agent?: string }, number, string][])('a run for %o is refused', async (body, status, message) => {
  const gateway = shared;
  const answer = await gateway.operator('/v1/runs', { method: 'POST', json: body });
  expect(answer.status).toBe(status);
  expect(answer.text).toContain(message);
});

test('[JA-6] what a gateway that died left behind is gone at the next start, its sessions too', async () => {
  const dir = await tempDir();
  onTestFinished(dir.remove);
  const options = {
    ...{
      home: dir.path,
      ports: { api: 0, proxy: 0, ssh: 0, operator: 0 },
      ownsProcess: false,
      env: { USER: 'tester' },
    },
    log: { write: () => {} },
  };
  const first = await startGateway(options);
  const token = readFileSync(first.home.operatorToken, 'utf8').trim();
  const opened = await fetch(`${first.urls.operator}/v1/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"confinement":"jailed"}',
  });
  const { session_id: id } = (await opened.json()) as { session_id: string };
  await first.close();
  mkdirSync(join(dir.path, 'run', id), { recursive: true });
  writeFileSync(join(dir.path, 'run', id, 'p'), '');
  const second = await startGateway(options);
  onTestFinished(() => second.close());
  const session = await fetch(`${second.urls.operator}/v1/sessions/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await session.json()).toMatchObject({ end_reason: 'the gateway died' });
  expect(existsSync(join(dir.path, 'run')) ? readdirSync(join(dir.path, 'run')) : []).toEqual([]);
});
