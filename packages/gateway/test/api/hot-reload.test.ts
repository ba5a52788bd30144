import { setTimeout as delay } from 'node:timers/promises';
import { startTestGateway, type TestGateway, waitFor } from '@sallyport/testkit';
import { Pool } from 'undici';
import { afterEach, beforeEach, expect, test } from 'vitest';

const GOOD = (max: number) => `
tenants:
  default:
    default_user: ana
    default_agent: helper
    users: { ana: { roles: [owner] } }
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents: { helper: {} }
sessions: { max_live: ${max} }
`;

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway({ config: GOOD(10) });
});
afterEach(() => gateway.close());

interface ConfigAnswer {
  readonly revision: string;
  readonly rejected: { readonly message: string } | null;
}

async function configInForce(): Promise<ConfigAnswer> {
  return (await gateway.operator('/v1/config')).json<ConfigAnswer>();
}

test('a change is in force at once, under load, and no request fails', async () => {
  const { session_token } = await gateway.openSession();
  const pool = new Pool(gateway.urls.api, { connections: 10 });
  const statuses = new Map<number, number>();
  let going = true;
  const load = (async () => {
    const calls: Promise<void>[] = [];
    const began = performance.now();
    while (going) {
      // 500 a second, whatever the timer does
      while (calls.length < (performance.now() - began) / 2) {
        calls.push(
          pool
            .request({
              path: '/session',
              method: 'GET',
              headers: { authorization: `Bearer ${session_token}` },
            })
            .then(async ({ statusCode, body }) => {
              await body.dump();
              statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
            }),
        );
      }
      await delay(10);
    }
    await Promise.all(calls);
    return calls.length;
  })();

  const revisions = new Set([(await configInForce()).revision]);
  for (let round = 1; round <= 5; round += 1) {
    await gateway.writeConfig(GOOD(10 + round));
    await waitFor('a new revision of the config', async () =>
      expect(revisions).not.toContain((await configInForce()).revision),
    );
    revisions.add((await configInForce()).revision);
  }
  going = false;
  const sent = await load;
  await pool.close();
  expect(Object.fromEntries(statuses)).toEqual({ 200: sent });
  expect(sent).toBeGreaterThan(100);
});

test('a bad change changes nothing, and both status and trail say so', async () => {
  const before = await configInForce();
  await gateway.writeConfig('tenants: { default: { usres: {} } }\n');
  await waitFor('the config to be rejected', async () =>
    expect((await configInForce()).rejected).not.toBeNull(),
  );
  const after = await configInForce();
  expect(after.revision).toBe(before.revision);
  expect(after.rejected?.message).toMatch(/sallyport\.yaml:1:\d+/);
  await gateway.openSession();
  const events = await gateway.operator('/v1/audit/events?type=ConfigEvent::Rejected');
  expect(events.json<{ items: unknown[] }>().items).toHaveLength(1);

  await gateway.writeConfig(GOOD(20));
  await waitFor('the config to be accepted', async () => expect((await configInForce()).rejected).toBeNull());
});

test('an accepted limit holds at once', async () => {
  await gateway.openSession();
  await gateway.openSession();
  await gateway.writeConfig(GOOD(2));
  const reloaded = await gateway.operator('/v1/config/reload', { method: 'POST' });
  expect(reloaded.status).toBe(200);
  const third = await gateway.agent('/session/new', {
    json: { tenant_id: 'default', enrollment_secret: gateway.enrollmentSecret },
  });
  expect(third.json()).toMatchObject({ error: { code: 'TooManySessions' } });
});

test('a reload on demand answers with what is wrong', async () => {
  await gateway.writeConfig('api: { hosst: x }\n');
  const answer = await gateway.operator('/v1/config/reload', { method: 'POST' });
  expect(answer.status).toBe(422);
  expect(answer.json()).toMatchObject({ error: { code: 'Unprocessable' } });
});
