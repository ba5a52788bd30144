import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  createTestCa,
  type EchoServer,
  requireEngine,
  startEchoServer,
  type TestCa,
  waitFor,
} from '@sallyport/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openReach, type Reach } from './clients-fixture.ts';
import { proxied } from './proxied.ts';

const curl = requireEngine('curl');
const root = requireEngine('root');
const CLI = resolve(import.meta.dirname, '../../../cli/bin/sallyport.js');
const BIG = randomBytes(5 * 1024 * 1024);

describe('a write that waits for people', () => {
  let ca: TestCa;
  let echo: EchoServer;
  let reach: Reach;
  const open = (more: Parameters<typeof openReach>[0] = {}) => openReach({ ca, ...more });
  beforeAll(async () => {
    ca = await createTestCa();
    echo = await startEchoServer({ ca });
    reach = await open({ network: 'max_spool_bytes: 6000000' });
  });
  afterAll(async () => {
    await reach[Symbol.asyncDispose]();
    await echo.close();
  });
  beforeEach(() => {
    echo.seen.length = 0;
  });
  const post = (body: string | Buffer, more = {}) => proxied(reach, `${echo.url}/write`, { body, ...more });
  const statusOf = async (id: string): Promise<string> =>
    (await reach.gateway.operator(`/v1/approvals/${id}`)).json<{ status: string }>().status;
  const spooled = (): readonly string[] => readdirSync(join(reach.gateway.home, 'spool'));

  test('[AP-1] 5 MB wait until `sallyport approve` in another terminal, and go on with the digest that was shown', async () => {
    const answer = post(BIG);
    const question = await reach.question();
    const shown = /(\d+) bytes, sha256 ([0-9a-f]{64})/.exec(question.preview);
    expect(shown?.[1]).toBe(String(BIG.length));
    expect(echo.seen).toEqual([]);
    const env = { PATH: process.env.PATH, SALLYPORT_HOME: reach.gateway.home };
    const approved = await reach.run(process.execPath, [CLI, 'approve', question.id], { env });
    expect(approved, approved.stderr).toMatchObject({ code: 0 });
    expect(await answer).toMatchObject({ status: 200 });
    expect(echo.seen).toMatchObject([{ bytes: BIG.length, sha256: shown?.[2] }]);
    expect(spooled()).toEqual([]);
  });

  test.skipIf(curl.missing).each(['--http1.1', '--http2'])(
    `curl %s waits with 5 MB, and is carried out as it was shown (${curl.install})`,
    async (flag) => {
      const file = await reach.file('big', BIG);
      const words = ['-sS', flag, '--data-binary', `@${file}`, `${echo.url}/write`];
      const [ran, question] = await Promise.all([reach.run('curl', words), reach.approveNext()]);
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      const { bytes, sha256 } = JSON.parse(ran.stdout);
      expect(question.preview).toContain(`${bytes} bytes, sha256 ${sha256}`);
      expect(echo.seen).toHaveLength(1);
    },
  );

  test('denied: 403, in words that an agent can act on, and the host hears nothing', async () => {
    const answer = post(BIG);
    await reach.decide(await reach.question(), '3');
    const { status, error, headers } = await answer;
    expect([status, headers['x-sallyport-verdict']]).toEqual([403, 'deny']);
    expect(error).toMatchObject({ code: 'ApprovalDenied', action_id: expect.stringMatching(/^act_/) });
    expect(echo.seen).toEqual([]);
  });

  test('an agent that leaves cancels its question, and the host hears nothing', async () => {
    const leaving = new AbortController();
    const answer = post(BIG, { signal: leaving.signal }).catch((error: Error) => error.name);
    const { id } = await reach.question();
    leaving.abort();
    expect(await answer).toBe('AbortError');
    await waitFor('the question to be cancelled', async () => expect(await statusOf(id)).toBe('cancelled'));
    expect(echo.seen).toEqual([]);
    expect(spooled()).toEqual([]);
  });

  test.skipIf(curl.missing)(
    `a killed curl on HTTP/2 cancels its question too (${curl.install})`,
    async () => {
      const leaving = new AbortController();
      const words = ['-sS', '--http2', '-d', 'x', `${echo.url}/write`];
      const ran = reach.run('curl', words, { signal: leaving.signal });
      const { id } = await reach.question();
      leaving.abort();
      await ran;
      await waitFor('the question to be cancelled', async () => expect(await statusOf(id)).toBe('cancelled'));
      expect(echo.seen).toEqual([]);
    },
  );

  test('`Prefer: respond-async` is told where to look, and the same request passes once after consent', async () => {
    const send = () => post('{"async":true}', { headers: { prefer: 'respond-async' } });
    const first = await send();
    expect([first.status, first.headers['x-sallyport-verdict']]).toEqual([202, 'pending']);
    const question = await reach.question();
    expect(first.headers.location).toBe(`/v1/approvals/${question.id}`);
    expect(echo.seen).toEqual([]);
    const state = () => reach.gateway.agent(String(first.headers.location), { token: reach.token });
    expect((await state()).json()).toMatchObject({ status: 'pending' });
    await reach.decide(question, '1');
    expect((await state()).json()).toMatchObject({ status: 'approved' });
    expect((await send()).status).toBe(200);
    expect(echo.seen).toHaveLength(1);
    // Once is once.
    expect((await send()).status).toBe(202);
    await reach.decide(await reach.question(), '3');
    expect(echo.seen).toHaveLength(1);
  });

  test('more than max_spool_bytes is refused with 413 before anyone is asked', async () => {
    const { status, error } = await post(Buffer.alloc(6_000_001));
    expect([status, error?.code]).toEqual([413, 'PayloadTooLarge']);
    expect((await reach.gateway.operator('/v1/approvals?status=pending')).json()).toMatchObject({
      items: [],
    });
    expect(spooled()).toEqual([]);
  });

  test('people who do not answer in time are a 408', async () => {
    await using hasty = await open({ top: 'approvals: { timeout: 1s }' });
    const { status, error } = await proxied(hasty, `${echo.url}/write`, { body: 'x' });
    expect([status, error?.code]).toEqual([408, 'ApprovalTimeout']);
    expect(echo.seen).toEqual([]);
  });

  test('a gateway that stops ends the wait, sends nothing, and does not hang', async () => {
    const stopping = await open();
    const answer = proxied(stopping, `${echo.url}/write`, { body: BIG }).catch((error: Error) => error);
    await stopping.question();
    await stopping[Symbol.asyncDispose]();
    const ended = await answer;
    if (!(ended instanceof Error)) expect(ended.status).toBeGreaterThanOrEqual(400);
    expect(echo.seen).toEqual([]);
  });

  test.skipIf(root.missing)(
    `a full disk refuses with 503, asks nobody and leaves nothing (${root.install})`,
    async () => {
      await using full = await open();
      const spool = join(full.gateway.home, 'spool');
      execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=0700', 'tmpfs', spool]);
      try {
        const { status, error } = await proxied(full, `${echo.url}/write`, { body: BIG });
        expect([status, error?.code]).toEqual([503, 'Unavailable']);
        expect(JSON.stringify(error)).not.toMatch(/ENOSPC|spool\//);
        expect(readdirSync(spool)).toEqual([]);
        expect(echo.seen).toEqual([]);
        expect(await full.eventsOnce('MCPToolEvent::ToolPolicyViolation', 1)).toHaveLength(1);
        expect(full.gateway.log.join('')).toContain('the body could not be kept while people are asked');
        // The gateway goes on: what needs no disk passes.
        expect((await proxied(full, `${echo.url}/read`)).status).toBe(200);
      } finally {
        execFileSync('/bin/umount', ['--lazy', spool]);
      }
    },
  );
});

describe('a session that ends', () => {
  test('[ID-3] while an answer streams cuts it, towards the agent and towards the host', async () => {
    const ca = await createTestCa();
    let closed: Promise<unknown> | undefined;
    await using echo = await startEchoServer({
      ca,
      handler(_request, response) {
        const timer = setInterval(() => (response as NodeJS.WritableStream).write('tick\n'), 10);
        closed = once(response as NodeJS.EventEmitter, 'close').finally(() => clearInterval(timer));
        return true;
      },
    });
    await using reach = await openReach({ ca });
    const begun = Promise.withResolvers<void>();
    const answer = proxied(reach, `${echo.url}/endless`, { onPiece: begun.resolve });
    await begun.promise;
    await reach.gateway.operator(`/v1/sessions/${reach.sessionId}`, { method: 'DELETE' });
    expect(await answer).toMatchObject({ status: 200, isWhole: false });
    await closed;
    const [event] = await reach.eventsOnce('ProxyEvent::RequestAllowed', 1);
    expect(event?.data).toMatchObject({ error: 'AgentLeft' });
  });

  test('[ID-3] while people are asked is an end of the question too', async () => {
    const ca = await createTestCa();
    await using echo = await startEchoServer({ ca });
    await using reach = await openReach({ ca });
    const answer = proxied(reach, `${echo.url}/write`, { body: 'x' }).catch((error: Error) => error);
    const { id } = await reach.question();
    await reach.gateway.operator(`/v1/sessions/${reach.sessionId}`, { method: 'DELETE' });
    const ended = await answer;
    if (!(ended instanceof Error)) expect(ended.status).toBeGreaterThanOrEqual(400);
    const { status } = (await reach.gateway.operator(`/v1/approvals/${id}`)).json<{ status: string }>();
    expect(status).toBe('cancelled');
    expect(echo.begun).toBe(0);
  });
});
