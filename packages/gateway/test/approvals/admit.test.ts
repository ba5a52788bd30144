import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bash, fact } from '../../src/gate/gate.fixture.ts';
import { type ApprovalsFixture, openFixture } from './approvals-fixture.ts';
import { FakeChannel } from './fake-channel.ts';

const push = (over: object = {}) =>
  bash([fact('git push origin x', { effect: 'write', reach: 'remote', type: 'vcs:push' })], {
    id: `act_${Math.random()}`,
    effect: 'write',
    reach: 'remote',
    type: 'vcs:push',
    preview: 'git push origin x',
    ...over,
  });

let chat: FakeChannel;
let fixture: ApprovalsFixture;
beforeEach(async () => {
  chat = new FakeChannel('chat');
  fixture = await openFixture({ channels: [chat] });
});
afterEach(() => fixture[Symbol.asyncDispose]());

describe('a blocked caller', () => {
  test('is released by the decision, with one verdict in the trail', async () => {
    const action = push();
    const verdict = fixture.gate.admit(action);
    const { id } = await fixture.question();
    expect(await chat.reply(id, 'ana-1', '1')).toMatchObject({ kind: 'decided' });
    expect(await verdict).toMatchObject({ kind: 'allow', by: 'person', approval: id });
    const events = await fixture.eventsOf(action);
    expect(events.filter((type) => type === 'ActionEvent::Judged')).toHaveLength(1);
    expect(events.filter((type) => type !== 'ApprovalEvent::Notified')).toEqual([
      'ApprovalEvent::Requested',
      'ApprovalEvent::Decided',
      'ActionEvent::Judged',
    ]);
  });
});
