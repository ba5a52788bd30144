import {
  requireEngine,
  startPostgres,
  startTestGateway,
  type TestPostgres,
  waitUntil,
} from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const engine = requireEngine('postgres');

describe.skipIf(engine.missing)(`two whole gateways on one Postgres (${engine.install})`, () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test('[ID-3] a session of one is good at the other, and over at both when one ends it', async () => {
    const config = `
store: { url: "\${STORE_URL}" }
tenants:
  default:
    default_user: ana
    default_agent: helper
    users: { ana: { roles: [owner] } }
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents: { helper: {} }
`;
    const env = { STORE_URL: await server.createDatabase() };
    await using red = await startTestGateway({ config, env });
    await using blue = await startTestGateway({ config, env });
    const { session_token: token } = await red.openSession();
    expect((await blue.agent('/session', { token })).status).toBe(200);
    expect((await red.agent('/session', { token, method: 'DELETE' })).status).toBeLessThan(300);
    await waitUntil(
      'the end at the other',
      async () => (await blue.agent('/session', { token })).status === 401,
    );
    for (const { log } of [red, blue])
      expect(log.filter((line) => line.includes('out of reach'))).toEqual([]);
  });
});
