import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type GrantRow,
  GrantsRepository,
  openStore,
  type Store,
  type StoreLocation,
} from '../../src/store/index.ts';

const grant = (over: Partial<GrantRow> = {}): GrantRow => ({
  id: 'grant_1',
  tenant: 'red',
  agent: 'helper',
  client: null,
  covers: '{}',
  answer: 'yes',
  scope: 'once',
  session: null,
  expires_at: null,
  created_at: 1_000,
  created_by: 'ana',
  approval_id: null,
  uses: 0,
  uses_at_most: null,
  ended_at: null,
  end_reason: null,
  ...over,
});

/** What both engines promise of the rows of `grants`. */
export function describeGrantsContract(name: string, fresh: () => Promise<StoreLocation>): void {
  describe(`grants on ${name}`, () => {
    let store: Store;
    let grants: GrantsRepository;
    beforeAll(async () => {
      store = await openStore(await fresh());
      grants = new GrantsRepository(store);
    });
    beforeEach(async () => {
      await store.db.deleteFrom('grants').execute();
    });
    afterAll(() => store.close());

    test('a grant comes back as it was stored, to the one it was given to', async () => {
      await grants.insert(grant());
      await grants.insert(grant({ id: 'grant_2', agent: null, client: 'c1' }));
      expect(await grants.live('red', { agent: 'helper' })).toEqual([grant()]);
      expect((await grants.live('red', { client: 'c1' })).map(({ id }) => id)).toEqual(['grant_2']);
      expect(await grants.live('red', { agent: 'main' })).toEqual([]);
    });

    test('a grant for once is used up by exactly one of those who try at the same time', async () => {
      await grants.insert(grant());
      const tries = Array.from({ length: 10 }, () => grants.consume('red', 'grant_1', 2_000));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
      expect(await grants.live('red', { agent: 'helper' })).toEqual([]);
      expect(await grants.findOfAnyTenant('grant_1')).toMatchObject({ uses: 1, end_reason: 'used' });
    });

    test('a grant for some uses is used by exactly so many of those who try at the same time', async () => {
      await grants.insert(grant({ scope: 'session', session: 's', uses_at_most: 3 }));
      const tries = Array.from({ length: 10 }, () => grants.useOne('red', 'grant_1', 2_000));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(3);
      expect(await grants.live('red', { agent: 'helper' })).toEqual([]);
      expect(await grants.findOfAnyTenant('grant_1')).toMatchObject({ uses: 3, end_reason: 'used' });
      await grants.insert(grant({ id: 'grant_2' }));
      expect(await grants.useOne('red', 'grant_2', 2_000)).toBe(false);
    });

    test('an ended grant is neither used nor ended again', async () => {
      await grants.insert(grant());
      expect(await grants.end('red', 'grant_1', 'revoked', 2_000)).toBe(true);
      expect(await grants.end('red', 'grant_1', 'again', 3_000)).toBe(false);
      expect(await grants.consume('red', 'grant_1', 3_000)).toBe(false);
      expect((await grants.list({ tenant: 'red' })).items).toEqual([]);
      expect((await grants.list({ tenant: 'red', ended: true })).items).toHaveLength(1);
    });

    test('[ID-4] a method that is given one tenant neither shows nor changes the grants of another', async () => {
      await grants.insert(grant({ tenant: 'blue' }));
      expect(await grants.live('red', { agent: 'helper' })).toEqual([]);
      expect((await grants.list({ tenant: 'red', ended: true })).items).toEqual([]);
      expect(await grants.consume('red', 'grant_1', 2_000)).toBe(false);
      expect(await grants.end('red', 'grant_1', 'hostile', 2_000)).toBe(false);
      expect(await grants.findOfAnyTenant('grant_1')).toEqual(grant({ tenant: 'blue' }));
    });
  });
}
