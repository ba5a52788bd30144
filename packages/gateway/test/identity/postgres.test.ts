import { requireEngine, startPostgres, type TestPostgres } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import { describeApiKeysContract } from './api-keys.contract.ts';
import { describeEndingsContract } from './endings.contract.ts';
import { describeEnrollmentContract } from './enrollment.contract.ts';
import { IdentityFixture, OPERATOR, outcome, request } from './identity-fixture.ts';
import { describeSessionsContract } from './sessions.contract.ts';

const engine = requireEngine('postgres');

describe.skipIf(engine.missing)(`Postgres (${engine.install})`, () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  const fresh = async () => ({ url: await server.createDatabase() });
  describeSessionsContract('Postgres', fresh);
  describeEndingsContract('Postgres', fresh);
  describeEnrollmentContract('Postgres', fresh);
  describeApiKeysContract('Postgres', fresh);

  describe('two gateways on one store', () => {
    test('[ID-3] what one ends, the other refuses and cuts within a second', async () => {
      const store = await openStore(await fresh());
      const world = new IdentityFixture(store);
      const [here, there] = [await world.gateway(), await world.gateway()];
      const { token, session } = await here.open(request());
      expect(await outcome(there.authenticate(token.reveal()))).toBe('ok');
      const signal = there.signalOf(session.id);

      await here.end(session.id, 'revoked', OPERATOR);
      world.clock.advance(1_000);
      expect(await outcome(there.authenticate(token.reveal()))).toMatchObject({ code: 'NotAuthenticated' });
      expect(signal.aborted).toBe(true);
      await world.reset();
      await store.close();
    });

    test('[ID-3] a connection that makes no more requests is cut by the sweep', async () => {
      const store = await openStore(await fresh());
      const world = new IdentityFixture(store);
      const [here, there] = [await world.gateway(), await world.gateway()];
      const { token, session } = await here.open(request());
      await there.authenticate(token.reveal());
      const signal = there.signalOf(session.id);

      await here.end(session.id, 'revoked', OPERATOR);
      await there.sweep();
      expect(signal.aborted).toBe(true);
      expect(signal.reason).toBe('revoked');
      await world.reset();
      await store.close();
    });

    test('what one renews, the other does not end', async () => {
      const store = await openStore(await fresh());
      const world = new IdentityFixture(store);
      const [here, there] = [await world.gateway(), await world.gateway()];
      const { token, session } = await here.open(request({ ttlMs: 10_000 }));
      await there.authenticate(token.reveal());
      const signal = there.signalOf(session.id);

      world.clock.advance(9_000);
      await here.renew(token.reveal(), 10_000);
      world.clock.advance(5_000);
      await there.sweep();
      expect(signal.aborted).toBe(false);
      expect(await outcome(there.authenticate(token.reveal()))).toBe('ok');
      await world.reset();
      await store.close();
    });

    test('an expired session is recorded once, though both sweep', async () => {
      const store = await openStore(await fresh());
      const world = new IdentityFixture(store);
      const gateways = [await world.gateway(), await world.gateway()];
      await gateways[0]?.open(request({ ttlMs: 1_000 }));
      world.clock.advance(2_000);
      await Promise.all(gateways.map((gateway) => gateway.sweep()));
      expect(world.trail.of('SessionEvent::Ended')).toHaveLength(1);
      await world.reset();
      await store.close();
    });
  });
});
