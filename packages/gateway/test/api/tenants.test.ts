import { startTestGateway, type TestGateway } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const CONFIG = `
tenants:
  default:
    default_user: ana
    default_agent: helper
    users: { ana: { roles: [owner] } }
  acme:
    default_user: zoe
    default_agent: helper
    users: { zoe: { roles: [owner] } }
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents: { helper: {} }
`;

let gateway: TestGateway;
const tokens: Record<string, string> = {};
const secrets: Record<string, string> = {};
beforeAll(async () => {
  gateway = await startTestGateway({ config: CONFIG });
  for (const tenant of ['default', 'acme']) {
    const made = await gateway.operator('/v1/enrollment', { json: { tenant } });
    secrets[tenant] = made.json<{ enrollment_secret: string }>().enrollment_secret;
    const opened = await gateway.agent('/session/new', {
      json: { tenant_id: tenant, enrollment_secret: secrets[tenant] },
    });
    tokens[tenant] = opened.json<{ session_token: string }>().session_token;
    await gateway.operator('/v1/keys', { json: { tenant, name: `key of ${tenant}` } });
  }
});
afterAll(() => gateway.close());

describe('[ID-4] one tenant never sees another', () => {
  test.each(['default', 'acme'])('a session of %s sees itself only', async (tenant) => {
    const answer = await gateway.agent('/session', { token: tokens[tenant]! });
    expect(answer.json()).toMatchObject({ tenant_id: tenant });
  });

  test('the enrollment secret of one tenant opens nothing in another', async () => {
    const answer = await gateway.agent('/session/new', {
      json: { tenant_id: 'acme', enrollment_secret: secrets.default },
    });
    expect(answer.status).toBe(401);
  });

  test.each([
    { list: '/v1/sessions', own: 1 },
    { list: '/v1/keys', own: 1 },
    { list: '/v1/audit/events', own: 2 },
  ])('$list for one tenant holds nothing of another', async ({ list, own }) => {
    const { items } = (await gateway.operator(`${list}?tenant=acme`)).json<{ items: { tenant: string }[] }>();
    expect(items.length).toBeGreaterThanOrEqual(own);
    expect(new Set(items.map((item) => item.tenant))).toEqual(new Set(['acme']));
  });

  test('a cursor of one tenant does not open the list of another', async () => {
    const all = (await gateway.operator('/v1/audit/events?tenant=default&limit=1')).json<{
      next_cursor: string;
    }>();
    const page = await gateway.operator(`/v1/audit/events?tenant=acme&cursor=${all.next_cursor}`);
    if (page.status !== 200) expect(page.status).toBe(400);
    else
      expect(
        page.json<{ items: { tenant: string }[] }>().items.filter((item) => item.tenant !== 'acme'),
      ).toEqual([]);
  });

  test('an export of one tenant holds nothing of another', async () => {
    const { text } = await gateway.operator('/v1/audit/export?tenant=acme');
    const lines = text.trim().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    expect(new Set(lines.map((line) => JSON.parse(line).tenant))).toEqual(new Set(['acme']));
  });

  test('a secret for one agent opens no other', async () => {
    const made = await gateway.operator('/v1/enrollment', { json: { tenant: 'acme', agent: 'helper' } });
    const { enrollment_secret } = made.json<{ enrollment_secret: string }>();
    const wrong = await gateway.agent('/session/new', {
      json: { tenant_id: 'acme', enrollment_secret, agent: 'builder' },
    });
    expect(wrong.status).toBe(401);
    const right = await gateway.agent('/session/new', {
      json: { tenant_id: 'acme', enrollment_secret, agent: 'helper' },
    });
    expect(right.status).toBe(201);
  });
});
