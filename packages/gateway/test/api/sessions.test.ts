import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { FakeClock, startTestGateway, type TestGateway } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const TWO_TENANTS = `
tenants:
  default:
    default_user: ana
    default_agent: helper
    users: { ana: { roles: [owner] }, bob: { roles: [owner] } }
  acme:
    default_user: zoe
    default_agent: helper
    users: { zoe: { roles: [owner] } }
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents: { helper: {}, builder: {} }
sessions: { ttl: 1h, max_live: 3 }
`;

let clock: FakeClock;
let gateway: TestGateway;
beforeEach(async () => {
  clock = new FakeClock();
  gateway = await startTestGateway({ config: TWO_TENANTS, clock });
});
afterEach(() => gateway.close());

interface Listed {
  readonly items: readonly { readonly id: string; readonly tenant: string }[];
  readonly next_cursor: string | null;
}

describe('an agent', () => {
  test('opens a session with the enrollment secret, sees its own facts, renews and ends it', async () => {
    const answer = await gateway.agent('/session/new', {
      json: { tenant_id: 'default', enrollment_secret: gateway.enrollmentSecret },
    });
    expect(answer.status).toBe(201);
    const opened = answer.json<Record<string, unknown>>();
    expect(opened).toEqual({
      session_token: expect.stringMatching(/^spt_[\w-]{43,}$/),
      session_id: expect.stringMatching(/^sess_[0-9a-z]{26}$/),
      ttl_seconds: 3600,
      expires_at: '2026-01-01T01:00:00.000Z',
    });
    const token = String(opened.session_token);

    clock.advance(60_000);
    expect((await gateway.agent('/session', { token })).json()).toEqual({
      session_id: opened.session_id,
      tenant_id: 'default',
      user: 'ana',
      agent: 'helper',
      chain: ['helper'],
      confinement: 'unconfined',
      credentials: [],
      ttl_seconds: 3540,
      expires_at: '2026-01-01T01:00:00.000Z',
    });

    const renewed = await gateway.agent('/session/renew', { token, method: 'POST' });
    expect(renewed.json()).toEqual({
      session_id: opened.session_id,
      ttl_seconds: 3600,
      expires_at: '2026-01-01T01:01:00.000Z',
    });

    expect((await gateway.agent('/session', { token, method: 'DELETE' })).status).toBe(204);
    expect((await gateway.agent('/session', { token })).status).toBe(401);
  });

  test('is out when its time is over', async () => {
    const { session_token: token } = await gateway.openSession();
    clock.advance(3_600_000);
    expect((await gateway.agent('/session', { token })).status).toBe(401);
    expect((await gateway.agent('/session/renew', { token, method: 'POST' })).status).toBe(401);
  });

  test('cannot open more sessions than the tenant may have', async () => {
    for (let i = 0; i < 3; i += 1) await gateway.openSession();
    const answer = await gateway.agent('/session/new', {
      json: { tenant_id: 'default', enrollment_secret: gateway.enrollmentSecret },
    });
    expect(answer.json()).toMatchObject({ error: { code: 'TooManySessions' } });
    expect(answer.status).toBe(429);
  });

  test('cannot tell an unknown tenant from a wrong secret', async () => {
    const answers = await Promise.all(
      [
        { tenant_id: 'default', enrollment_secret: 'spe_wrong' },
        { tenant_id: 'ghost', enrollment_secret: 'spe_wrong' },
        { tenant_id: 'ghost', enrollment_secret: gateway.enrollmentSecret },
        { tenant_id: 'acme', enrollment_secret: gateway.enrollmentSecret },
      ].map((json) => gateway.agent('/session/new', { json })),
    );
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(401);
  });

  test('that guesses secrets is slowed down, and the right secret of another caller still works', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 60; i += 1) {
      const json = { tenant_id: 'default', enrollment_secret: `spe_${i}` };
      statuses.push((await gateway.agent('/session/new', { json })).status);
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('the operator', () => {
  test('opens a session for any user, agent and confinement, and sees the token once', async () => {
    const answer = await gateway.operator('/v1/sessions', {
      json: { tenant: 'default', user: 'bob', agent: 'builder', confinement: 'jailed' },
    });
    expect(answer.status).toBe(201);
    const { session_token: token, session_id: id } = answer.json<Record<string, string>>();
    expect((await gateway.agent('/session', { token: token! })).json()).toMatchObject({
      user: 'bob',
      agent: 'builder',
      confinement: 'jailed',
    });
    const shown = await gateway.operator(`/v1/sessions/${id}`);
    expect(shown.json()).toMatchObject({ id, user: 'bob', ended_at: null });
    expect(shown.text).not.toContain(token);
  });

  test.each([
    { why: 'an unknown tenant', json: { tenant: 'ghost' }, status: 404 },
    { why: 'an unknown user', json: { user: 'ghost' }, status: 403 },
    { why: 'an unknown agent', json: { agent: 'ghost' }, status: 404 },
  ])('cannot open a session for $why', async ({ json, status }) => {
    expect((await gateway.operator('/v1/sessions', { json })).status).toBe(status);
  });

  test('lists sessions page by page, and ends one', async () => {
    for (let i = 0; i < 3; i += 1) await gateway.openSession();
    const first = (await gateway.operator('/v1/sessions?limit=2')).json<Listed>();
    expect(first.items).toHaveLength(2);
    const rest = (await gateway.operator(`/v1/sessions?limit=2&cursor=${first.next_cursor}`)).json<Listed>();
    expect(rest).toMatchObject({ items: [{ tenant: 'default' }], next_cursor: null });

    const id = first.items[0]!.id;
    expect((await gateway.operator(`/v1/sessions/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await gateway.operator('/v1/sessions')).json<Listed>().items).toHaveLength(2);
    expect((await gateway.operator('/v1/sessions?all=true')).json<Listed>().items).toHaveLength(3);
  });
});

describe('[ID-3] a revoked session stops on open connections too', () => {
  /** A request whose head has arrived and was accepted, and whose body is still on its way. */
  async function halfSentRequest(token: string): Promise<Socket> {
    const socket = connect(gateway.ports.api, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `POST /session/renew HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n',
    );
    const [interim] = await once(socket, 'data');
    expect(String(interim)).toContain('100 Continue');
    return socket;
  }

  test.each(['the operator', 'the agent itself', 'the kill switch'])('when %s ends it', async (who) => {
    const { session_token: token, session_id: id } = await gateway.openSession();
    const other = await gateway.openSession();
    const socket = await halfSentRequest(token);
    const bystander = who === 'the kill switch' ? undefined : await halfSentRequest(other.session_token);
    const closed = once(socket, 'close', { signal: AbortSignal.timeout(10_000) });
    if (who === 'the operator') await gateway.operator(`/v1/sessions/${id}`, { method: 'DELETE' });
    else if (who === 'the agent itself') await gateway.agent('/session', { token, method: 'DELETE' });
    else await gateway.killNow();
    await closed;

    if (bystander === undefined) return;
    bystander.write('{}');
    const [answer] = await once(bystander, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 (200|400)/);
    bystander.destroy();
  });

  test('the next request on a kept connection is refused', async () => {
    const { session_token: token, session_id: id } = await gateway.openSession();
    const request = `GET /session HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const socket = connect(gateway.ports.api, '127.0.0.1');
    socket.write(request);
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200/);
    await gateway.operator(`/v1/sessions/${id}`, { method: 'DELETE' });
    socket.write(request);
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 401/);
    socket.destroy();
  });
});
