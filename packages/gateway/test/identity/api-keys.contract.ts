import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientIdOf, newToken } from '../../src/identity/index.ts';
import { openStore, type Store, type StoreLocation } from '../../src/store/index.ts';
import { IdentityFixture, OPERATOR, outcome } from './identity-fixture.ts';

/** What both engines promise of API keys. */
export function describeApiKeysContract(name: string, fresh: () => Promise<StoreLocation>): void {
  describe(`API keys on ${name}`, () => {
    let store: Store;
    let world: IdentityFixture;
    beforeAll(async () => {
      store = await openStore(await fresh());
    });
    beforeEach(() => {
      world = new IdentityFixture(store);
    });
    afterEach(() => world.reset());
    afterAll(() => store.close());

    const create = (tenant = 'red') => world.keys.create({ tenant, name: 'ci', by: OPERATOR });

    test('a key proves the client and its tenant, and is kept as a hash only', async () => {
      const { key, record } = await create();
      const value = key.reveal();
      expect(value).toMatch(/^spk_/);
      expect(await world.keys.authenticate(value)).toEqual({
        client_id: clientIdOf(value),
        tenant: 'red',
        name: 'ci',
      });
      const rows = await store.db.selectFrom('api_keys').selectAll().execute();
      const listed = await world.keys.list('red');
      expect(listed.items).toEqual([record]);
      expect(JSON.stringify([rows, listed, world.trail.events])).not.toContain(value.slice(4));
    });

    test('a revoked key is refused from then on, by every gateway', async () => {
      const { key, record } = await create();
      const other = new IdentityFixture(store);
      expect(await outcome(other.keys.authenticate(key.reveal()))).toBe('ok');
      await world.keys.revoke('red', record.id, OPERATOR);
      expect(await outcome(other.keys.authenticate(key.reveal()))).toMatchObject({
        code: 'NotAuthenticated',
      });
      expect(await outcome(world.keys.revoke('red', record.id, OPERATOR))).toMatchObject({
        code: 'NotFound',
      });
      const types = world.trail.events.map(({ type }) => type);
      expect(types).toEqual(['IdentityEvent::KeyCreated', 'IdentityEvent::KeyRevoked']);
    });

    test('a key that cannot be recorded is never valid', async () => {
      world.trail.broken = true;
      const key = newToken('apiKey');
      const adoption = world.keys.adopt({ tenant: 'red', name: 'first', by: OPERATOR }, key);
      expect(await outcome(adoption)).toMatchObject({ code: 'AuditUnavailable' });
      expect(await outcome(world.keys.authenticate(key.reveal()))).toMatchObject({
        code: 'NotAuthenticated',
      });
    });

    test('adopting a key twice is adopting it once; a key of another tenant is not taken over', async () => {
      const key = newToken('apiKey');
      await world.keys.adopt({ tenant: 'red', name: 'first', by: OPERATOR }, key);
      await world.keys.adopt({ tenant: 'red', name: 'first', by: OPERATOR }, key);
      expect((await world.keys.list('red')).items).toHaveLength(1);
      const theft = world.keys.adopt({ tenant: 'blue', name: 'stolen', by: OPERATOR }, key);
      expect(await outcome(theft)).toMatchObject({ code: 'Conflict' });
      expect(await world.keys.authenticate(key.reveal())).toMatchObject({ tenant: 'red' });
    });

    test.each([
      { key: '', why: 'nothing' },
      { key: `spk_${'A'.repeat(43)}`, why: 'a key that nobody made' },
      { key: `spt_${'A'.repeat(43)}`, why: 'another kind' },
    ])('refuses $why', async ({ key }) => {
      await create();
      expect(await outcome(world.keys.authenticate(key))).toMatchObject({ code: 'NotAuthenticated' });
    });

    test('[ID-4] to another tenant a key looks like one that never was', async () => {
      const { key, record } = await create('blue');
      const foreign = await outcome(world.keys.revoke('red', record.id, OPERATOR));
      const absent = await outcome(world.keys.revoke('red', 'key_00000000000000000000000000', OPERATOR));
      expect(foreign).toEqual(absent);
      expect(foreign).toMatchObject({ code: 'NotFound' });
      expect((await world.keys.list('red')).items).toEqual([]);
      expect(await outcome(world.keys.authenticate(key.reveal()))).toBe('ok');
      expect(world.trail.events.filter(({ tenant }) => tenant === 'red')).toEqual([]);
    });
  });
}
