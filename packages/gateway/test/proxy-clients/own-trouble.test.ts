import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestCa, FakeClock, startEchoServer } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { openReach } from './clients-fixture.ts';
import { proxied } from './proxied.ts';

const DAY_MS = 86_400_000;
const CA_LIFE_MS = 730 * DAY_MS;

describe.concurrent('when something on this side is wrong', () => {
  test.each([
    { why: 'hangs', script: 'echo half-a-secret; sleep 600' },
    {
      why: 'prints what no header can carry',
      script: 'printf "half-a-secret\\r\\nX-Evil: 1"',
    },
    { why: 'fails and repeats the secret', script: 'echo half-a-secret >&2; exit 3' },
  ])(
    '[CR-1] a source that $why: a plain 502 for the agent, the reason for the operator, nothing sent',
    async ({ script }) => {
      const ca = await createTestCa();
      await using echo = await startEchoServer({ ca });
      await using reach = await openReach({
        ca,
        agent: '{ permissions: ["allow:*"], credentials: [main] }',
        tenant: `
sources: { script: { read: "sh {key}" } }
credentials: { main: { kind: bearer, source: "script:read.sh", hosts: [localhost] } }`,
        top: 'routes: [{ host: localhost, credential: main }]',
      });
      await writeFile(join(reach.gateway.home, 'read.sh'), script);
      const answer = await proxied(reach, `${echo.url}/x`);
      expect([answer.status, answer.error?.code]).toEqual([502, 'CredentialUnavailable']);
      expect(answer.text).not.toMatch(/half-a-secret|read\.sh|exit/);
      expect(echo.begun).toBe(0);
      const [failed] = await reach.eventsOnce('CredentialEvent::Failed', 1);
      expect(failed?.data).toMatchObject({ credential: 'main' });
      expect(JSON.stringify([failed, reach.gateway.log])).not.toContain('half-a-secret');
      expect(await reach.eventsOnce('ProxyEvent::RequestAllowed', 1)).toMatchObject([
        { data: { status: 502, error: 'CredentialUnavailable' } },
      ]);
    },
  );

  test('an authority near its end goes on, and is told; after its end HTTPS is refused and plain HTTP is not', async () => {
    const ca = await createTestCa();
    await using echo = await startEchoServer({ ca });
    const clock = new FakeClock(Date.now() - CA_LIFE_MS + 10 * DAY_MS);
    await using reach = await openReach({ ca, clock, top: 'sessions: { ttl: 30d }' });
    clock.advance(CA_LIFE_MS - 10 * DAY_MS);
    const state = async () => (await reach.gateway.operator('/v1/ca')).json<{ state: string }>().state;
    const token = async () => (await reach.gateway.openSession('dev')).session_token;
    expect(await state()).toBe('expiring');
    expect((await proxied(reach, `${echo.url}/x`, { token: await token() })).status).toBe(200);

    clock.advance(11 * DAY_MS);
    expect(await state()).toBe('expired');
    const late = await token();
    expect((await proxied(reach, `${echo.url}/x`, { token: late })).status).toBe(500);
    expect(await reach.eventsOnce('ProxyEvent::RequestBlocked', 1)).toMatchObject([
      { data: { code: 'AuthorityUnusable', host: 'localhost' } },
    ]);
    expect(echo.begun).toBe(1);
    const plain = await proxied(reach, 'http://127.0.0.1:1/', { token: late });
    expect(plain.error).toMatchObject({ code: 'UpstreamUnreachable' });
  });

  test.each([
    { why: 'forward beyond the life of a session', by: 400 * DAY_MS, status: 407 },
    { why: 'back', by: -DAY_MS, status: 200 },
  ])('a clock that jumps $why neither crashes nor hangs', async ({ by, status }) => {
    const ca = await createTestCa();
    await using echo = await startEchoServer({ ca });
    const clock = new FakeClock(Date.now());
    await using reach = await openReach({ ca, clock });
    expect((await proxied(reach, `${echo.url}/x`)).status).toBe(200);
    clock.advance(by);
    expect((await proxied(reach, `${echo.url}/x`)).status).toBe(status);
    clock.advance(-by);
    // A session that was over may have been ended for good by then.
    const { session_token: token } = await reach.gateway.openSession('dev');
    expect((await proxied(reach, `${echo.url}/x`, { token })).status).toBe(200);
  });
});
