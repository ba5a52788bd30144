import { waitUntil } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { forcePush, push } from './actions.ts';
import { type ApprovalsFixture, openFixture } from './approvals-fixture.ts';
import { FakeChannel } from './fake-channel.ts';

let chat: FakeChannel;
let fixture: ApprovalsFixture;
beforeEach(async () => {
  chat = new FakeChannel('chat');
  fixture = await openFixture({ channels: [chat] });
});
afterEach(() => fixture[Symbol.asyncDispose]());

const messageOf = (id: string) => chat.messages.get(`${id}/ana-1`);
const statusOf = async (id: string) => (await fixture.open.approvals.find(id))?.status;

/** A caller that asks and hangs up. */
async function leave(action = push()) {
  const caller = new AbortController();
  const verdict = fixture.gate.admit(action, { signal: caller.signal });
  const { id } = await fixture.question();
  await waitUntil('the message', () => messageOf(id) !== undefined);
  caller.abort();
  expect(await verdict).toMatchObject({ kind: 'deny', violation: 'ApprovalCancelled' });
  await waitUntil('the question to be cancelled', async () => (await statusOf(id)) === 'cancelled');
  return id;
}

describe('a caller that leaves', () => {
  test('cancels at once, and the message says so', async () => {
    const action = push();
    const id = await leave(action);
    await waitUntil('the message to say that it is cancelled', () => messageOf(id)?.status === 'cancelled');
    expect(await fixture.open.approvals.find(id)).toMatchObject({ cancelReason: 'caller-left' });
    expect(await fixture.eventsOf(action)).toContain('ApprovalEvent::Cancelled');
  });

  test('[AP-8] an answer after that changes nothing', async () => {
    const id = await leave();
    for (const reply of ['1', '2', '6'])
      expect(await chat.reply(id, 'ana-1', reply)).toMatchObject({ kind: 'too-late' });
    expect((await fixture.grants.list({ ended: true })).items).toEqual([]);
    expect(await statusOf(id)).toBe('cancelled');
  });

  test('before it asked, asks nothing', async () => {
    expect(await fixture.gate.admit(push(), { signal: AbortSignal.abort() })).toMatchObject({ kind: 'deny' });
    expect(await fixture.pending()).toEqual([]);
  });

  test('does not take along another caller with the same question', async () => {
    const caller = new AbortController();
    const gone = fixture.gate.admit(push(), { signal: caller.signal });
    const { id } = await fixture.question();
    // Without a look into the database it has joined before anything else happens.
    const stays = fixture
      .gateWith({ grants: { take: async () => undefined, refusing: async () => undefined } })
      .admit(push());
    await waitUntil('the message', () => messageOf(id) !== undefined);
    caller.abort();
    expect(await gone).toMatchObject({ kind: 'deny' });
    await chat.reply(id, 'ana-1', '1');
    expect(await stays).toMatchObject({ kind: 'allow', approval: id });
  });
});

describe('a caller that comes back', () => {
  test('within two minutes takes the same message over', async () => {
    const id = await leave();
    fixture.clock.advance(119_000);
    const action = push();
    const verdict = fixture.gate.admit(action);
    expect((await fixture.question()).id).toBe(id);
    await waitUntil('the message to be open again', () => messageOf(id)?.status === 'pending');
    expect(await chat.reply(id, 'ana-1', '1')).toMatchObject({ kind: 'decided' });
    expect(await verdict).toMatchObject({ kind: 'allow', approval: id });
    expect([...chat.messages.values()].filter(({ recipient }) => recipient.user === 'ana')).toHaveLength(1);
  });

  test('at once, while it is still being cancelled, does too', async () => {
    const caller = new AbortController();
    const gone = fixture.gate.admit(push(), { signal: caller.signal });
    const { id } = await fixture.question();
    await waitUntil('the message', () => messageOf(id) !== undefined);
    caller.abort();
    const second = push();
    const verdict = fixture.gate.admit(second);
    expect(await gone).toMatchObject({ kind: 'deny' });
    await waitUntil(
      'the question to belong to the second action',
      async () => (await fixture.open.approvals.find(id))?.actionId === second.id,
    );
    await waitUntil('the message to be open again', () => messageOf(id)?.status === 'pending');
    await fixture.open.delivered();
    await chat.reply(id, 'ana-1', '1');
    expect(await verdict).toMatchObject({ kind: 'allow', approval: id });
  });

  test('later than that asks anew', async () => {
    const id = await leave();
    fixture.clock.advance(121_000);
    const verdict = fixture.gate.admit(push());
    const again = await fixture.question();
    expect(again.id).not.toBe(id);
    await chat.reply(again.id, 'ana-1', '3');
    await verdict;
  });

  test('[AP-1] with other words is answered only once the message shows them', async () => {
    const id = await leave();
    await fixture.open.delivered();
    const shown = chat.update.bind(chat);
    const edited = Promise.withResolvers<void>();
    chat.update = async (ref, approval) => {
      await edited.promise;
      await shown(ref, approval);
    };
    const verdict = fixture.gate.admit(push({ preview: 'git push origin x\nx-date: 2', binding: 'b2' }));
    await waitUntil('the question to be open again', async () => (await statusOf(id)) === 'pending');
    expect(await chat.reply(id, 'ana-1', '1')).toMatchObject({
      kind: 'refused',
      message: 'the question has changed: read it again, then answer',
    });
    edited.resolve();
    await waitUntil(
      'the answer to decide',
      async () => (await chat.reply(id, 'ana-1', '1')).kind === 'decided',
    );
    expect(await verdict).toMatchObject({ kind: 'allow', approval: id });
  });
});

describe('"allow if it asks again"', () => {
  const again = (id: string, identity = 'ana-1') => chat.press(id, identity, { code: '1', again: true });

  test('lets exactly one pass within ten minutes', async () => {
    const id = await leave();
    expect(await again(id)).toEqual({
      kind: 'kept',
      approval: expect.objectContaining({ id }),
      until: fixture.clock.now() + 600_000,
    });
    expect(await fixture.gate.admit(push())).toMatchObject({ kind: 'allow', by: 'grant' });
    expect((await fixture.grants.list({ ended: true })).items).toMatchObject([
      { scope: 'once', covers: { kind: 'fingerprint', fingerprint: 'f' }, createdBy: 'ana', uses: 1 },
    ]);
  });

  test('ends after ten minutes', async () => {
    const id = await leave();
    await again(id);
    fixture.clock.advance(600_000);
    const verdict = fixture.gate.admit(push());
    await chat.reply((await fixture.question()).id, 'ana-1', '3');
    expect(await verdict).toMatchObject({ kind: 'deny' });
  });

  test('[AP-8] pressed twice, or for a question that did not end that way, leaves one grant or none', async () => {
    const id = await leave();
    const pressed = await Promise.all([again(id), again(id), again(id, 'bob-1')]);
    expect(pressed.filter(({ kind }) => kind === 'kept')).toHaveLength(1);
    expect((await fixture.grants.list({})).items).toHaveLength(1);
    const verdict = fixture.gate.admit(push({ fingerprint: 'g', binding: 'c' }));
    const pending = await fixture.question();
    expect(await again(pending.id)).toMatchObject({ kind: 'too-late' });
    await chat.reply(pending.id, 'ana-1', '3');
    expect(await again(pending.id)).toMatchObject({ kind: 'too-late' });
    await verdict;
    expect((await fixture.grants.list({})).items).toHaveLength(1);
  });

  test('[AP-7] is not for what is asked each time', async () => {
    const id = await leave(forcePush());
    expect(await again(id)).toMatchObject({ kind: 'refused' });
    expect((await fixture.grants.list({ ended: true })).items).toEqual([]);
  });
});
