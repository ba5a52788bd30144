import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ApprovalMessagesRepository,
  type ApprovalRow,
  ApprovalsRepository,
  openStore,
  type Store,
  type StoreLocation,
} from '../../src/store/index.ts';

const row = (over: Partial<ApprovalRow> = {}): ApprovalRow => ({
  id: 'appr_1',
  tenant: 'red',
  owner: 'gateway-1',
  status: 'pending',
  settled: 1,
  blocked: 0,
  client: 'c1',
  session: 'sess_1',
  fingerprint: 'f',
  binding: 'b',
  action_id: 'act_1',
  question: '{"title":"t"}',
  created_at: 1_000,
  expires_at: 2_000,
  agreed: '[]',
  decision: null,
  decided_by: null,
  decided_via: null,
  decided_at: null,
  answered_by: null,
  cancel_reason: null,
  ended_at: null,
  ...over,
});
const approved = { status: 'approved', decision: '{"code":"1"}', decided_by: 'ana', ended_at: 1_500 };

/** What both engines promise of the rows of `approvals`. */
export function describeApprovalsContract(name: string, fresh: () => Promise<StoreLocation>): void {
  describe(`approvals on ${name}`, () => {
    let store: Store;
    let approvals: ApprovalsRepository;
    let messages: ApprovalMessagesRepository;
    beforeAll(async () => {
      store = await openStore(await fresh());
      approvals = new ApprovalsRepository(store);
      messages = new ApprovalMessagesRepository(store);
    });
    beforeEach(async () => {
      for (const table of ['approvals', 'approval_messages', 'idempotency_keys'] as const)
        await store.db.deleteFrom(table).execute();
    });
    afterAll(() => store.close());

    test('one comes back as it was stored', async () => {
      await approvals.insert(row());
      expect(await approvals.find('appr_1')).toEqual(row());
      expect(await approvals.find('appr_2')).toBeUndefined();
    });

    test('[AP-4] of many endings at the same time exactly one succeeds', async () => {
      await approvals.insert(row());
      const tries = Array.from({ length: 20 }, (_, i) =>
        approvals.end('appr_1', { ...approved, decided_by: `user-${i}` }, 1_500),
      );
      const won = (await Promise.all(tries)).filter((ended) => ended !== undefined);
      expect(won).toHaveLength(1);
      expect((await approvals.find('appr_1'))?.decided_by).toBe(won[0]?.decided_by);
      expect(await approvals.cancel('appr_1', 'late', 1_600)).toBeUndefined();
    });

    test('[AP-8] what has expired by the clock is not decided, swept or not', async () => {
      await approvals.insert(row());
      expect(await approvals.end('appr_1', approved, 2_000)).toBeUndefined();
      expect(await approvals.expireDue(1_999)).toEqual([]);
      expect((await approvals.expireDue(2_000)).map(({ id }) => id)).toEqual(['appr_1']);
      expect(await approvals.expireDue(2_000)).toEqual([]);
    });

    test('without a time it never expires', async () => {
      await approvals.insert(row({ expires_at: null }));
      expect(await approvals.expireDue(Number.MAX_SAFE_INTEGER)).toEqual([]);
      expect(await approvals.end('appr_1', approved, 9_999_999)).toMatchObject({ status: 'approved' });
    });

    test('people who agree at the same time are counted one after the other', async () => {
      await approvals.insert(row());
      const tries = ['["ana"]', '["bob"]', '["cem"]'].map((after) => approvals.agree('appr_1', '[]', after));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
      expect(await approvals.end('appr_1', approved, 1_500, '[]')).toBeUndefined();
    });

    test('an ending that was not recorded is taken back, a recorded one is not', async () => {
      await approvals.insert(row());
      await approvals.end('appr_1', approved, 1_500);
      expect((await approvals.unsettled('gateway-1', 1_500)).map(({ id }) => id)).toEqual(['appr_1']);
      expect(await approvals.unsettled('gateway-2', 1_500)).toEqual([]);
      await approvals.reopenUnsettled('appr_1');
      expect(await approvals.find('appr_1')).toEqual(row());
      await approvals.end('appr_1', approved, 1_500);
      await approvals.settle('appr_1', 'grant_1');
      await approvals.reopenUnsettled('appr_1');
      expect(await approvals.find('appr_1')).toMatchObject({ status: 'approved', answered_by: 'grant_1' });
      expect(await approvals.unsettled('gateway-1', 9_999)).toEqual([]);
    });

    test('a question whose caller left is taken over once, and not after it was answered', async () => {
      await approvals.insert(row());
      await approvals.cancel('appr_1', 'caller-left', 1_500);
      const back = row({ action_id: 'act_2', binding: 'b2', created_at: 1_600, expires_at: 2_600 });
      expect(await approvals.takeOver(back)).toBe(false);
      await approvals.settle('appr_1', null);
      const tries = Array.from({ length: 5 }, () => approvals.takeOver(back));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
      expect(await approvals.find('appr_1')).toEqual(back);
      await approvals.cancel('appr_1', 'caller-left', 1_700);
      await approvals.settle('appr_1', null);
      const claims = ['ana', 'bob'].map((user) => approvals.claimAgain('appr_1', user));
      expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
      expect(await approvals.takeOver(back)).toBe(false);
    });

    test('a restart, a session and the kill switch cancel what is theirs and pending', async () => {
      await approvals.insert(row({ id: 'appr_1', blocked: 1 }));
      await approvals.insert(row({ id: 'appr_2', blocked: 1, owner: 'gateway-2' }));
      await approvals.insert(row({ id: 'appr_3', session: 'sess_2' }));
      await approvals.insert(row({ id: 'appr_4', session: null, status: 'denied' }));
      const ids = (rows: readonly ApprovalRow[]) => rows.map(({ id }) => id);
      expect(ids(await approvals.cancelBlocked('gateway-1', 'restart', 1_500))).toEqual(['appr_1']);
      expect(ids(await approvals.cancelOfSession('sess_2', 'session-ended', 1_500))).toEqual(['appr_3']);
      expect(ids(await approvals.cancelAll('withdrawn', 1_500))).toEqual(['appr_2']);
    });

    test('a key brings the first question back, to its own client only', async () => {
      const key = { key: 'k', requestHash: 'h' };
      expect(await approvals.insert(row(), key)).toBeUndefined();
      expect(await approvals.insert(row({ id: 'appr_2' }), key)).toEqual({
        requestHash: 'h',
        approval: row(),
      });
      expect(await approvals.find('appr_2')).toBeUndefined();
      expect(await approvals.insert(row({ id: 'appr_3', client: 'c2' }), key)).toBeUndefined();
      expect(await approvals.insert(row({ id: 'appr_4', tenant: 'blue' }), key)).toBeUndefined();
      await approvals.forgetKeys(1_001);
      expect(await approvals.findKeyed('red', 'c1', 'k')).toBeUndefined();
    });

    test('of two requests with one key at the same time, one is stored', async () => {
      const key = { key: 'k', requestHash: 'h' };
      const tries = Array.from({ length: 5 }, (_, i) => approvals.insert(row({ id: `appr_${i}` }), key));
      expect((await Promise.all(tries)).filter((before) => before === undefined)).toHaveLength(1);
      expect(await approvals.countPending('red', 'c1', 0)).toBe(1);
    });

    test('what is due counts as pending no more, before anybody expired it', async () => {
      const due = { session: 's1', fingerprint: 'f1', blocked: 0, expires_at: 2_000 };
      await approvals.insert(row(due));
      const same = async (now: number) => (await approvals.findSame('red', 's1', 'f1', now))?.id;
      expect([await approvals.countPending('red', 'c1', 1_999), await same(1_999)]).toEqual([1, 'appr_1']);
      expect([await approvals.countPending('red', 'c1', 2_000), await same(2_000)]).toEqual([0, undefined]);
    });

    test('[ID-4] lists and counts see what they are asked for', async () => {
      await approvals.insert(row());
      await approvals.insert(row({ id: 'appr_2', tenant: 'blue', client: 'c2', status: 'denied' }));
      const ids = async (filter: object) => (await approvals.list(filter)).items.map(({ id }) => id);
      expect(await ids({})).toEqual(['appr_2', 'appr_1']);
      expect(await ids({ tenant: 'red' })).toEqual(['appr_1']);
      expect(await ids({ client: 'c2' })).toEqual(['appr_2']);
      expect(await ids({ status: 'pending' })).toEqual(['appr_1']);
      expect(await approvals.countPending('blue', undefined, 0)).toBe(0);
      expect((await approvals.findMany(['appr_1', 'appr_9'])).map(({ id }) => id)).toEqual(['appr_1']);
      expect((await approvals.pendingOf('gateway-1', 10)).map(({ id }) => id)).toEqual(['appr_1']);
    });

    test('a message that shows an ended question as open is found, until it was edited', async () => {
      await approvals.insert(row());
      const message = {
        id: 'msg_1',
        approval_id: 'appr_1',
        tenant: 'red',
        channel: 'chat',
        user_name: 'ana',
        identity: '1',
        ref: '{}',
        shown: 'pending:x',
        sent_at: 1_000,
      };
      await messages.insert(message);
      await messages.insert({ ...message, id: 'msg_2', user_name: 'bob' });
      expect(await messages.stale(10)).toEqual([]);
      await approvals.cancel('appr_1', 'restart', 1_500);
      await approvals.settle('appr_1', null);
      expect(await messages.stale(10)).toEqual(['appr_1']);
      expect(await messages.shownTo('appr_1', 'chat', 'ana')).toBe('pending:x');
      for (const { id } of await messages.of('appr_1')) await messages.show(id, 'cancelled');
      expect(await messages.stale(10)).toEqual([]);
      expect(await messages.shownTo('appr_1', 'chat', 'cem')).toBeUndefined();
    });
  });
}
