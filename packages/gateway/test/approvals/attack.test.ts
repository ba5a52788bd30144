import { waitUntil } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { push } from './actions.ts';
import { FakeChannel } from './fake-channel.ts';
import { INBOX_SECRET, openHttp, QUESTION } from './http-fixture.ts';

let chat: FakeChannel;
let mail: FakeChannel;
let http: Awaited<ReturnType<typeof openHttp>>;
let sessionToken: string;
beforeEach(async () => {
  chat = new FakeChannel('chat');
  mail = new FakeChannel('mail', { hosts: ['smtp.x.example'], ceiling: 'once' });
  http = await openHttp({
    channels: [chat, mail],
    reachOf: ({ session }) => (session === 'sess_mailbox' ? ['*.x.example'] : []),
  });
  const by = { kind: 'operator', via: 'test' } as const;
  const opened = await http.sessions.open({
    tenant: 'default',
    user: 'ana',
    agent: 'dev',
    confinement: 'jailed',
    credentials: [],
    by,
  });
  sessionToken = opened.token.reveal();
});
afterEach(() => http[Symbol.asyncDispose]());

const ask = async () =>
  (await http.agent('/v1/approvals', { json: QUESTION })).json<{ approval_id: string }>().approval_id;
const statusOf = async (id: string) => (await http.open.approvals.find(id))?.status;

describe('[AP-2] nobody but a listed person decides', () => {
  const credentials = () => [
    ['an API key', http.apiKey],
    ['a session token', sessionToken],
    ['the inbox secret', INBOX_SECRET],
    ['nothing', undefined],
    ['a guess', 'spo_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ];

  test('no agent credential is taken on the operator side', async () => {
    const id = await ask();
    for (const [who, token] of credentials()) {
      for (const [path, call] of [
        [`/v1/approvals/${id}/decision`, { json: { code: '1' } }],
        ['/v1/approvals?status=pending', {}],
        [`/v1/approvals/${id}`, {}],
        ['/v1/allow-rules/rule_1', { method: 'DELETE' }],
      ] as const) {
        const answer = await http.operator(path, { ...call, token: token ?? '' });
        expect({ who, path, status: answer.status }).toEqual({ who, path, status: 401 });
      }
    }
    expect(await statusOf(id)).toBe('pending');
  });

  test('[ID-1] nothing on the agent side decides, whatever the credential', async () => {
    const id = await ask();
    for (const token of [http.apiKey, sessionToken, http.operatorToken, INBOX_SECRET]) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        for (const path of [`/v1/approvals/${id}/decision`, `/v1/approvals/${id}`, '/v1/approvals']) {
          if (method === 'POST' && path === '/v1/approvals') continue;
          const { status } = await http.agent(path, { method, token, json: { code: '1' } });
          expect([401, 404, 405]).toContain(status);
        }
      }
    }
    expect(await statusOf(id)).toBe('pending');
  });

  test.each([
    ['somebody who is not listed', 'mallory'],
    ['a listed person without the right', 'eve-1'],
    ['a person whose right is for another type', 'cem-1'],
    ['a person of another tenant', 'zoe-1'],
    ['the name of a user instead of the identity', 'ana'],
    ['nobody', ''],
  ])('%s decides nothing', async (_who, identity) => {
    const id = await ask();
    for (const reply of ['1', '3', '6'])
      expect(await chat.reply(id, identity, reply)).toMatchObject({ kind: 'refused' });
    expect(await statusOf(id)).toBe('pending');
    expect((await http.grants.list({ ended: true })).items).toEqual([]);
  });

  test('a right that was taken away meanwhile is gone', async () => {
    const id = await ask();
    http.setPolicy({ roles: { owner: { allow: [] }, lead: {}, coder: {}, viewer: {} } });
    expect(await chat.reply(id, 'ana-1', '1')).toMatchObject({ kind: 'refused' });
    expect(await statusOf(id)).toBe('pending');
  });

  test('the human user of a session may decide what it asks, and so may others with the right', async () => {
    for (const identity of ['ana-1', 'bob-1']) {
      const verdict = http.gate.admit(push());
      const { id } = await http.question();
      expect(await chat.reply(id, identity, '1')).toMatchObject({ kind: 'decided' });
      expect(await verdict).toMatchObject({ kind: 'allow' });
    }
  });

  test('a client cannot have its question sent to an address of its own', async () => {
    for (const target of [{ identity: 'mallory' }, { identity: 'eve-1' }, { identity: 'zoe-1' }]) {
      const answer = await http.agent('/v1/approvals', { json: { ...QUESTION, channel: 'chat', target } });
      expect(answer.status).toBe(422);
    }
    expect(await http.pending()).toEqual([]);
    expect(chat.messages.size).toBe(0);
  });
});

describe('[AP-3] an agent with a mailbox', () => {
  const asks = () => http.gate.admit(push({ actor: { session: 'sess_mailbox' } }));

  test('is not asked about by mail, and no answer by mail counts', async () => {
    const verdict = asks();
    const { id } = await http.question();
    await waitUntil('the question to reach ana', () => chat.messages.has(`${id}/ana-1`));
    await http.open.delivered();
    expect(mail.messages.size).toBe(0);
    expect(await mail.reply(id, 'ana@x', '1')).toMatchObject({ kind: 'refused' });
    expect(await statusOf(id)).toBe('pending');
    await chat.reply(id, 'ana-1', '3');
    expect(await verdict).toMatchObject({ kind: 'deny', violation: 'ApprovalDenied' });
  });

  test('does not void the channel for others', async () => {
    const verdict = http.gate.admit(push());
    const { id } = await http.question();
    expect(await mail.reply(id, 'ana@x', '1')).toMatchObject({ kind: 'decided' });
    expect(await verdict).toMatchObject({ kind: 'allow' });
  });
});

describe('a ceiling', () => {
  test('a channel allows no more than it may', async () => {
    const id = await ask();
    for (const reply of ['2', '6'])
      expect(await mail.reply(id, 'ana@x', reply)).toEqual({
        kind: 'refused',
        message: 'this channel may allow once only',
      });
    expect(await mail.press(id, 'ana@x', { code: '1', minutes: 5 })).toMatchObject({ kind: 'refused' });
    expect(await statusOf(id)).toBe('pending');
    expect(await mail.reply(id, 'ana@x', '4 fine')).toMatchObject({ kind: 'decided' });
  });
});

describe('[AP-8] late, replayed and foreign answers', () => {
  test('an unknown id, a decided, an expired and a cancelled one stay as they are', async () => {
    expect(await chat.reply('appr_00000000000000000000000000', 'ana-1', '1')).toMatchObject({
      kind: 'refused',
    });
    const decided = await ask();
    await chat.reply(decided, 'ana-1', '3');
    expect(await chat.reply(decided, 'ana-1', '1')).toMatchObject({
      kind: 'too-late',
      approval: { status: 'denied', decidedBy: 'ana' },
    });
    const expired = await ask();
    http.clock.advance(600_000);
    // Not swept yet: the time alone ends it.
    expect(await chat.reply(expired, 'ana-1', '1')).toMatchObject({
      kind: 'too-late',
      approval: { status: 'expired' },
    });
    await http.open.sweep();
    expect(await chat.reply(expired, 'ana-1', '1')).toMatchObject({ kind: 'too-late' });
    const cancelled = await ask();
    await http.open.approvals.withdrawAll();
    expect(await chat.reply(cancelled, 'ana-1', '6')).toMatchObject({ kind: 'too-late' });
    expect(await Promise.all([decided, expired, cancelled].map(statusOf))).toEqual([
      'denied',
      'expired',
      'cancelled',
    ]);
    expect((await http.grants.list({ ended: true })).items).toEqual([]);
  });

  test('[AP-5] what is not on the menu gets the menu, and decides nothing', async () => {
    const id = await ask();
    for (const reply of ['yes', 'ok', '', '1.', '1 please', '4', '7'])
      expect(await chat.reply(id, 'ana-1', reply)).toMatchObject({
        kind: 'invalid',
        message: expect.stringContaining('1. Allow once'),
      });
    expect(await statusOf(id)).toBe('pending');
  });
});
