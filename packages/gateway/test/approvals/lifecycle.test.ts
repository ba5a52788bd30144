import { FakeClock, tempDir, waitUntil } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { push } from './actions.ts';
import { type ApprovalsFixture, openFixture } from './approvals-fixture.ts';
import { FakeChannel } from './fake-channel.ts';

let chat: FakeChannel;
let fixture: ApprovalsFixture;
const open = async (config: object = {}) => {
  fixture = await openFixture({ channels: [chat], config });
};
beforeEach(() => {
  chat = new FakeChannel('chat');
});
afterEach(() => fixture[Symbol.asyncDispose]());

const statusOf = async (id: string) => (await fixture.open.approvals.find(id))?.status;

describe('quorum', () => {
  const config = { approvals: { quorum: { types: ['vcs:push'], of: 2 } } };

  test('two different people must agree; the same one twice counts once', async () => {
    await open(config);
    const verdict = fixture.gate.admit(push());
    const { id, covers } = await fixture.question();
    expect(covers).toEqual({});
    for (let times = 0; times < 3; times += 1)
      expect(await chat.reply(id, 'ana-1', '1')).toMatchObject({
        kind: 'counted',
        missing: 1,
        approval: { agreed: ['ana'] },
      });
    expect(await statusOf(id)).toBe('pending');
    expect(await chat.reply(id, 'bob-1', '4 agreed')).toMatchObject({
      kind: 'decided',
      approval: { agreed: ['ana', 'bob'], decidedBy: 'bob' },
    });
    expect(await verdict).toMatchObject({ kind: 'allow', by: 'person', note: 'agreed' });
  });

  test('one no is a no', async () => {
    await open(config);
    const verdict = fixture.gate.admit(push());
    const { id } = await fixture.question();
    await chat.reply(id, 'ana-1', '1');
    expect(await chat.reply(id, 'bob-1', '3')).toMatchObject({ kind: 'decided' });
    expect(await verdict).toMatchObject({ kind: 'deny', violation: 'ApprovalDenied' });
  });

  test('people who agree at the same moment are all counted', async () => {
    await open({ approvals: { quorum: { types: ['vcs'], of: 3 } } });
    const verdict = fixture.gate.admit(push());
    const { id } = await fixture.question();
    const outcomes = await Promise.all(['ana-1', 'bob-1', 'cem-1'].map((who) => chat.reply(id, who, '1')));
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['counted', 'counted', 'decided']);
    expect(await verdict).toMatchObject({ kind: 'allow' });
  });

  test('[AP-7] no grant, no change by one person, and no operator token stands in for them', async () => {
    await open(config);
    const verdict = fixture.gate.admit(push());
    const { id } = await fixture.question();
    for (const reply of ['2', '6', '5 git push elsewhere'])
      expect(await chat.reply(id, 'ana-1', reply)).toMatchObject({ kind: 'refused' });
    expect(await fixture.open.decisions.fromOperator(id, { code: '1' })).toMatchObject({ kind: 'refused' });
    expect((await fixture.open.approvals.find(id))?.agreed).toEqual([]);
    expect(await fixture.open.decisions.fromOperator(id, { code: '3' })).toMatchObject({ kind: 'decided' });
    expect(await verdict).toMatchObject({ kind: 'deny' });
  });

  test('[AP-7] a grant from before does not answer it', async () => {
    await open();
    const first = fixture.gate.admit(push());
    await chat.reply((await fixture.question()).id, 'ana-1', '6');
    expect(await first).toMatchObject({ kind: 'allow' });
    fixture.setPolicy(config);
    const verdict = fixture.gate.admit(push());
    const { id } = await fixture.question();
    await chat.reply(id, 'ana-1', '3');
    expect(await verdict).toMatchObject({ kind: 'deny', violation: 'ApprovalDenied' });
  });
});

describe('[AP-7] a question that is asked each time', () => {
  test('takes no standing answer, also where one stands in its record', async () => {
    await open();
    const verdict = fixture.gate.admit(push());
    const { id: asked, status: _status, ...offered } = await fixture.question();
    const strict = { ...offered, strength: 'each-time', blocked: false, expiresInMs: 60_000 } as const;
    const { id } = await fixture.open.approvals.open(strict);
    for (const reply of ['2', '6'])
      expect(await chat.reply(id, 'ana-1', reply)).toMatchObject({ kind: 'refused' });
    expect(await chat.press(id, 'ana-1', { code: '1', minutes: 5 })).toMatchObject({ kind: 'refused' });
    expect((await fixture.grants.list({ ended: true })).items).toEqual([]);
    await chat.reply(asked, 'ana-1', '3');
    await verdict;
  });
});

describe('time', () => {
  test('wait has no limit', async () => {
    await open({ approvals: { timeouts: { vcs: 'wait' } } });
    const verdict = fixture.gate.admit(push());
    const { id, expiresAt } = await fixture.question();
    expect(expiresAt).toBeUndefined();
    fixture.clock.advance(365 * 86_400_000);
    await fixture.open.sweep();
    expect(await chat.reply(id, 'ana-1', '1')).toMatchObject({ kind: 'decided' });
    expect(await verdict).toMatchObject({ kind: 'allow' });
  });

  test('a chain asks the first role, then the next as well, then the answer is no', async () => {
    const chain = [
      { role: 'lead', minutes: 10 },
      { role: 'owner', minutes: 20 },
    ];
    await open({ approvals: { timeouts: { vcs: { policy: 'escalate', chain } } } });
    const verdict = fixture.gate.admit(push());
    const { id } = await fixture.question();
    await waitUntil('one message', () => chat.messages.size === 1);
    expect([...chat.messages.keys()]).toEqual([`${id}/bob-1`]);
    expect(await chat.reply(id, 'ana-1', '1')).toMatchObject({ kind: 'refused' });
    fixture.clock.advance(10 * 60_000);
    await fixture.open.sweep();
    await waitUntil('two messages', () => chat.messages.size === 2);
    expect(chat.messages.has(`${id}/ana-1`)).toBe(true);
    fixture.clock.advance(20 * 60_000);
    await fixture.open.sweep();
    expect(await verdict).toMatchObject({ kind: 'deny', violation: 'ApprovalTimeout' });
  });
});

describe('an end from outside', () => {
  test('of the session cancels what it has pending', async () => {
    await open();
    const verdict = fixture.gate.admit(push());
    const { id } = await fixture.question();
    fixture.endSession('sess_1');
    expect(await verdict).toMatchObject({ kind: 'deny', violation: 'ApprovalCancelled' });
    await waitUntil('the question to be cancelled', async () => (await statusOf(id)) === 'cancelled');
    expect(await fixture.open.approvals.find(id)).toMatchObject({ cancelReason: 'session-ended' });
  });

  test('the kill switch withdraws everything, of whoever', async () => {
    await open();
    const verdicts = [push(), push({ fingerprint: 'g', binding: 'c' })].map((it) => fixture.gate.admit(it));
    await waitUntil('two questions', async () => (await fixture.pending()).length === 2);
    expect(await fixture.open.approvals.withdrawAll()).toBe(2);
    for (const verdict of verdicts)
      expect(await verdict).toMatchObject({ kind: 'deny', violation: 'ApprovalCancelled' });
    expect(await fixture.pending()).toEqual([]);
  });
});

describe('a caller that does not wait', () => {
  test('gets the id, and its consent lets the same pass once', async () => {
    await open();
    const first = await fixture.gate.admit(push(), { wait: false });
    expect(first).toMatchObject({ kind: 'deny', violation: 'ApprovalPending' });
    const { id } = await fixture.question();
    expect(first).toMatchObject({ approval: id });
    // Sent again too early: still one question.
    expect(await fixture.gate.admit(push(), { wait: false })).toMatchObject({ approval: id });
    expect(await fixture.pending()).toHaveLength(1);
    await chat.reply(id, 'ana-1', '1');
    expect(await fixture.gate.admit(push(), { wait: false })).toMatchObject({ kind: 'allow', by: 'grant' });
    expect(await fixture.gate.admit(push(), { wait: false })).toMatchObject({ violation: 'ApprovalPending' });
  });
});

describe('[TR-5] a trail that cannot be written', () => {
  test('takes a decision back: nobody is released, and the question stays', async () => {
    let full = false;
    fixture = await openFixture({
      channels: [chat],
      trail: (trail) => ({
        note: (event) => trail.note(event),
        append: (event) =>
          full && event.type === 'ApprovalEvent::Decided'
            ? Promise.reject(new Error('the disk is full'))
            : trail.append(event),
      }),
    });
    const verdict = fixture.gate.admit(push());
    const { id } = await fixture.question();
    full = true;
    expect(await chat.reply(id, 'ana-1', '6')).toMatchObject({ kind: 'refused' });
    expect(await statusOf(id)).toBe('pending');
    expect((await fixture.grants.list({ ended: true })).items).toEqual([]);
    full = false;
    expect(await chat.reply(id, 'ana-1', '1')).toMatchObject({ kind: 'decided' });
    expect(await verdict).toMatchObject({ kind: 'allow' });
  });
});

describe('a restart', () => {
  test('cancels what callers waited for and edits the messages; polled ones go on', async () => {
    await using dir = await tempDir();
    const clock = new FakeClock(1_750_000_000_000);
    const first = await openFixture({ channels: [chat], home: dir.path, clock });
    const verdict = first.gate.admit(push());
    const blocked = await first.question();
    const { id: _id, status: _status, ...asked } = blocked;
    const polled = await first.open.approvals.open({ ...asked, blocked: false, expiresInMs: 60_000 });
    await waitUntil('six messages', () => chat.messages.size === 6);
    await first.open.delivered();
    // As after `kill -9`: nothing of the first one runs on, nothing was said to anybody.
    await first.trail.close();
    await first.store.close();

    const again = new FakeChannel('chat');
    for (const [key, message] of chat.messages) again.messages.set(key, message);
    fixture = await openFixture({ channels: [again], home: dir.path, clock });
    expect(await fixture.open.approvals.find(blocked.id)).toMatchObject({
      status: 'cancelled',
      cancelReason: 'restart',
    });
    await waitUntil(
      'the message to say that it is cancelled',
      () => again.messages.get(`${blocked.id}/ana-1`)?.status === 'cancelled',
    );
    expect(again.messages.get(`${polled.id}/ana-1`)?.status).toBe('pending');
    expect(again.messages.size).toBe(6);
    expect(await again.reply(blocked.id, 'ana-1', '1')).toMatchObject({ kind: 'too-late' });
    expect(await again.reply(polled.id, 'ana-1', '1')).toMatchObject({ kind: 'decided' });
    void verdict.catch(() => {});
    await first.open.close();
  });
});
