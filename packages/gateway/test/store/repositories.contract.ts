import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ApiKeysRepository,
  EnrollmentSecretsRepository,
  MetaRepository,
  type NewSession,
  openStore,
  SealWorkloadsRepository,
  SessionsRepository,
  type Store,
  type StoreLocation,
} from '../../src/store/index.ts';

const session = (over: Partial<NewSession> = {}): NewSession => ({
  id: 'sess_0001',
  tenant: 'red',
  user: 'ana',
  agent: 'helper',
  chain: ['main', 'helper'],
  confinement: 'jailed',
  credentials: ['github:personal'],
  createdAt: 1_000,
  expiresAt: 9_000,
  tokenHash: 'hash-1',
  ...over,
});

const apiKey = (n: number, tenant = 'red') => ({
  id: `key_000${n}`,
  tenant,
  clientId: `client-${n}`,
  name: `key ${n}`,
  createdAt: 1_000 + n,
  hash: `hash-${n}`,
});

const secret = (n: number, tenant = 'red', agent?: string) => ({
  id: `enr_000${n}`,
  tenant,
  agent,
  createdAt: 1_000 + n,
  hash: `hash-${n}`,
});

/** What both engines promise of the repositories. */
export function describeRepositoriesContract(name: string, fresh: () => Promise<StoreLocation>): void {
  describe(`repositories on ${name}`, () => {
    let store: Store;
    let sessions: SessionsRepository;
    let keys: ApiKeysRepository;
    let secrets: EnrollmentSecretsRepository;
    beforeAll(async () => {
      store = await openStore(await fresh());
      sessions = new SessionsRepository(store);
      keys = new ApiKeysRepository(store);
      secrets = new EnrollmentSecretsRepository(store);
    });
    beforeEach(async () => {
      for (const table of ['sessions', 'seal_workloads', 'api_keys', 'enrollment_secrets', 'meta'] as const) {
        await store.db.deleteFrom(table).execute();
      }
    });
    afterAll(() => store.close());

    test('workloads go with their sessions: when those ended or ran out, and not before', async () => {
      const workloads = new SealWorkloadsRepository(store);
      await sessions.insertBelow(session({ id: 'sess_live', tokenHash: 'hash-1' }), 9);
      await sessions.insertBelow(session({ id: 'sess_late', tokenHash: 'hash-2', expiresAt: 2_000 }), 9);
      await sessions.insertBelow(session({ id: 'sess_done', tokenHash: 'hash-3' }), 9);
      await sessions.end('red', 'sess_done', 1_500, 'done');
      for (const owner of ['sess_live', 'sess_late', 'sess_done', 'sess_gone'])
        await workloads.insert({
          ...{ id: `wl_${owner}`, tenant: 'red', session: owner, agent: 'helper', execution: 'exec_1' },
          ...{ scope: '', secretHash: 'hash', createdAt: 1_000, expiresAt: 1_100 },
        });
      await workloads.removeOver(2_000);
      const left = ['sess_live', 'sess_late', 'sess_done', 'sess_gone'].map((owner) =>
        workloads.find(`wl_${owner}`),
      );
      expect((await Promise.all(left)).map((found) => found?.session)).toEqual([
        'sess_live',
        undefined,
        undefined,
        undefined,
      ]);
    });

    test('a session comes back as it was stored, without its token hash', async () => {
      const { tokenHash, ...shown } = session();
      expect(await sessions.insertBelow(session(), 50)).toBe(true);
      const expected = { ...shown, endedAt: undefined, endReason: undefined };
      expect(await sessions.get('red', 'sess_0001')).toStrictEqual(expected);
      expect(await sessions.findByTokenHash(tokenHash)).toStrictEqual(expected);
      expect(await sessions.findByTokenHash('other')).toBeUndefined();
    });

    test('of many that open at once no more than the limit get in', async () => {
      const opened = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          sessions.insertBelow(session({ id: `sess_${i}`, tokenHash: `hash-${i}` }), 7),
        ),
      );
      expect(opened.filter(Boolean)).toHaveLength(7);
      expect((await sessions.list('red')).items).toHaveLength(7);
    });

    test('ended and expired sessions, and those of other tenants, do not count as live', async () => {
      await sessions.insertBelow(session({ id: 'sess_1', tokenHash: '1' }), 1);
      expect(await sessions.insertBelow(session({ id: 'sess_2', tokenHash: '2' }), 1)).toBe(false);
      expect(await sessions.insertBelow(session({ id: 'sess_3', tokenHash: '3', tenant: 'blue' }), 1)).toBe(
        true,
      );
      await sessions.end('red', 'sess_1', 2_000, 'done');
      expect(await sessions.insertBelow(session({ id: 'sess_4', tokenHash: '4' }), 1)).toBe(true);
      const late = session({ id: 'sess_5', tokenHash: '5', createdAt: 9_000, expiresAt: 10_000 });
      expect(await sessions.insertBelow(late, 1)).toBe(true);
    });

    test('a session ends once: the second caller is told nothing', async () => {
      await sessions.insertBelow(session(), 50);
      const both = await Promise.all([
        sessions.end('red', 'sess_0001', 2_000, 'first'),
        sessions.end('red', 'sess_0001', 3_000, 'second'),
      ]);
      expect(both.filter((ended) => ended !== undefined)).toHaveLength(1);
      expect(await sessions.extend('red', 'sess_0001', 2_500, 99_000)).toBe(false);
    });

    test('only what has expired is ended as expired', async () => {
      await sessions.insertBelow(session({ id: 'sess_1', tokenHash: '1', expiresAt: 5_000 }), 50);
      await sessions.insertBelow(session({ id: 'sess_2', tokenHash: '2', expiresAt: 5_001 }), 50);
      const ended = await sessions.endExpired(5_000);
      expect(ended.map(({ id, endReason, endedAt }) => ({ id, endReason, endedAt }))).toEqual([
        { id: 'sess_1', endReason: 'expired', endedAt: 5_000 },
      ]);
      expect(await sessions.endExpired(5_000)).toEqual([]);
      expect((await sessions.loadLive(5_000, 10)).map((live) => live.tokenHash)).toEqual(['2']);
    });

    test('pages show every row once, newest first, whatever was added meanwhile', async () => {
      for (let i = 10; i < 15; i += 1) {
        await sessions.insertBelow(session({ id: `sess_${i}`, tokenHash: `${i}` }), 50);
      }
      const first = await sessions.list('red', { limit: 2 });
      await sessions.insertBelow(session({ id: 'sess_20', tokenHash: '20' }), 50);
      const second = await sessions.list('red', { limit: 2, cursor: first.next_cursor ?? '' });
      const third = await sessions.list('red', { limit: 2, cursor: second.next_cursor ?? '' });
      const ids = [first, second, third].map((page) => page.items.map(({ id }) => id));
      expect(ids).toEqual([['sess_14', 'sess_13'], ['sess_12', 'sess_11'], ['sess_10']]);
      expect(third.next_cursor).toBeNull();
      const live = await sessions.list('red', {}, { liveAt: 9_000 });
      expect(live.items).toEqual([]);
    });

    test('a key that is stored twice is a conflict, and a revoked one is not found', async () => {
      await keys.insert(apiKey(1));
      await expect(keys.insert({ ...apiKey(2), hash: 'hash-1' })).rejects.toMatchObject({ code: 'Conflict' });
      expect(await keys.findLive('hash-1')).toMatchObject({ id: 'key_0001', tenant: 'red' });
      expect(await keys.revoke('red', 'key_0001', 5_000)).toMatchObject({ revokedAt: 5_000 });
      expect(await keys.revoke('red', 'key_0001', 6_000)).toBeUndefined();
      expect(await keys.findLive('hash-1')).toBeUndefined();
    });

    test('rotating revokes the secrets of the same agent only, and spares the new one', async () => {
      await secrets.insert(secret(1));
      await secrets.insert(secret(2, 'red', 'helper'));
      await secrets.insert(secret(3));
      await expect(secrets.insert({ ...secret(4), hash: 'hash-1' })).rejects.toMatchObject({
        code: 'Conflict',
      });
      const revoked = await secrets.revokeFor('red', undefined, 5_000, 'enr_0003');
      expect(revoked.map(({ id }) => id)).toEqual(['enr_0001']);
      const live = (await secrets.liveHashes()).map(({ id }) => id).sort();
      expect(live).toEqual(['enr_0002', 'enr_0003']);
    });

    test('no list shows a hash', async () => {
      await keys.insert(apiKey(1));
      await secrets.insert(secret(1));
      await sessions.insertBelow(session(), 50);
      const lists = [await keys.list('red'), await secrets.list('red'), await sessions.list('red')];
      expect(lists.map((list) => list.items.length)).toEqual([1, 1, 1]);
      expect(JSON.stringify(lists)).not.toContain('hash-1');
    });

    test('the first value of a meta key wins among those who ask at once', async () => {
      const meta = new MetaRepository(store);
      const values = await Promise.all(['a', 'b', 'c'].map((value) => meta.getOrSet('gateway_id', value)));
      expect(new Set(values).size).toBe(1);
      await meta.set('gateway_id', 'd');
      expect(await meta.get('gateway_id')).toBe('d');
      expect(await meta.get('nothing')).toBeUndefined();
    });

    describe('[ID-4] a method that is given one tenant', () => {
      beforeEach(async () => {
        await sessions.insertBelow(session({ tenant: 'blue' }), 50);
        await keys.insert(apiKey(1, 'blue'));
        await secrets.insert(secret(1, 'blue'));
      });

      test('never returns the rows of another', async () => {
        expect(await sessions.get('red', 'sess_0001')).toBeUndefined();
        const ofBlue = Buffer.from('sess_zzzz').toString('base64url');
        for (const page of [{}, { cursor: ofBlue }]) {
          expect((await sessions.list('red', page)).items).toEqual([]);
          expect((await keys.list('red', page)).items).toEqual([]);
          expect((await secrets.list('red', page)).items).toEqual([]);
        }
        expect((await sessions.listOfAllTenants()).items).toHaveLength(1);
      });

      test('never alters the rows of another', async () => {
        const before = await everything(store);
        expect(await sessions.end('red', 'sess_0001', 2_000, 'hostile')).toBeUndefined();
        expect(await sessions.extend('red', 'sess_0001', 2_000, 99_000)).toBe(false);
        expect(await keys.revoke('red', 'key_0001', 2_000)).toBeUndefined();
        expect(await secrets.revokeFor('red', undefined, 2_000)).toEqual([]);
        expect(await everything(store)).toEqual(before);
      });
    });
  });
}

async function everything(store: Store): Promise<unknown> {
  const { db } = store;
  return [
    await db.selectFrom('sessions').selectAll().execute(),
    await db.selectFrom('api_keys').selectAll().execute(),
    await db.selectFrom('enrollment_secrets').selectAll().execute(),
  ];
}
