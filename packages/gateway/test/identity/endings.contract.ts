import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sessions } from '../../src/identity/index.ts';
import { openStore, type Store, type StoreLocation } from '../../src/store/index.ts';
import { IdentityFixture, OPERATOR, outcome, request } from './identity-fixture.ts';

const REFUSED = { code: 'NotAuthenticated' };

/** What both engines promise of ending sessions. */
export function describeEndingsContract(name: string, fresh: () => Promise<StoreLocation>): void {
  describe(`ends of sessions on ${name}`, () => {
    let store: Store;
    let world: IdentityFixture;
    let sessions: Sessions;
    beforeAll(async () => {
      store = await openStore(await fresh());
    });
    beforeEach(async () => {
      world = new IdentityFixture(store);
      sessions = await world.gateway();
    });
    afterEach(() => world.reset());
    afterAll(() => store.close());

    test('[ID-3] ending a session cuts what it has open before anything is waited for', async () => {
      const { token, session } = await sessions.open(request());
      const reasons: string[] = [];
      const signal = sessions.signalOf(session.id);
      sessions.onEnded(session.id, (reason) => reasons.push(reason));
      const stop = sessions.onEnded(session.id, () => reasons.push('nobody listens any more'));
      stop();

      const ending = sessions.end(session.id, 'revoked by ana', OPERATOR);
      expect(signal.aborted).toBe(true);
      expect(reasons).toEqual(['revoked by ana']);
      expect(await outcome(sessions.authenticate(token.reveal()))).toMatchObject(REFUSED);
      expect(await ending).toBe(true);
      expect(await outcome(sessions.authenticate(token.reveal()))).toMatchObject(REFUSED);
      expect(await outcome(sessions.renew(token.reveal()))).toMatchObject(REFUSED);
      expect(await sessions.get('red', session.id)).toMatchObject({ endReason: 'revoked by ana' });
    });

    test('[ID-3] who comes too late gets a signal that has fired', async () => {
      const { session } = await sessions.open(request());
      await sessions.end(session.id, 'over', OPERATOR);
      expect(sessions.signalOf(session.id).aborted).toBe(true);
      expect(sessions.signalOf('sess_unknown').aborted).toBe(true);
      const reasons: string[] = [];
      sessions.onEnded(session.id, (reason) => reasons.push(reason));
      expect(reasons).toHaveLength(1);
    });

    test('[ID-3] a look-up that is under way while the session ends does not bring it back', async () => {
      // Started before the sessions exist, so it has none in memory: every look-up reads the store.
      const cold = await world.gateway();
      for (let round = 0; round < 20; round += 1) {
        const { token, session } = await sessions.open(request());
        const lookups = Array.from({ length: 5 }, () => outcome(cold.authenticate(token.reveal())));
        await Promise.all([...lookups, cold.end(session.id, 'over', OPERATOR)]);
        expect(await outcome(cold.authenticate(token.reveal()))).toMatchObject(REFUSED);
        expect(cold.signalOf(session.id).aborted).toBe(true);
      }
    });

    test('[ID-3] an expired session loses its connections at the next sweep', async () => {
      const { session } = await sessions.open(request({ ttlMs: 5_000 }));
      const signal = sessions.signalOf(session.id);
      world.clock.advance(4_999);
      await sessions.sweep();
      expect(signal.aborted).toBe(false);
      world.clock.advance(1);
      await sessions.sweep();
      expect(signal.aborted).toBe(true);
      expect(signal.reason).toBe('expired');
    });

    test('an end is recorded once, however often it is asked for', async () => {
      const { session } = await sessions.open(request());
      const ends = await Promise.all([1, 2, 3].map(() => sessions.end(session.id, 'over', OPERATOR)));
      expect(ends.filter(Boolean)).toHaveLength(1);
      expect(await sessions.end(session.id, 'again', OPERATOR)).toBe(false);
      expect(world.trail.of('SessionEvent::Ended')).toHaveLength(1);
    });

    test('an end that cannot be recorded is an error, but holds, and is recorded later, once', async () => {
      const { token, session } = await sessions.open(request());
      world.trail.broken = true;
      expect(await outcome(sessions.end(session.id, 'over', OPERATOR))).toMatchObject({
        code: 'AuditUnavailable',
      });
      expect(await outcome(sessions.authenticate(token.reveal()))).toMatchObject(REFUSED);
      await expect(sessions.sweep()).rejects.toMatchObject({ code: 'AuditUnavailable' });
      world.trail.broken = false;
      await sessions.sweep();
      await sessions.sweep();
      expect(world.trail.of('SessionEvent::Ended')).toHaveLength(1);
    });

    test('the kill switch ends every session of every tenant at once', async () => {
      const opened = [
        await sessions.open(request()),
        await sessions.open(request()),
        await sessions.open(request({ tenant: 'blue' })),
      ];
      const signals = opened.map(({ session }) => sessions.signalOf(session.id));
      const ending = sessions.endAll('stop --now', OPERATOR);
      expect(signals.map((signal) => signal.aborted)).toEqual([true, true, true]);
      expect(await ending).toBe(3);
      for (const { token } of opened) {
        expect(await outcome(sessions.authenticate(token.reveal()))).toMatchObject(REFUSED);
      }
      expect(
        world.trail
          .of('SessionEvent::Ended')
          .map(({ tenant }) => tenant)
          .sort(),
      ).toEqual(['blue', 'red', 'red']);
    });

    test('no session that opens while the kill switch is thrown survives it', async () => {
      const opening = Array.from({ length: 10 }, () => sessions.open(request()));
      const ending = sessions.endAll('stop --now', OPERATOR);
      const opened = await Promise.allSettled(opening);
      await ending;
      await sessions.endAll('once more, for those who came after', OPERATOR);
      for (const result of opened) {
        if (result.status === 'rejected') continue;
        expect(await outcome(sessions.authenticate(result.value.token.reveal()))).toMatchObject(REFUSED);
      }
      expect((await sessions.listOfAllTenants({}, true)).items).toEqual([]);
    });
  });
}
