import { rounds } from '@sallyport/testkit/rounds';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AnswerOutcome } from '../../src/approvals/index.ts';
import { push } from './actions.ts';
import { type ApprovalsFixture, openFixture } from './approvals-fixture.ts';
import { FakeChannel } from './fake-channel.ts';

const ROUNDS = rounds(1_000);

let chat: FakeChannel;
let mail: FakeChannel;
let fixture: ApprovalsFixture;
beforeEach(async () => {
  chat = new FakeChannel('chat');
  mail = new FakeChannel('mail');
  fixture = await openFixture({ channels: [chat, mail] });
});
afterEach(() => fixture[Symbol.asyncDispose]());

describe('[AP-4] of two answers', () => {
  test(`on two channels, ${ROUNDS} times, exactly one wins and both people are told`, async () => {
    const draft = await draftOf();
    let approved = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await fixture.open.approvals.open(draft);
      const yes = (): Promise<AnswerOutcome> => chat.reply(id, 'ana-1', '1');
      const no = (): Promise<AnswerOutcome> => mail.reply(id, 'bob@x', '3');
      const outcomes = await Promise.all(round % 2 === 0 ? [yes(), no()] : [no(), yes()]);
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['decided', 'too-late']);
      const final = await fixture.open.approvals.find(id);
      // Both see the same end, whichever of them made it.
      for (const outcome of outcomes) {
        if (outcome.kind !== 'decided' && outcome.kind !== 'too-late') throw new Error(outcome.kind);
        expect(outcome.approval).toMatchObject({ status: final?.status, decidedBy: final?.decidedBy });
      }
      if (final?.status === 'approved') approved += 1;
    }
    // Who comes first wins: neither side always.
    expect(approved).toBeGreaterThan(0);
    expect(approved).toBeLessThan(ROUNDS);
  });

  test('an allow for one execution releases one of several callers with the same question', async () => {
    const callers = Array.from({ length: 5 }, () => fixture.gate.admit(push()));
    let allowed = 0;
    for (const reply of ['1', '1', '3']) {
      await chat.reply((await fixture.question()).id, 'ana-1', reply);
      if (reply === '1') allowed += 1;
    }
    const verdicts = await Promise.all(callers);
    expect(verdicts.filter(({ kind }) => kind === 'allow')).toHaveLength(allowed);
  });

  test('the same button twice decides once', async () => {
    const { id } = await fixture.open.approvals.open(await draftOf());
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => chat.reply(id, 'ana-1', '6')));
    expect(outcomes.filter(({ kind }) => kind === 'decided')).toHaveLength(1);
    expect((await fixture.grants.list({})).items).toHaveLength(1);
  });

  /** A question as the gate makes it, to be opened without a caller. */
  async function draftOf() {
    const caller = new AbortController();
    const verdict = fixture.gate.admit(push(), { signal: caller.signal });
    const { id: _id, status: _status, ...asked } = await fixture.question();
    caller.abort();
    await verdict;
    return { ...asked, blocked: false, expiresInMs: 60_000 };
  }
});
