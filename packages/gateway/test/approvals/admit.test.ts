import { waitUntil } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { forcePush, push } from './actions.ts';
import { type ApprovalsFixture, CONFIG, openFixture } from './approvals-fixture.ts';
import { FakeChannel } from './fake-channel.ts';

let chat: FakeChannel;
let fixture: ApprovalsFixture;
beforeEach(async () => {
  chat = new FakeChannel('chat');
  fixture = await openFixture({ channels: [chat] });
});
afterEach(() => fixture[Symbol.asyncDispose]());

/** Admits, lets a person answer, and returns both. */
async function answered(action = push(), reply = '1', options = {}) {
  const verdict = fixture.gate.admit(action, options);
  const asked = await fixture.question();
  const outcome = await chat.reply(asked.id, 'ana-1', reply);
  return { asked, outcome, verdict: await verdict };
}

describe('a caller that waits', () => {
  test('is released by the decision, with one verdict in the trail', async () => {
    const action = push();
    const { asked, outcome, verdict } = await answered(action);
    expect(outcome).toMatchObject({ kind: 'decided', approval: { status: 'approved', decidedBy: 'ana' } });
    expect(verdict).toMatchObject({ kind: 'allow', by: 'person', approval: asked.id });
    const events = await fixture.eventsOf(action);
    expect(events.filter((type) => type !== 'ApprovalEvent::Notified')).toEqual([
      'ApprovalEvent::Requested',
      'ApprovalEvent::Decided',
      'ActionEvent::Judged',
    ]);
  });

  test('[AP-9] is refused when what it does is another thing by now, whatever people said', async () => {
    const action = push();
    const same = await answered(action, '1', { again: () => push() });
    expect(same.verdict).toMatchObject({ kind: 'allow', by: 'person' });
    const moved = push({ binding: 'another' });
    const { verdict } = await answered(push(), '1', { again: () => moved });
    expect(verdict).toMatchObject({ kind: 'deny', violation: 'Conflict' });
  });

  test('learns that a person said no', async () => {
    const { verdict } = await answered(push(), '3');
    expect(verdict).toMatchObject({ kind: 'deny', violation: 'ApprovalDenied', reason: '`ana` said no' });
  });

  test('gets the note of the person', async () => {
    expect((await answered(push(), '4 with care')).verdict).toMatchObject({
      kind: 'allow',
      note: 'with care',
    });
  });

  test('learns of a timeout as a timeout, never as a no', async () => {
    const action = push();
    const verdict = fixture.gate.admit(action);
    const { id } = await fixture.question();
    fixture.clock.advance(3_600_000);
    await fixture.open.sweep();
    expect(await verdict).toMatchObject({ kind: 'deny', violation: 'ApprovalTimeout', approval: id });
    expect(await fixture.eventsOf(action)).toContain('ApprovalEvent::Expired');
  });

  test('the question says what, who, why and what a standing answer covers', async () => {
    const { asked } = await answered();
    expect(asked).toMatchObject({
      title: 'Bash: git push origin x',
      preview: 'git push origin x',
      reason: { layer: 'mode', reason: 'a remote write that no exception covers' },
      selfDeclared: false,
      blocked: true,
      quorum: 1,
      policyRevision: 'test',
    });
    expect(asked.covers.session).toContain('`dev`');
    expect(asked.expiresAt).toBe(fixture.clock.now() + 3_600_000);
  });

  test('[GA-5] when people cannot be asked, the answer is no', async () => {
    const down = () => Promise.reject(new Error('down'));
    const approvals = { ask: down, open: down, quorumOf: () => 1 };
    expect(await fixture.gateWith({ approvals }).admit(push())).toMatchObject({
      kind: 'deny',
      violation: 'EvaluationFailed',
    });
  });
});

describe('what a decision leaves behind', () => {
  test.each([
    ['2', 'session'],
    ['6', 'always'],
  ])('code %s leaves a grant for %s, which answers the next one', async (code, scope) => {
    const { asked } = await answered(push(), code);
    const [grant] = (await fixture.grants.list({})).items;
    expect(grant).toMatchObject({ scope, approvalId: asked.id, createdBy: 'ana', agent: 'dev' });
    expect(await fixture.gate.admit(push())).toMatchObject({ kind: 'allow', by: 'grant', grant: grant?.id });
  });

  test('minutes leave a timed one, and it ends', async () => {
    const verdict = fixture.gate.admit(push());
    const { id } = await fixture.question();
    await chat.press(id, 'ana-1', { code: '1', minutes: 15 });
    expect(await verdict).toMatchObject({ kind: 'allow', by: 'person' });
    expect(await fixture.gate.admit(push())).toMatchObject({ kind: 'allow', by: 'grant' });
    fixture.clock.advance(15 * 60_000);
    const later = fixture.gate.admit(push());
    await chat.reply((await fixture.question()).id, 'ana-1', '3');
    expect(await later).toMatchObject({ kind: 'deny' });
  });

  test('once leaves nothing', async () => {
    await answered();
    expect((await fixture.grants.list({ ended: true })).items).toEqual([]);
  });

  test('[AP-7] for what is asked each time no standing answer is taken, and none is offered', async () => {
    const verdict = fixture.gate.admit(forcePush());
    const { id, covers } = await fixture.question();
    expect(covers).toEqual({});
    for (const reply of ['2', '6'])
      expect(await chat.reply(id, 'ana-1', reply)).toMatchObject({ kind: 'refused' });
    expect(await chat.press(id, 'ana-1', { code: '1', minutes: 5 })).toMatchObject({ kind: 'refused' });
    expect(await chat.reply(id, 'ana-1', '1')).toMatchObject({ kind: 'decided' });
    expect(await verdict).toMatchObject({ kind: 'allow', by: 'person' });
    expect((await fixture.grants.list({ ended: true })).items).toEqual([]);
  });
});

describe('[AP-9] after the wait', () => {
  test('a deny of that moment wins over the yes', async () => {
    const action = push();
    const verdict = fixture.gate.admit(action);
    const { id } = await fixture.question();
    fixture.setPolicy({ agents: { dev: { permissions: ['deny:Bash(git push *)', 'allow:*'] } } });
    expect(await chat.reply(id, 'ana-1', '1')).toMatchObject({ kind: 'decided' });
    expect(await verdict).toMatchObject({ kind: 'deny', violation: 'RuleDenied', approval: id });
    const verdicts = (await fixture.eventsOf(action)).filter((type) => !type.startsWith('ApprovalEvent'));
    expect(verdicts).toEqual(['MCPToolEvent::ToolPolicyViolation']);
  });

  test('a session that ended meanwhile gets nothing', async () => {
    let alive = true;
    const gate = fixture.gateWith({
      identityOf: () => ({
        kind: 'session',
        alive,
        expiresAt: fixture.clock.now() + 1_000,
        rights: { permitted: true },
      }),
    });
    const verdict = gate.admit(push());
    const { id } = await fixture.question();
    alive = false;
    await chat.reply(id, 'ana-1', '1');
    expect(await verdict).toMatchObject({ kind: 'deny', violation: 'NotAuthenticated' });
  });

  test('the call itself does not count against its own limit, other calls do', async () => {
    const limits = { max_calls_per_execution: 1 };
    fixture.setPolicy({ agents: { dev: { permissions: ['allow:*'], limits } } });
    const one = push({ actor: { execution: 'exec_1' } });
    expect((await answered(one)).verdict).toMatchObject({ kind: 'allow' });
    const verdict = fixture.gate.admit(push({ actor: { execution: 'exec_2' } }));
    const { id } = await fixture.question();
    await fixture.gate.admit(push({ actor: { execution: 'exec_2' } }));
    await chat.reply(id, 'ana-1', '1');
    expect(await verdict).toMatchObject({ kind: 'deny', violation: 'RateLimitExceeded' });
  });

  test('a quorum that is asked for meanwhile is asked for', async () => {
    const verdict = fixture.gate.admit(push());
    const { id } = await fixture.question();
    fixture.setPolicy({ approvals: { quorum: { types: ['vcs:push'], of: 2 } } });
    await chat.reply(id, 'ana-1', '1');
    await waitUntil('another question', async () =>
      (await fixture.pending()).some((approval) => approval.id !== id),
    );
    const second = await fixture.question();
    expect(second.quorum).toBe(2);
    await chat.reply(second.id, 'ana-1', '3');
    expect(await verdict).toMatchObject({ kind: 'deny', violation: 'ApprovalDenied' });
  });
});

describe('[AP-1] consent is to what was shown', () => {
  test.each([
    ['another payload', { fingerprint: 'g', binding: 'c', preview: 'git push origin y' }],
    ['another binding', { binding: 'c' }],
    ['another agent', { actor: { agent: 'ops' } }],
  ])('%s asks anew', async (_what, over) => {
    const first = fixture.gate.admit(push());
    const { id } = await fixture.question();
    fixture.setPolicy({ agents: { ...CONFIG.agents, ops: { permissions: ['allow:*'] } } });
    const other = fixture.gate.admit(push(over));
    await waitUntil('two questions', async () => (await fixture.pending()).length === 2);
    await chat.reply(id, 'ana-1', '1');
    expect(await first).toMatchObject({ kind: 'allow' });
    const rest = await fixture.question();
    expect(rest.id).not.toBe(id);
    await chat.reply(rest.id, 'ana-1', '3');
    expect(await other).toMatchObject({ kind: 'deny', violation: 'ApprovalDenied' });
  });

  test('another credential is another question, also for a standing answer', async () => {
    await answered(push(), '6');
    const lent = push();
    const verdict = fixture.gate.admit({ ...lent, target: { ...lent.target, credential: 'github:bot' } });
    const { id, credential } = await fixture.question();
    expect(credential).toBe('github:bot');
    await chat.reply(id, 'ana-1', '3');
    expect(await verdict).toMatchObject({ kind: 'deny' });
  });

  test('consent for another binding does not cover, whatever the port says', async () => {
    const approved = {
      id: 'appr_x',
      status: 'approved',
      binding: 'other',
      quorum: 1,
      decision: { code: '1' },
    };
    let asked = 0;
    const gate = fixture.gateWith({
      approvals: {
        // A port that answers for another action: the gate must not believe it.
        ask: async () => {
          asked += 1;
          return asked > 3 ? { kind: 'left' } : { kind: 'ended', approval: approved as never };
        },
        open: () => Promise.reject(new Error('not here')),
        quorumOf: () => 1,
      },
    });
    expect(await gate.admit(push())).toMatchObject({ kind: 'deny', violation: 'ApprovalCancelled' });
    expect(asked).toBe(4);
  });
});
