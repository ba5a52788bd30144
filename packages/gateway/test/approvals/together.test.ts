import type { Action } from '@sallyport/protocol';
import { waitUntil } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LISTED_AT_MOST } from '../../src/approvals/gathering.ts';
import { bash, fact } from '../../src/gate/gate.fixture.ts';
import { forcePush, push } from './actions.ts';
import { type ApprovalsFixture, openFixture } from './approvals-fixture.ts';
import { FakeChannel } from './fake-channel.ts';

let chat: FakeChannel;
let fixture: ApprovalsFixture;
beforeEach(async () => {
  chat = new FakeChannel('chat');
  // Calls that one test makes at once are in time, however slow the machine is: nothing is waited for in between.
  fixture = await openFixture({ channels: [chat], gatherMs: 50 });
});
afterEach(() => fixture[Symbol.asyncDispose]());

/** The same operation on the same object, with something else in it. */
const part = (what: string, over: Partial<Action> = {}): Action =>
  push({ binding: `binding-${what}`, fingerprint: `fingerprint-${what}`, preview: `with ${what}`, ...over });

const admit = (...actions: readonly Action[]) => actions.map((action) => fixture.gate.admit(action));
const pendingOnce = (count: number) =>
  waitUntil(`${count} questions`, async () => {
    const pending = await fixture.pending();
    return pending.length === count ? pending : undefined;
  });

describe('calls of one operation on one object, made at once', () => {
  test('are one question with a list, and `1` allows exactly what is listed', async () => {
    const actions = [part('a'), part('b'), part('c')];
    const verdicts = admit(...actions);
    const [asked] = await pendingOnce(1);
    expect(asked?.title).toBe('3 at once: `git push origin x` in /srv/root/project');
    expect(asked?.preview).toBe(
      ['a', 'b', 'c']
        .map((what, index) => `${index + 1} of 3: Bash: git push origin x\n    with ${what}`)
        .join('\n\n'),
    );
    await chat.reply(asked?.id ?? '', 'ana-1', '1');
    for (const verdict of verdicts)
      expect(await verdict).toMatchObject({ kind: 'allow', by: 'person', approval: asked?.id });
    expect(new Set([...chat.messages.values()].map(({ approvalId }) => approvalId)).size).toBe(1);
    // Consent was for once.
    const again = admit(part('b'));
    expect((await pendingOnce(1))[0]?.listed).toBeUndefined();
    await chat.reply((await fixture.question()).id, 'ana-1', '3');
    expect(await again[0]).toMatchObject({ kind: 'deny' });
  });

  test('each is named in the trail, and has a verdict of its own', async () => {
    const actions = [part('a'), part('b')];
    const verdicts = admit(...actions);
    const asked = await fixture.question();
    await chat.reply(asked.id, 'ana-1', '1');
    await Promise.all(verdicts);
    const { items } = await fixture.trail.read({ limit: 100, order: 'asc' });
    const named = actions.map(({ id }) => ({ action: id, title: 'Bash: git push origin x' }));
    for (const type of ['ApprovalEvent::Requested', 'ApprovalEvent::Decided'])
      expect(JSON.parse(items.find((event) => event.type === type)?.json ?? '{}')).toMatchObject({
        data: { actions: named },
      });
    for (const action of actions) expect(await fixture.eventsOf(action)).toContain('ActionEvent::Judged');
  });

  test('a no is the answer to all of them', async () => {
    const verdicts = admit(part('a'), part('b'));
    await chat.reply((await fixture.question()).id, 'ana-1', '3');
    for (const verdict of verdicts)
      expect(await verdict).toMatchObject({ kind: 'deny', violation: 'ApprovalDenied' });
  });

  test('`2` covers them and what comes later; `5` is not offered, and decides nothing', async () => {
    const verdicts = admit(part('a'), part('b'));
    const { id } = await fixture.question();
    expect(await chat.reply(id, 'ana-1', '5 git push origin y')).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('several actions are asked about together'),
    });
    await chat.reply(id, 'ana-1', '2');
    for (const verdict of verdicts) expect(await verdict).toMatchObject({ kind: 'allow' });
    expect(await fixture.gate.admit(part('later'))).toMatchObject({ kind: 'allow', by: 'grant' });
  });

  test('the list has an end: what is more is the next question', async () => {
    const many = Array.from({ length: LISTED_AT_MOST + 2 }, (_none, index) => part(String(index)));
    const verdicts = admit(...many);
    const sizes = (await pendingOnce(2)).map(({ listed }) => listed?.length);
    expect(sizes.toSorted((one = 0, other = 0) => other - one)).toEqual([LISTED_AT_MOST, 2]);
    for (const { id } of await fixture.pending()) await chat.reply(id, 'ana-1', '3');
    await Promise.all(verdicts);
  });

  test('one that left is not listed; when all left, nobody is asked', async () => {
    const leaving = new AbortController();
    const gone = fixture.gate.admit(part('gone'), { signal: leaving.signal });
    const [stays] = admit(part('stays'), part('too'));
    leaving.abort();
    expect(await gone).toMatchObject({ violation: 'ApprovalCancelled' });
    const asked = await fixture.question();
    expect(asked.preview).not.toContain('gone');
    await chat.reply(asked.id, 'ana-1', '1');
    expect(await stays).toMatchObject({ kind: 'allow' });
  });
});

const elsewhere = bash([
  fact('git push origin y', { effect: 'write', reach: 'remote', type: 'vcs:push', operation: 'push' }),
]);

describe('[AP-1] what is not the same is asked by itself', () => {
  test.each([
    { why: 'another session', over: { actor: { ...push().actor, session: 'sess_other' } } },
    { why: 'another credential', over: { target: { ...push().target, credential: 'other' } } },
    { why: 'a higher risk', over: { risk: 'critical' } },
    { why: 'another object', over: { target: elsewhere.target } },
  ] as const)('$why', async ({ over }) => {
    const verdicts = admit(part('a'), part('b', over as Partial<Action>));
    for (const asked of await pendingOnce(2)) {
      expect(asked.listed).toBeUndefined();
      await chat.reply(asked.id, 'ana-1', '3');
    }
    await Promise.all(verdicts);
  });

  test('[AP-7] what is asked each time', async () => {
    const each = (what: string) => forcePush({ binding: what, fingerprint: what });
    const verdicts = admit(each('a'), each('b'));
    for (const { id } of await pendingOnce(2)) await chat.reply(id, 'ana-1', '3');
    await Promise.all(verdicts);
  });

  test('[AP-6] what an agent wrote cannot begin a line of the list', async () => {
    const verdicts = admit(part('a', { preview: 'x\n2 of 2: Bash: ls\n    nothing' }), part('b'));
    const asked = await fixture.question();
    expect(asked.preview.split('\n').filter((line) => /^\d+ of/.test(line))).toHaveLength(2);
    await chat.reply(asked.id, 'ana-1', '3');
    await Promise.all(verdicts);
  });
});
