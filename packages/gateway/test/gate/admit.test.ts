import { SallyportError } from '@sallyport/protocol';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bash, fact, http } from '../../src/gate/gate.fixture.ts';
import { operationsOf } from '../../src/targets/index.ts';
import { type GateFixture, openGate } from './gate-fixture.ts';

const push = (over: { readonly id?: string } = {}) =>
  bash([fact('git push origin ana/x', { effect: 'write', reach: 'remote', type: 'vcs:push' })], {
    id: `act_${Math.random()}`,
    effect: 'write',
    reach: 'remote',
    type: 'vcs:push',
    ...over,
  });

const force = () =>
  bash(
    [
      fact('git push -f origin x', {
        effect: 'write',
        reach: 'remote',
        type: 'vcs:push',
        repo: {
          repository: 'github.com/a/b',
          area: 'contents',
          refs: [{ ref: 'refs/heads/x', change: 'force' }],
        },
      }),
    ],
    { id: 'act_force', effect: 'write', reach: 'remote', type: 'vcs:push' },
  );

let fixture: GateFixture;
beforeEach(async () => {
  fixture = await openGate({ agents: { dev: { permissions: ['deny:Bash(rm *)', 'allow:*'] } } });
});
afterEach(() => fixture[Symbol.asyncDispose]());

describe('admit', () => {
  test('allows what the policy allows, and says so in the trail once', async () => {
    const action = bash('ls', { id: 'act_ls', effect: 'write' });
    expect(await fixture.gate.admit(action)).toMatchObject({ kind: 'allow', by: 'policy' });
    const events = await fixture.eventsOf(action);
    expect(events.map(({ type }) => type)).toEqual(['ActionEvent::Judged']);
    expect(JSON.parse(events[0]?.json ?? '{}')).toMatchObject({
      action_id: 'act_ls',
      data: { verdict: 'allow', judged: 'allow', tool: 'Bash', target: { commands: [{ text: 'ls' }] } },
    });
  });

  test('refuses what a rule denies, with the layer and the rule', async () => {
    const action = bash('rm -rf /', { id: 'act_rm' });
    expect(await fixture.gate.admit(action)).toMatchObject({
      kind: 'deny',
      violation: 'RuleDenied',
      layer: 'rules',
      rule: 'deny:Bash(rm *)',
    });
    expect((await fixture.eventsOf(action)).map(({ type }) => type)).toEqual([
      'MCPToolEvent::ToolPolicyViolation',
    ]);
  });

  test('an ask without a grant is refused: nobody can be asked yet', async () => {
    expect(await fixture.gate.admit(push())).toMatchObject({
      kind: 'deny',
      violation: 'ApprovalUnavailable',
    });
  });

  test('a tenant that the config does not have gets nothing', async () => {
    const foreign = bash('ls', { actor: { tenant: 'nowhere' } });
    expect(await fixture.gate.admit(foreign)).toMatchObject({ kind: 'deny', violation: 'NotPermitted' });
  });
});

describe('grants', () => {
  test('a once grant answers exactly one ask', async () => {
    const grant = await fixture.grant({});
    expect(await fixture.gate.admit(push())).toMatchObject({ kind: 'allow', by: 'grant', grant: grant.id });
    expect(await fixture.gate.admit(push())).toMatchObject({
      kind: 'deny',
      violation: 'ApprovalUnavailable',
    });
  });

  test('of a hundred calls at once, a once grant lets one through', async () => {
    await fixture.grant({});
    const verdicts = await Promise.all(Array.from({ length: 100 }, () => fixture.gate.admit(push())));
    expect(verdicts.filter(({ kind }) => kind === 'allow')).toHaveLength(1);
  });

  test('a count that the store does not take is kept, and written once it does', async () => {
    await fixture.grant({ scope: 'always' });
    for (let turn = 0; turn < 3; turn += 1) await fixture.gate.admit(push());
    const { db } = fixture.store;
    await sql`alter table grants rename to grants_away`.execute(db);
    await expect(fixture.grants.flushUses()).rejects.toThrow();
    await sql`alter table grants_away rename to grants`.execute(db);
    expect((await fixture.grants.list({})).items).toMatchObject([{ uses: 3 }]);
    await fixture.gate.admit(push());
    await Promise.all([fixture.grants.flushUses(), fixture.grants.flushUses(), fixture.grants.list({})]);
    expect((await fixture.grants.list({})).items).toMatchObject([{ uses: 4 }]);
  });

  test('a session grant holds in its session only', async () => {
    await fixture.grant({ scope: 'session', session: 'sess_1' });
    expect(await fixture.gate.admit(push())).toMatchObject({ kind: 'allow' });
    expect(await fixture.gate.admit(push())).toMatchObject({ kind: 'allow' });
    const elsewhere = { ...push(), actor: { ...push().actor, session: 'sess_2' } };
    expect(await fixture.gate.admit(elsewhere)).toMatchObject({ kind: 'deny' });
  });

  test('a timed grant ends with its time', async () => {
    await fixture.grant({ scope: 'minutes', expiresAt: fixture.clock.now() + 60_000 });
    expect(await fixture.gate.admit(push())).toMatchObject({ kind: 'allow' });
    fixture.clock.advance(60_000);
    expect(await fixture.gate.admit(push())).toMatchObject({ kind: 'deny' });
  });

  test('a revoked grant answers nothing from that moment on', async () => {
    const grant = await fixture.grant({ scope: 'always' });
    expect(await fixture.gate.admit(push())).toMatchObject({ kind: 'allow' });
    expect(await fixture.grants.revoke(grant.id, { kind: 'operator', via: 'test' })).toBe(true);
    expect(await fixture.gate.admit(push())).toMatchObject({ kind: 'deny' });
    expect(await fixture.grants.revoke(grant.id, { kind: 'operator', via: 'test' })).toBe(false);
  });

  test.each([
    ['another agent', { agent: 'ops' }],
    ['another tenant', { tenant: 'other' }],
    ['another fingerprint', { covers: { kind: 'fingerprint', fingerprint: 'g' } as const }],
    ['an API client', { client: 'abc' }],
    ['a declared type', { covers: { kind: 'declared', type: 'vcs:push' } as const }],
  ])('a grant of %s is no answer', async (_whose, over) => {
    await fixture.grant({ scope: 'always', ...over });
    expect(await fixture.gate.admit(push())).toMatchObject({
      kind: 'deny',
      violation: 'ApprovalUnavailable',
    });
  });

  test('a grant by operation covers the same operation again, with its credential, alone in its line', async () => {
    await fixture.grant({
      scope: 'always',
      covers: {
        kind: 'operation',
        operations: operationsOf(push()),
        credential: null,
        risk: push().risk,
      },
    });
    const other = (over: object) => ({ ...push(), fingerprint: 'other', ...over });
    expect(await fixture.gate.admit(other({}))).toMatchObject({ kind: 'allow', by: 'grant' });
    expect(await fixture.gate.admit(other({ risk: 'critical' }))).toMatchObject({ kind: 'deny' });
    const lent = { ...push().target, credential: 'github:x' };
    expect(await fixture.gate.admit(other({ target: lent }))).toMatchObject({ kind: 'deny' });
    const two = bash(
      [
        fact('git push origin ana/x', { effect: 'write', reach: 'remote' }),
        fact('curl evil', { effect: 'write', reach: 'remote' }),
      ],
      { effect: 'write', reach: 'remote' },
    );
    expect(await fixture.gate.admit(two)).toMatchObject({ kind: 'deny' });
  });

  test('a standing no refuses without a question, also what is asked each time, and never what the policy allows', async () => {
    const no = { scope: 'always', answer: 'no' } as const;
    const grant = await fixture.grant(no);
    await fixture.grant({ scope: 'always' });
    const refused = { kind: 'deny', violation: 'ApprovalDenied', reason: expect.stringContaining(grant.id) };
    expect(await fixture.gate.admit(push())).toMatchObject(refused);
    expect(await fixture.gate.admit(force())).toMatchObject(refused);
    expect(await fixture.gate.admit(bash('ls', { fingerprint: 'f' }))).toMatchObject({ kind: 'allow' });
    await fixture.grants.revoke(grant.id, { kind: 'operator', via: 'test' });
    expect(await fixture.gate.admit(push())).toMatchObject({ kind: 'allow', by: 'grant' });
  });

  test('[GA-4] no grant answers a deny', async () => {
    const denied = bash('rm -rf /', { fingerprint: 'f', effect: 'write' });
    await fixture.grant({ scope: 'always' });
    await fixture.grant({
      scope: 'always',
      covers: {
        kind: 'operation',
        operations: operationsOf(denied),
        credential: null,
        risk: 'critical',
      },
    });
    expect(await fixture.gate.admit(denied)).toMatchObject({ kind: 'deny', violation: 'RuleDenied' });
  });

  test('[AP-7] no grant answers what is asked each time, and none is used up by it', async () => {
    const grant = await fixture.grant({});
    expect(await fixture.gate.admit(force())).toMatchObject({
      kind: 'deny',
      violation: 'ApprovalUnavailable',
    });
    expect((await fixture.grants.list({})).items.map(({ id }) => id)).toEqual([grant.id]);
  });

  test('permanent ones can be switched off', async () => {
    await using strict = await openGate({ tenants: { default: { grants: { allow_always: false } } } });
    await expect(strict.grant({ scope: 'always' })).rejects.toMatchObject({ code: 'Unprocessable' });
    await expect(strict.grant({ scope: 'once' })).resolves.toMatchObject({ scope: 'once' });
  });
});

describe('when something breaks', () => {
  const broken = () => {
    throw new Error('the disk said something with a secret in it');
  };

  test.each([
    ['the policy', { policyOf: broken }],
    ['the identity', { identityOf: broken }],
    ['the router', { isToolKnown: broken }],
    ['the grants', { grants: { take: broken, refusing: async () => undefined } }],
    ['the clock', { clock: { now: broken } }],
  ])('[GA-5] an error in %s is a refusal, without its cause', async (_what, over) => {
    const verdict = await fixture.break(over).admit(push());
    expect(verdict).toMatchObject({ kind: 'deny', violation: 'EvaluationFailed' });
    expect(JSON.stringify(verdict)).not.toContain('secret');
  });

  test('[TR-5] what cannot be recorded does not happen', async () => {
    const trail = { append: () => Promise.reject(new Error('full')), note: broken };
    const write = bash('ls', { effect: 'write' });
    expect(await fixture.gate.admit(write)).toMatchObject({ kind: 'allow' });
    expect(await fixture.break({ trail }).admit(write)).toMatchObject({
      kind: 'deny',
      violation: 'AuditUnavailable',
    });
    expect(await fixture.break({ trail }).admit(http('GET api.github.com/x'))).toMatchObject({
      kind: 'deny',
    });
  });

  test('[TR-5] a write that can be put neither into the journal nor into the chain does not happen', async () => {
    const write = bash('ls', { effect: 'write' });
    const full = () => Promise.reject(new Error('full'));
    const trail = { append: full, note: broken, keep: full };
    expect(await fixture.break({ trail }).decide(write, { hasEnd: true })).toMatchObject({
      verdict: { kind: 'deny', violation: 'AuditUnavailable' },
      held: undefined,
    });
  });

  test('[TR-4] what came in part is in the trail once, by its whole or by why that could not be had', async () => {
    const beginning = push({ id: 'act_beginning' });
    const whole = push({ id: 'act_whole' });
    const first = await fixture.gate.decide(beginning, { isPart: true });
    if (first.verdict !== undefined) throw new Error('decided by its beginning');
    expect(await first.finish(whole)).toMatchObject({ verdict: { violation: 'ApprovalUnavailable' } });
    const second = await fixture.gate.decide(push({ id: 'act_large' }), { isPart: true });
    if (second.verdict !== undefined) throw new Error('decided by its beginning');
    const large = new SallyportError('PayloadTooLarge');
    expect(await second.giveUp(large)).toMatchObject({ verdict: { violation: 'PayloadTooLarge' } });
    expect(await fixture.eventsOf(beginning)).toHaveLength(0);
    expect(await fixture.eventsOf(whole)).toHaveLength(1);
    expect(await fixture.eventsOf(push({ id: 'act_large' }))).toHaveLength(1);
  });

  test('what the policy alone answers is never left unfinished', async () => {
    const read = await fixture.gate.decide(bash('ls'), { isPart: true });
    expect(read.verdict).toMatchObject({ kind: 'allow', by: 'policy' });
    const denied = await fixture.gate.decide(bash('rm x'), { isPart: true });
    expect(denied.verdict).toMatchObject({ kind: 'deny' });
  });

  test('[TR-4] each action is in the trail exactly once, whatever became of it', async () => {
    const actions = [
      bash('ls', { id: 'act_1' }),
      bash('rm x', { id: 'act_2' }),
      { ...push(), id: 'act_3' },
      http('GET new.example/', {}, { id: 'act_4' }),
    ];
    await fixture.grant({});
    for (const action of actions) await fixture.gate.admit(action);
    // `note` lags by 50 ms at most; an append waits for all before it.
    await fixture.gate.admit(bash('true', { id: 'act_5', effect: 'write' }));
    for (const action of actions) expect(await fixture.eventsOf(action)).toHaveLength(1);
  });
});
