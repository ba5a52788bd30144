import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sessions } from '../../src/identity/index.ts';
import { openStore, type Store, type StoreLocation } from '../../src/store/index.ts';
import { IdentityFixture, OPERATOR, outcome, request } from './identity-fixture.ts';

const HOUR = 3_600_000;

/** What both engines promise of opening, proving, renewing and listing sessions. */
export function describeSessionsContract(name: string, fresh: () => Promise<StoreLocation>): void {
  describe(`sessions on ${name}`, () => {
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

    test('a token proves who acts, through whom, for how long', async () => {
      const { token, session } = await sessions.open(
        request({ chain: ['main', 'helper'], credentials: ['github:personal'] }),
      );
      expect(await sessions.authenticate(token.reveal())).toStrictEqual({
        id: session.id,
        tenant: 'red',
        user: 'ana',
        agent: 'helper',
        chain: ['main', 'helper'],
        confinement: 'jailed',
        credentials: ['github:personal'],
        createdAt: world.clock.now(),
        expiresAt: world.clock.now() + HOUR,
      });
      expect(world.trail.of('SessionEvent::Opened')).toHaveLength(1);
    });

    test('neither the store nor the trail holds the token', async () => {
      const { token } = await sessions.open(request());
      const rows = await store.db.selectFrom('sessions').selectAll().execute();
      expect(rows).toHaveLength(1);
      expect(JSON.stringify([rows, world.trail.events])).not.toContain(token.reveal().slice(4));
    });

    test('a session that cannot be recorded does not live', async () => {
      world.trail.broken = true;
      await expect(sessions.open(request())).rejects.toMatchObject({ code: 'AuditUnavailable' });
      expect((await sessions.list('red', {}, true)).items).toEqual([]);
    });

    test('a session outlives a restart of the gateway', async () => {
      const { token, session } = await sessions.open(request());
      await sessions.close();
      const restarted = await world.gateway();
      expect(await restarted.authenticate(token.reveal())).toEqual(session);
      expect(restarted.signalOf(session.id).aborted).toBe(false);
    });

    test.each([
      { token: '', why: 'nothing' },
      { token: `spt_${'A'.repeat(43)}`, why: 'a token that nobody made' },
      { token: `spk_${'A'.repeat(43)}`, why: 'another kind' },
      { token: 'x'.repeat(100_000), why: 'far too long' },
      { token: "' or 1=1 --", why: 'SQL' },
    ])('refuses $why', async ({ token }) => {
      await sessions.open(request());
      await expect(sessions.authenticate(token)).rejects.toMatchObject({ code: 'NotAuthenticated' });
    });

    test.each([
      { over: { tenant: 'green' }, code: 'NotFound', why: 'an unknown tenant' },
      { over: { agent: 'nobody' }, code: 'NotFound', why: 'an unknown agent' },
      { over: { user: 'eve' }, code: 'NotPermitted', why: 'an unknown user' },
      { over: { user: 'vic', agent: 'main' }, code: 'NotPermitted', why: 'an agent the user may not use' },
      {
        over: { user: 'vic', chain: ['main', 'helper'] },
        code: 'NotPermitted',
        why: 'an agent in the chain that the user may not use',
      },
      { over: { chain: ['helper', 'main'] }, code: 'BadRequest', why: 'a chain that ends elsewhere' },
      { over: { chain: [] }, code: 'BadRequest', why: 'an empty chain' },
      { over: { ttlMs: 0 }, code: 'BadRequest', why: 'no life' },
      { over: { ttlMs: Number.NaN }, code: 'BadRequest', why: 'no number' },
      { over: { ttlMs: Number.POSITIVE_INFINITY }, code: 'BadRequest', why: 'eternal life' },
    ])('does not open for $why: $code', async ({ over, code }) => {
      await expect(sessions.open(request(over))).rejects.toMatchObject({ code });
      expect((await sessions.listOfAllTenants()).items).toEqual([]);
      if (code === 'NotPermitted') expect(world.trail.of('SessionEvent::Refused')).toHaveLength(1);
    });

    test('a tenant has 50 live sessions at most, however many are asked for at once', async () => {
      const asked = Array.from({ length: 60 }, () => outcome(sessions.open(request())));
      const results = await Promise.all(asked);
      expect(results.filter((result) => result === 'ok')).toHaveLength(50);
      expect(results).toContainEqual(expect.objectContaining({ code: 'TooManySessions' }));
      expect(world.trail.of('SessionEvent::Refused')).toHaveLength(10);

      expect(await outcome(sessions.open(request({ tenant: 'blue' })))).toBe('ok');
      const [oldest] = (await sessions.list('red', { limit: 1 })).items;
      await sessions.end(oldest?.id ?? '', 'room', OPERATOR);
      expect(await outcome(sessions.open(request()))).toBe('ok');
      expect(await outcome(sessions.open(request()))).toMatchObject({ code: 'TooManySessions' });
    });

    test('a token is worth nothing from the moment it expires', async () => {
      const { token, session } = await sessions.open(request());
      world.clock.advance(HOUR - 1);
      expect(await outcome(sessions.authenticate(token.reveal()))).toBe('ok');
      world.clock.advance(1);
      expect(await outcome(sessions.authenticate(token.reveal()))).toMatchObject({
        code: 'NotAuthenticated',
      });

      await sessions.sweep();
      expect(await sessions.get('red', session.id)).toMatchObject({ endReason: 'expired' });
      const ended = world.trail.of('SessionEvent::Ended');
      expect(ended.map(({ data }) => [data.session_id, data.reason])).toEqual([[session.id, 'expired']]);
    });

    test('renewing gives the same token a full life from now', async () => {
      const { token } = await sessions.open(request());
      world.clock.advance(HOUR - 1);
      const renewed = await sessions.renew(token.reveal());
      expect(renewed.expiresAt).toBe(world.clock.now() + HOUR);
      world.clock.advance(HOUR - 1);
      expect(await outcome(sessions.authenticate(token.reveal()))).toBe('ok');
      world.clock.advance(1);
      expect(await outcome(sessions.renew(token.reveal()))).toMatchObject({ code: 'NotAuthenticated' });
      expect(world.trail.of('SessionEvent::Renewed')).toHaveLength(1);
    });

    test('[ID-3] another token takes the place of the first at once, and the session is the same', async () => {
      const { token, session } = await sessions.open(request());
      const signal = sessions.signalOf(session.id);
      world.clock.advance(1_000);
      const next = await sessions.reissue(session.id);
      expect(next.session).toEqual({ ...session, expiresAt: world.clock.now() + HOUR });
      expect(await outcome(sessions.authenticate(token.reveal()))).toMatchObject({
        code: 'NotAuthenticated',
      });
      expect(await sessions.authenticate(next.token.reveal())).toEqual(next.session);
      expect(signal.aborted).toBe(false);
      const restarted = await world.gateway();
      expect(await outcome(restarted.authenticate(token.reveal()))).toMatchObject({
        code: 'NotAuthenticated',
      });
      expect(await outcome(restarted.authenticate(next.token.reveal()))).toBe('ok');
      await sessions.end(session.id, 'enough', OPERATOR);
      expect(signal.aborted).toBe(true);
      expect(await outcome(sessions.authenticate(next.token.reveal()))).toMatchObject({
        code: 'NotAuthenticated',
      });
      expect(await outcome(sessions.reissue(session.id))).toMatchObject({ code: 'NotFound' });
    });

    test('[ID-3] a session that ends while it gets another token stays ended', async () => {
      const { session } = await sessions.open(request());
      const [reissued] = await Promise.allSettled([
        sessions.reissue(session.id),
        sessions.end(session.id, 'enough', OPERATOR),
      ]);
      if (reissued.status === 'fulfilled')
        expect(await outcome(sessions.authenticate(reissued.value.token.reveal()))).toMatchObject({
          code: 'NotAuthenticated',
        });
      expect(sessions.peek(session.id)).toBeUndefined();
    });

    test('another token that cannot be recorded leaves the first one as it was', async () => {
      const { token, session } = await sessions.open(request());
      world.trail.broken = true;
      expect(await outcome(sessions.reissue(session.id))).toMatchObject({ code: 'AuditUnavailable' });
      expect(await outcome(sessions.authenticate(token.reveal()))).toBe('ok');
    });

    test('a renewal never shortens a life', async () => {
      const { token, session } = await sessions.open(request());
      expect((await sessions.renew(token.reveal(), 1_000)).expiresAt).toBe(session.expiresAt);
    });

    test('a renewal that cannot be recorded changes nothing', async () => {
      const { token } = await sessions.open(request());
      world.clock.advance(1_000);
      world.trail.broken = true;
      expect(await outcome(sessions.renew(token.reveal()))).toMatchObject({ code: 'AuditUnavailable' });
      world.clock.advance(HOUR - 1_000);
      expect(await outcome(sessions.authenticate(token.reveal()))).toMatchObject({
        code: 'NotAuthenticated',
      });
    });

    test('who lost the right to the agent cannot renew', async () => {
      const { token } = await sessions.open(request());
      world.change('red', { users: { ana: { roles: [] } } });
      expect(await outcome(sessions.renew(token.reveal()))).toMatchObject({ code: 'NotPermitted' });
      expect(world.trail.of('SessionEvent::Refused')).toHaveLength(1);
    });

    test('lists page through the sessions of a tenant, all of them or the live ones', async () => {
      for (let i = 0; i < 5; i += 1) {
        world.clock.advance(1);
        await sessions.open(request());
      }
      const first = await sessions.list('red', { limit: 3 });
      const second = await sessions.list('red', { limit: 3, cursor: first.next_cursor ?? '' });
      const ids = [...first.items, ...second.items].map(({ id }) => id);
      expect(new Set(ids).size).toBe(5);
      expect(second.next_cursor).toBeNull();
      await sessions.end(ids[0] ?? '', 'done', OPERATOR);
      expect((await sessions.list('red', {}, true)).items).toHaveLength(4);
    });

    test('[ID-4] to another tenant a session looks like one that never was', async () => {
      const { token, session } = await sessions.open(request({ tenant: 'blue' }));
      const attempts = (id: string) => [
        outcome(sessions.get('red', id)),
        outcome(sessions.end(id, 'hostile', OPERATOR, 'red')),
      ];
      const foreign = await Promise.all(attempts(session.id));
      expect(foreign).toEqual(await Promise.all(attempts('sess_00000000000000000000000000')));
      expect(foreign).toEqual([
        expect.objectContaining({ code: 'NotFound' }),
        expect.objectContaining({ code: 'NotFound' }),
      ]);
      expect((await sessions.list('red')).items).toEqual([]);
      expect(await sessions.authenticate(token.reveal())).toMatchObject({ tenant: 'blue' });
      expect(world.trail.events.filter(({ tenant }) => tenant === 'red')).toEqual([]);
    });
  });
}
