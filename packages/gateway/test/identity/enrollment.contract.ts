import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EnrollRequest, Sessions } from '../../src/identity/index.ts';
import { newToken } from '../../src/identity/index.ts';
import { openStore, type Store, type StoreLocation } from '../../src/store/index.ts';
import { IdentityFixture, OPERATOR, outcome } from './identity-fixture.ts';

/** What both engines promise of enrolling. */
export function describeEnrollmentContract(name: string, fresh: () => Promise<StoreLocation>): void {
  describe(`enrollment on ${name}`, () => {
    let store: Store;
    let world: IdentityFixture;
    let sessions: Sessions;
    let secretOfRed: string;
    let secretOfHelper: string;
    let secretOfBlue: string;
    let addresses = 0;
    beforeAll(async () => {
      store = await openStore(await fresh());
    });
    beforeEach(async () => {
      world = new IdentityFixture(store);
      sessions = await world.gateway();
      const rotate = async (tenant: string, agent?: string) =>
        (await world.secrets.rotate({ tenant, agent, by: OPERATOR })).reveal();
      secretOfRed = await rotate('red');
      secretOfHelper = await rotate('red', 'helper');
      secretOfBlue = await rotate('blue');
    });
    afterEach(() => world.reset());
    afterAll(() => store.close());

    /** Each from an address of its own, unless the test is about that. */
    const enroll = (over: Partial<EnrollRequest> = {}) => {
      addresses += 1;
      return sessions.enroll({
        tenantId: 'red',
        enrollmentSecret: secretOfRed,
        remoteAddress: `10.0.${addresses >> 8}.${addresses & 255}`,
        ...over,
      });
    };

    test('the tenant’s secret opens its default agent for its default user, unconfined', async () => {
      const { session, token } = await enroll();
      expect(session).toMatchObject({ tenant: 'red', user: 'ana', agent: 'main', confinement: 'unconfined' });
      expect(session.chain).toEqual(['main']);
      expect(await sessions.authenticate(token.reveal())).toEqual(session);
    });

    test('the tenant’s secret opens any agent of the tenant, an agent’s own secret only that one', async () => {
      expect((await enroll({ agent: 'engineer' })).session.agent).toBe('engineer');
      const own = await enroll({ agent: 'helper', enrollmentSecret: secretOfHelper });
      expect(own.session.agent).toBe('helper');
    });

    test('[ID-4] every wrong claim gets one and the same answer', async () => {
      const wrong = newToken('enrollment').reveal();
      const claims: Partial<EnrollRequest>[] = [
        { enrollmentSecret: wrong },
        { enrollmentSecret: '' },
        { enrollmentSecret: 'x'.repeat(10_000) },
        { tenantId: 'nobody' },
        { tenantId: 'nobody', enrollmentSecret: wrong },
        { tenantId: '__proto__' },
        { tenantId: 'blue' },
        { enrollmentSecret: secretOfBlue },
        { agent: 'nobody' },
        { agent: 'engineer', enrollmentSecret: secretOfHelper },
        { enrollmentSecret: secretOfHelper },
      ];
      const outcomes: unknown[] = [];
      for (const claim of claims) outcomes.push(await outcome(enroll(claim)));
      expect(outcomes[0]).toMatchObject({ code: 'NotAuthenticated' });
      expect(outcomes).toEqual(claims.map(() => outcomes[0]));
      expect((await sessions.listOfAllTenants()).items).toEqual([]);
    });

    test('a refused claim is in the trail, without the secret, and never in a chain of its own making', async () => {
      const wrong = newToken('enrollment').reveal();
      await outcome(enroll({ enrollmentSecret: wrong }));
      await outcome(enroll({ enrollmentSecret: wrong, tenantId: 'n'.repeat(5_000) }));
      const refused = world.trail.of('SessionEvent::Refused');
      expect(refused.map(({ tenant }) => tenant)).toEqual(['red', 'system']);
      expect(JSON.stringify(refused)).not.toContain(wrong.slice(4));
      expect(JSON.stringify(refused).length).toBeLessThan(2_000);
    });

    test('a wrong claim that cannot be recorded is refused all the same', async () => {
      world.trail.broken = true;
      expect(await outcome(enroll({ enrollmentSecret: 'wrong' }))).toMatchObject({
        code: 'AuditUnavailable',
      });
      expect(await outcome(enroll())).toMatchObject({ code: 'AuditUnavailable' });
      expect((await sessions.list('red', {}, true)).items).toEqual([]);
    });

    test('rotating replaces the secret of its scope at once, and no other', async () => {
      const next = await world.secrets.rotate({ tenant: 'red', by: OPERATOR });
      expect(await outcome(enroll())).toMatchObject({ code: 'NotAuthenticated' });
      expect(await outcome(enroll({ enrollmentSecret: next.reveal() }))).toBe('ok');
      expect(await outcome(enroll({ agent: 'helper', enrollmentSecret: secretOfHelper }))).toBe('ok');
      expect(await outcome(enroll({ tenantId: 'blue', enrollmentSecret: secretOfBlue }))).toBe('ok');
    });

    test('a rotation that cannot be recorded leaves the secret before valid', async () => {
      world.trail.broken = true;
      const rotation = world.secrets.rotate({ tenant: 'red', by: OPERATOR });
      expect(await outcome(rotation)).toMatchObject({ code: 'AuditUnavailable' });
      world.trail.broken = false;
      expect(await outcome(enroll())).toBe('ok');
      const live = (await world.secrets.list('red')).items.filter((item) => item.revokedAt === undefined);
      expect(live).toHaveLength(2);
    });

    test('adopting a secret twice is adopting it once, and what is no secret is refused', async () => {
      const outside = newToken('enrollment');
      const scope = { tenant: 'bare', by: OPERATOR };
      await world.secrets.adopt(scope, outside);
      await world.secrets.adopt(scope, outside);
      expect((await world.secrets.list('bare')).items).toHaveLength(1);
      expect(await outcome(world.secrets.adopt(scope, newToken('apiKey')))).toMatchObject({
        code: 'BadRequest',
      });
    });

    test('only who proved itself is told what the tenant lacks', async () => {
      const secret = (await world.secrets.rotate({ tenant: 'bare', by: OPERATOR })).reveal();
      const claim = { tenantId: 'bare', enrollmentSecret: secret };
      expect(await outcome(enroll(claim))).toMatchObject({ code: 'Unprocessable' });
      expect(await outcome(enroll({ ...claim, agent: 'helper' }))).toMatchObject({
        code: 'Unprocessable',
        message: expect.stringContaining('default user'),
      });
      expect(await outcome(enroll({ ...claim, enrollmentSecret: 'wrong' }))).toMatchObject({
        code: 'NotAuthenticated',
      });
    });

    test('an address that failed 30 times waits a minute, also with the right secret', async () => {
      const remoteAddress = '192.0.2.1';
      for (let i = 0; i < 30; i += 1) {
        const failed = await outcome(enroll({ remoteAddress, enrollmentSecret: 'wrong', tenantId: `t${i}` }));
        expect(failed).toMatchObject({ code: 'NotAuthenticated' });
      }
      const events = world.trail.events.length;
      for (let i = 0; i < 50; i += 1) {
        expect(await outcome(enroll({ remoteAddress }))).toMatchObject({ code: 'TooManyRequests' });
      }
      // One line for each tenant named and one for the address, not one for each attempt.
      expect(world.trail.events.length - events).toBeLessThanOrEqual(2);
      expect(await outcome(enroll())).toBe('ok');
      world.clock.advance(60_000);
      expect(await outcome(enroll({ remoteAddress }))).toBe('ok');
    });

    test('addresses of one IPv6 network count as one', async () => {
      const from = (i: number) => enroll({ remoteAddress: `2001:db8::${i + 1}`, enrollmentSecret: 'wrong' });
      for (let i = 0; i < 30; i += 1) await outcome(from(i));
      expect(await outcome(from(31))).toMatchObject({ code: 'TooManyRequests' });
    });

    test('a tenant that was named in 120 failures waits a minute; others do not', async () => {
      for (let i = 0; i < 120; i += 1) await outcome(enroll({ enrollmentSecret: 'wrong' }));
      expect(await outcome(enroll())).toMatchObject({ code: 'TooManyRequests' });
      expect(await outcome(enroll({ tenantId: 'blue', enrollmentSecret: secretOfBlue }))).toBe('ok');
    });

    test('a burst of guesses learns no more than the limit lets it', async () => {
      const remoteAddress = '192.0.2.2';
      const guesses = Array.from({ length: 100 }, () =>
        outcome(enroll({ remoteAddress, enrollmentSecret: 'wrong' })),
      );
      const results = await Promise.all(guesses);
      const answered = results.filter((result) => (result as { code: string }).code === 'NotAuthenticated');
      expect(answered).toHaveLength(30);
    });
  });
}
