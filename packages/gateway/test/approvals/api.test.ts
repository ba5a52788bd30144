import { openSse } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Secret } from '../../src/shared/secret.ts';
import { push } from './actions.ts';
import { FakeChannel } from './fake-channel.ts';
import { INBOX_SECRET, openHttp, QUESTION } from './http-fixture.ts';

let http: Awaited<ReturnType<typeof openHttp>>;
const chat = () => http.open.channels[0] as FakeChannel;
beforeEach(async () => {
  http = await openHttp({ channels: [new FakeChannel('chat'), new FakeChannel('email')] });
});
afterEach(() => http[Symbol.asyncDispose]());

const create = async (over: object = {}, call: object = {}) =>
  http.agent('/v1/approvals', { json: { ...QUESTION, ...over }, ...call });
const idOf = async (over: object = {}) => (await create(over)).json<{ approval_id: string }>().approval_id;
const decide = (id: string, json: object) => http.operator(`/v1/approvals/${id}/decision`, { json });
const state = async (id: string) => (await http.agent(`/v1/approvals/${id}`)).json();

describe('create, decide, look', () => {
  test('a new question is pending, with the bodies of the source', async () => {
    const answer = await create();
    expect(answer.status).toBe(201);
    const created = answer.json<{ approval_id: string }>();
    const expires_at = Math.floor((http.clock.now() + 600_000) / 1000);
    expect(created).toEqual({
      approval_id: expect.stringMatching(/^appr_[0-9a-z]{26}$/),
      status: 'pending',
      auto: false,
      expires_at,
    });
    expect(await state(created.approval_id)).toEqual({ status: 'pending', expires_at });
  });

  test.each([
    [{ code: '1' }, 'approved', { code: '1', note: null, override: null }],
    [{ code: '2' }, 'approved', { code: '2', note: null, override: null }],
    [{ code: '3' }, 'denied', { code: '3', note: null, override: null }],
    [{ code: '4', text: 'add logs' }, 'approved', { code: '4', note: 'add logs', override: null }],
    [{ code: '5', text: 'npm test' }, 'approved', { code: '5', note: null, override: 'npm test' }],
    [{ code: '6' }, 'approved', { code: '6', note: null, override: null }],
  ])('decision %j becomes %s', async (decision, status, shown) => {
    const id = await idOf();
    const answer = await decide(id, decision);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ outcome: 'decided', missing: 0, approval: { id, status } });
    const about = { session_id: 'sess_123', action_type: 'exec_cmd' };
    expect(await state(id)).toEqual({ status, decision: shown, ...about });
  });

  test('a session allow answers the same client, session and type with code 2', async () => {
    await decide(await idOf(), { code: '2' });
    const auto = await create({ title: 'Another', preview: 'something else' });
    expect(auto.status).toBe(200);
    const { approval_id: id } = auto.json<{ approval_id: string }>();
    expect(auto.json()).toEqual({ approval_id: id, status: 'approved', auto: true, decision: { code: '2' } });
    expect(await state(id)).toMatchObject({ status: 'approved', decision: { code: '2' } });
    for (const other of [{ session_id: 'sess_other' }, { action_type: 'write_file' }])
      expect((await create(other)).status).toBe(201);
    expect((await create({}, { token: await http.newKey() })).status).toBe(201);
  });

  test('a rule answers every session of the client with code 6, until it is revoked', async () => {
    await decide(await idOf(), { code: '6' });
    const auto = await create({ session_id: 'sess_other' });
    expect(auto.json()).toMatchObject({ status: 'approved', auto: true, decision: { code: '6' } });
    expect((await create({}, { token: await http.newKey() })).status).toBe(201);
    const { items } = (await http.agent('/v1/allow-rules')).json<{ items: { rule_id: string }[] }>();
    expect(items).toEqual([
      {
        rule_id: expect.stringMatching(/^rule_/),
        client_id: expect.stringMatching(/^[0-9a-f]{12}$/),
        action_type: 'exec_cmd',
        enabled: true,
        created_at: expect.any(String),
      },
    ]);
    const path = `/v1/allow-rules/${items[0]?.rule_id}`;
    const foreign = await http.newKey();
    expect((await http.agent(path, { method: 'DELETE', token: foreign })).status).toBe(404);
    expect((await http.agent('/v1/allow-rules', { token: foreign })).json()).toMatchObject({ items: [] });
    expect((await http.agent(path, { method: 'DELETE' })).status).toBe(204);
    expect((await http.agent('/v1/allow-rules')).json()).toMatchObject({ items: [{ enabled: false }] });
    expect((await create()).status).toBe(201);
  });

  test('the operator ends any rule', async () => {
    await decide(await idOf(), { code: '6' });
    const { items } = (await http.agent('/v1/allow-rules')).json<{ items: { rule_id: string }[] }>();
    const path = `/v1/allow-rules/${items[0]?.rule_id}`;
    expect((await http.operator(path, { method: 'DELETE' })).status).toBe(204);
    expect((await http.operator('/v1/allow-rules/grant_1', { method: 'DELETE' })).status).toBe(404);
    expect((await create()).status).toBe(201);
  });

  test('grants of the API door never reach another door', async () => {
    await decide(await idOf({ action_type: 'vcs:push' }), { code: '6' });
    const verdict = http.gate.admit(push());
    const { id, door } = await http.question();
    expect(door).toBe('hook');
    await decide(id, { code: '3' });
    expect(await verdict).toMatchObject({ kind: 'deny', violation: 'ApprovalDenied' });
  });

  test('[AP-7] a rule does not answer what several people decide, whatever the type is called', async () => {
    const over = { action_type: 'custom:made-up' };
    await decide(await idOf(over), { code: '6' });
    expect((await create(over)).status).toBe(200);
    http.setPolicy({ approvals: { quorum: { types: ['custom'], of: 2 } } });
    expect((await create(over)).status).toBe(201);
  });

  test('a rule of the policy may deny', async () => {
    http.setPolicy({ permissions: ['deny:@exec_cmd'] });
    const answer = await create();
    expect(answer.status).toBe(403);
    expect(answer.json()).toMatchObject({ error: { code: 'RuleDenied' } });
    expect((await create({ action_type: 'write_file' })).status).toBe(201);
  });

  test('an expired one says so at that very moment, whether anybody swept or not', async () => {
    http.clock.advance(400);
    const created = (await create({ expires_in_sec: 1 })).json<{ approval_id: string; expires_at: number }>();
    const id = created.approval_id;
    const listed = async (status: string) => {
      const { items } = (await http.operator(`/v1/approvals?status=${status}`)).json<{
        items: { id: string }[];
      }>();
      return items.some((item) => item.id === id);
    };
    http.clock.advance(999);
    expect(await state(id)).toMatchObject({ status: 'pending' });
    expect(await listed('pending')).toBe(true);
    http.clock.advance(1);
    // Told in whole seconds: whoever asks at that second hears that it is over.
    expect(created.expires_at * 1000).toBeGreaterThanOrEqual(http.clock.now());
    expect(await state(id)).toMatchObject({ status: 'expired' });
    expect((await http.operator(`/v1/approvals/${id}`)).json()).toMatchObject({ status: 'expired' });
    expect(await listed('pending')).toBe(false);
    expect(await listed('expired')).toBe(true);
  });

  test('the operator sees the fields of the approval API by their names', async () => {
    const id = await idOf();
    const open = (await http.operator(`/v1/approvals/${id}`)).json();
    expect(open).toMatchObject({
      ...{ approval_id: id, status: 'pending', session_id: 'sess_123', action_type: 'exec_cmd' },
      ...{ channel: null, target: null, decision_code: null, note: null, override: null },
      ...{ allow_rule_applied: null, client_id: expect.stringMatching(/^[0-9a-f]{12}$/) },
      choices: [
        { code: '1', text: 'Allow once' },
        { code: '2', text: 'Allow for this session' },
        { code: '3', text: 'Deny' },
        { code: '4', text: expect.stringMatching(/^Allow once \+ add note/) },
        { code: '5', text: expect.stringMatching(/^Modify then allow/) },
        { code: '6', text: expect.stringMatching(/^Always allow this action type/) },
      ],
    });
    await decide(id, { code: '4', text: 'add logs' });
    const decided = (await http.operator(`/v1/approvals/${id}`)).json();
    expect(decided).toMatchObject({ decision_code: '4', note: 'add logs', allow_rule_applied: null });
    await decide(await idOf(), { code: '6' });
    const { approval_id: auto } = (await create()).json<{ approval_id: string }>();
    expect((await http.operator(`/v1/approvals/${auto}`)).json()).toMatchObject({
      ...{ status: 'approved', decision_code: '6' },
      allow_rule_applied: expect.stringMatching(/^(rule|grant)_/),
    });
    const target = { email_to: 'ana@x.example' };
    const named = (await create({ action_type: 'write_file', channel: 'email', target })).json<{
      approval_id: string;
    }>();
    expect((await http.operator(`/v1/approvals/${named.approval_id}`)).json()).toMatchObject({
      channel: 'email',
      target: 'ana@x.example',
    });
  });

  test('an expired one is no denial', async () => {
    const id = await idOf({ expires_in_sec: 1 });
    http.clock.advance(1_000);
    const late = await decide(id, { code: '1' });
    expect(late.status).toBe(410);
    expect(late.json()).toMatchObject({ error: { code: 'ApprovalExpired' } });
    await http.open.sweep();
    const about = { session_id: 'sess_123', action_type: 'exec_cmd' };
    expect(await state(id)).toEqual({ status: 'expired', ...about });
    expect((await decide(id, { code: '1' })).status).toBe(410);
  });
});

describe('the same asked twice', () => {
  test('[AP-4] is two questions, because an allow for one execution must not allow two', async () => {
    const [first, second] = [await idOf(), await idOf()];
    expect(second).not.toBe(first);
    await decide(first, { code: '1' });
    expect(await state(first)).toMatchObject({ status: 'approved' });
    expect(await state(second)).toMatchObject({ status: 'pending' });
  });

  test('with one `Idempotency-Key` is one, and another request with that key is refused', async () => {
    const call = { headers: { 'idempotency-key': 'k1' } };
    const [first, second] = [(await create({}, call)).json(), (await create({}, call)).json()];
    expect(second).toEqual(first);
    expect(await http.pending()).toHaveLength(1);
    expect((await create({ preview: 'other' }, call)).status).toBe(409);
  });

  test('does not flood: beyond ten each person gets one message that says how many wait', async () => {
    for (let round = 0; round < 15; round += 1) await idOf();
    await http.open.delivered();
    const toAna = [...chat().messages.values()].filter(({ recipient }) => recipient.identity === 'ana-1');
    expect(toAna).toHaveLength(10);
  });
});

describe('the named target', () => {
  test.each([
    { why: 'an address of a decider', target: { email_to: 'ANA@x.example' }, channel: 'email', status: 201 },
    { why: 'the channel follows from the target', target: { email_to: 'ana@x.example' }, status: 201 },
    { why: 'any channel', target: { identity: 'bob-1' }, channel: 'chat', status: 201 },
    { why: 'nobody', target: { email_to: 'mallory@x' }, channel: 'email', status: 422 },
    { why: 'a person without the right', target: { identity: 'eve-1' }, channel: 'chat', status: 422 },
    { why: 'a channel that is not there', target: { tg_chat_id: '1' }, channel: 'telegram', status: 422 },
    { why: 'the target of another channel', target: { tg_chat_id: '1' }, channel: 'email', status: 422 },
    { why: 'no target', channel: 'email', status: 422 },
    { why: 'two targets', target: { tg_chat_id: '1', email_to: 'x' }, channel: 'email', status: 400 },
  ])('$why: $status', async ({ target, channel, status }) => {
    expect((await create({ target, channel })).status).toBe(status);
  });
});

describe('a decision', () => {
  test.each([
    { json: { code: 'yes' }, status: 422, why: 'free text' },
    { json: { code: '7' }, status: 422, why: 'no such code' },
    { json: { code: '1.' }, status: 422, why: 'not the code' },
    { json: { code: '4' }, status: 422, why: 'no note' },
    { json: { code: '1', text: 'please' }, status: 422, why: 'a text that it does not take' },
    { json: { code: '3', minutes: 5 }, status: 422, why: 'a timed denial' },
    { json: { code: '1', minutes: 0 }, status: 400, why: 'no time' },
    { json: { code: '1', as: 'ana' }, status: 400, why: 'an unknown field' },
    { json: {}, status: 400, why: 'no code' },
    { json: { code: '1', binding: 'other' }, status: 422, why: 'the question changed' },
  ])('$why is $status and decides nothing', async ({ json, status }) => {
    const id = await idOf();
    expect((await decide(id, json)).status).toBe(status);
    expect(await state(id)).toMatchObject({ status: 'pending' });
  });

  test('of a decided one is 409 and names who decided, of an unknown one 404', async () => {
    const id = await idOf();
    await chat().reply(id, 'ana-1', '3');
    const late = await decide(id, { code: '1' });
    expect(late.status).toBe(409);
    expect(late.json()).toMatchObject({ error: { details: { status: 'denied', decided_by: 'ana' } } });
    expect((await decide('appr_x', { code: '1' })).status).toBe(404);
  });

  test('for some minutes answers until they are over', async () => {
    await decide(await idOf(), { code: '1', minutes: 5 });
    expect((await create()).json()).toMatchObject({ auto: true, decision: { code: '1' } });
    http.clock.advance(300_000);
    expect((await create()).status).toBe(201);
  });
});

describe('the operator', () => {
  test('sees everything of a question, and lists by status', async () => {
    const id = await idOf();
    await decide(await idOf(), { code: '3' });
    const { items } = (await http.operator('/v1/approvals?status=pending')).json<{ items: object[] }>();
    expect(items).toHaveLength(1);
    expect((await http.operator(`/v1/approvals/${id}`)).json()).toMatchObject({
      id,
      tenant: 'default',
      status: 'pending',
      self_declared: true,
      title: 'Run command',
      preview: 'rm -rf ./build && npm run build',
      action_type: 'exec_cmd',
      session_id: 'sess_123',
      deciders: ['ana', 'bob'],
      covers: { session: expect.any(String), always: expect.any(String) },
    });
    expect((await http.operator('/v1/approvals/appr_x')).status).toBe(404);
    expect((await http.operator('/v1/approvals?status=open')).status).toBe(400);
  });
});

describe('waiting', () => {
  test('a long poll is answered by the decision', async () => {
    const id = await idOf();
    const waiting = http.agent(`/v1/approvals/${id}?wait=60`);
    await decide(id, { code: '1' });
    expect((await waiting).json()).toMatchObject({ status: 'approved' });
  });

  test('a stream tells the state and its end', async () => {
    const id = await idOf();
    await using stream = await openSse(`${http.apiUrl}/v1/approvals/${id}/events`, { token: http.apiKey });
    expect(await stream.next()).toMatchObject({ event: 'pending' });
    await decide(id, { code: '4', text: 'fine' });
    const end = await stream.next();
    expect(JSON.parse(end.data)).toMatchObject({ status: 'approved', decision: { note: 'fine' } });
    await expect(stream.next()).rejects.toThrow('the stream ended');
  });
});

describe('[ID-4] what is somebody else’s', () => {
  test('is not there for another client, tenant or session', async () => {
    const id = await idOf();
    for (const token of [await http.newKey(), await http.newKey('other')]) {
      for (const path of [`/v1/approvals/${id}`, `/v1/approvals/${id}?wait=1`, `/v1/approvals/${id}/events`])
        expect((await http.agent(path, { token })).status).toBe(404);
    }
    expect((await http.agent(`/v1/approvals/${id}`, { token: 'spk_x' })).status).toBe(401);
  });
});

describe('the inbox', () => {
  const mail = { from: 'ana@x.example', subject: 'Run [appr_1]', body: '1' };

  test('takes mails from the holder of its secret only, and hands them over as they are', async () => {
    const taken: object[] = [];
    const send = (token: string) => http.agent('/v1/inbox/email-reply', { json: mail, token });
    expect((await send(INBOX_SECRET)).status).toBe(503);
    http.open.inbox.register(async (it) => {
      taken.push(it);
      return { kind: 'invalid', message: 'menu' };
    });
    for (const token of [http.apiKey, http.operatorToken, `${INBOX_SECRET}x`, 'x'])
      expect((await send(token)).status).toBe(401);
    const answer = await send(INBOX_SECRET);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({ outcome: 'invalid' });
    expect(taken).toEqual([mail]);
  });
});

describe('[CR-1] a secret in the words of the asker', () => {
  const LENT = 'a-lent-value-0123456789';
  const PATTERN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

  test('is stored nowhere, shown to nobody and sent to no channel', async () => {
    http.redactor.learn(new Secret(LENT));
    const over = { title: `Push with ${LENT}`, preview: `curl -H 'X: ${LENT}'\nexport T=${PATTERN}\nls` };
    const id = await idOf(over);
    await http.open.delivered();
    const shown = [...chat().messages.values()];
    expect(shown).not.toEqual([]);
    const rows = await http.store.db.selectFrom('approvals').selectAll().execute();
    const operator = await http.operator(`/v1/approvals/${id}`);
    const events = (await http.trail.read({ limit: 100 })).items;
    await decide(id, { code: '6' });
    const again = (await create({ ...over, session_id: 'other' })).json<{ approval_id: string }>();
    const answered = await http.open.approvals.find(again.approval_id);
    const everything = JSON.stringify([shown, rows, operator.json(), events, answered]);
    for (const secret of [LENT, PATTERN]) expect(everything).not.toContain(secret);
    expect(operator.json()).toMatchObject({
      title: 'Push with [redacted]',
      preview: "curl -H 'X: [redacted]'\nexport T=[redacted]\nls",
    });
  });
});
