import { type ChatMessage, TelegramServer, waitFor } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Approval } from '../../src/approvals/approval/approval.ts';
import {
  TelegramChannel,
  type TelegramOptions,
} from '../../src/approvals/channels/telegram/telegram-channel.ts';
import { Secret } from '../../src/shared/secret.ts';
import { Answers, approvalFixture, KEY } from './answers.fixture.ts';

const ANA = 1001;
const EVE = 6666;
const ana = { user: 'ana', identity: String(ANA) };
const never = new AbortController().signal;

describe('the Telegram channel', () => {
  let server: TelegramServer;
  let channel: TelegramChannel;
  let answers: Answers;
  let problems: string[];
  const approval = approvalFixture();

  const create = (over: Partial<TelegramOptions> = {}): TelegramChannel =>
    new TelegramChannel({
      token: new Secret(server.token),
      apiUrl: server.url,
      ceiling: 'always',
      key: KEY,
      isListed: (identity) => identity === String(ANA),
      onProblem: (error) => void problems.push(`${error.message} ${error.hint ?? ''}`),
      pauseMs: 5,
      ...over,
    });
  const ask = async (question: Approval = approval): Promise<ChatMessage> => {
    const { ref } = await channel.deliver(question, ana, never);
    return server.chats.find(ANA, Number(ref.message))!;
  };
  const lastSaid = (chat = ANA) => server.chats.list(chat).at(-1)!.text;
  const said = (text: RegExp, chat = ANA) =>
    waitFor(`the chat to show ${text}`, () => expect(lastSaid(chat)).toMatch(text));

  beforeEach(async () => {
    server = await TelegramServer.start();
    server.chats.open(ANA);
    server.chats.open(EVE);
    answers = new Answers(approval);
    problems = [];
    channel = create();
    await channel.start(answers.onAnswer, never);
  });
  afterEach(async () => {
    await channel.stop();
    await channel.stop();
    await server[Symbol.asyncDispose]();
  });

  test.each([
    { button: '1 Allow once', decision: { code: '1' } },
    { button: '2 Allow for this session', decision: { code: '2' } },
    { button: '3 Deny', decision: { code: '3' } },
    { button: '6 Always allow this', decision: { code: '6' } },
    { button: 'Allow 15 min', decision: { code: '1', minutes: 15 } },
  ])('the button `$button` decides, and the person is told', async ({ button, decision }) => {
    const shown = await server.press(await ask(), button);
    expect(answers.taken).toEqual([
      { approvalId: approval.id, identity: ana.identity, answer: { kind: 'decision', decision } },
    ]);
    expect(shown).toMatch(/^(✅ Allowed|⛔ Denied)/);
  });

  test.each([
    { why: 'once', ceiling: 'once', covers: approval.covers, buttons: ['1 Allow once', '3 Deny'] },
    {
      why: 'session',
      ceiling: 'session',
      covers: approval.covers,
      buttons: ['1 Allow once', '3 Deny', '2 Allow for this session', 'Allow 15 min'],
    },
    { why: 'nothing to cover', ceiling: 'always', covers: {}, buttons: ['1 Allow once', '3 Deny'] },
  ] as const)('only what may be answered has a button: $why', async ({ ceiling, covers, buttons }) => {
    await channel.stop();
    channel = create({ ceiling });
    const message = await ask({ ...approval, covers });
    expect(message.buttons.map(({ text }) => text)).toEqual(buttons);
  });

  test('a note and a change come as a reply to the message, and the menu stays the law', async () => {
    const message = await ask();
    server.write({ id: ANA }, 'ok, go ahead', { replyTo: message });
    await said(/^Nothing was decided[\s\S]*1\. Allow once/);
    server.write({ id: ANA }, '4 add logs', { replyTo: message });
    await said(/Allowed once, with the note `add logs`/);
    expect(answers.taken.map(({ answer }) => answer)).toEqual([
      { kind: 'text', text: 'ok, go ahead' },
      { kind: 'text', text: '4 add logs' },
    ]);
  });

  test('[AP-8] the same button twice decides once; the second press is told that it came too late', async () => {
    const message = await ask();
    expect(await server.press(message, '1 Allow once')).toMatch(/^✅/);
    expect(await server.press(message, '3 Deny')).toMatch(
      /^Too late, your answer changed nothing\. ✅ Allowed once/,
    );
    expect(answers.get(approval.id)?.status).toBe('approved');
  });

  test.each([
    { why: 'expired', status: 'expired', told: /Too late.*Timed out/ },
    { why: 'cancelled', status: 'cancelled', told: /Too late.*Cancelled/ },
  ] as const)('[AP-8] a press on a question that is $why changes nothing', async ({ status, told }) => {
    const message = await ask();
    answers.put({ ...approval, status });
    expect(await server.press(message, '1 Allow once')).toMatch(told);
    expect(answers.get(approval.id)?.status).toBe(status);
  });

  describe('forged presses', () => {
    const other = 'appr_00000000000000000000000000';
    test.each([
      { why: 'no token', data: `1:${approval.id}` },
      { why: 'a token of zeros', data: `1:${approval.id}:${'0'.repeat(26)}` },
      { why: 'free text', data: 'approve' },
      { why: 'nothing', data: '' },
      { why: 'a property of every object', data: `constructor:${approval.id}:${'0'.repeat(26)}` },
    ])('[AP-8] $why decides nothing', async ({ data }) => {
      expect(await server.press(await ask(), '', { data })).toMatch(/^Nothing was decided/);
      expect(answers.taken).toEqual([]);
    });

    test('[AP-8] the token of one button is no token for another button or another question', async () => {
      const message = await ask();
      const [, , token] = message.buttons[0]!.callback_data!.split(':');
      for (const data of [`6:${approval.id}:${token}`, `1:${other}:${token}`]) {
        expect(await server.press(message, '', { data })).toMatch(/^Nothing was decided/);
      }
      expect(answers.taken).toEqual([]);
    });

    test.each([
      { why: 'a stranger with a copy of the data', person: { id: EVE } },
      { why: 'a bot with the id of a listed person', person: { id: ANA, isBot: true } },
      { why: 'a group', person: { id: ANA, chat: { id: -100, type: 'supergroup' } } },
      { why: 'a private chat of somebody else', person: { id: ANA, chat: { id: EVE, type: 'private' } } },
    ])('[AP-2] $why decides nothing', async ({ person }) => {
      expect(await server.press(await ask(), '1 Allow once', { person })).toMatch(/^Nothing was decided/);
      expect(answers.taken).toEqual([]);
    });

    test('[AP-2] a listed person cannot use the data of a question that somebody else was asked', async () => {
      await channel.stop();
      channel = create({ isListed: () => true });
      await channel.start(answers.onAnswer, never);
      const message = await ask();
      expect(await server.press(message, '1 Allow once', { person: { id: EVE } })).toMatch(/^Nothing was/);
      expect(answers.taken).toEqual([]);
    });
  });

  describe('messages that answer nothing', () => {
    test.each([
      { why: 'a number that replies to no question', text: '1', extra: {} },
      {
        why: 'a reply to their own message',
        text: '1',
        extra: { reply_to_message: own(`Id: ${approval.id}`) },
      },
      { why: 'a forward', text: '1', extra: { forward_origin: { type: 'user' } }, toQuestion: true },
      { why: 'a message through another bot', text: '1', extra: { via_bot: { id: 5 } }, toQuestion: true },
    ])('[AP-5] $why decides nothing and is answered', async ({ text, extra, toQuestion }) => {
      const message = await ask();
      server.write({ id: ANA }, text, { extra, ...(toQuestion === true ? { replyTo: message } : {}) });
      await said(/^Nothing was decided\. Press a button/);
      expect(answers.taken).toEqual([]);
    });

    test('[AP-2] strangers, bots and groups are not even answered; hello tells a stranger their id', async () => {
      const message = await ask();
      server.write({ id: EVE }, '1', { replyTo: message });
      server.write({ id: ANA, isBot: true }, '1', { replyTo: message });
      server.write({ id: ANA, chat: { id: -7, type: 'group' } }, '1', { replyTo: message });
      server.updates.push({
        message_reaction: { user: { id: ANA }, new_reaction: [{ type: 'emoji', emoji: '👍' }] },
      });
      server.updates.push({ edited_message: { text: '1', from: { id: ANA } } });
      server.write({ id: EVE }, '/start');
      await said(/^Your Telegram id is 6666/, EVE);
      expect(server.chats.list(EVE)).toHaveLength(1);
      expect(server.chats.list(ANA)).toHaveLength(1);
      expect(answers.taken).toEqual([]);
    });

    test('[AP-6] a preview that ends like a message of ours does not redirect a reply', async () => {
      const trap = {
        ...approval,
        preview: `ls\nId: appr_00000000000000000000000000`,
        title: 'x\nId: appr_1',
      };
      answers.put(trap);
      server.write({ id: ANA }, '3', { replyTo: await ask(trap) });
      await said(/Denied/);
      expect(answers.taken.map(({ approvalId }) => approvalId)).toEqual([approval.id]);
    });
  });

  test('a preview of 1 MiB comes whole as a file, before the question that says so', async () => {
    const preview = `${'line\n'.repeat(200_000)}the end`;
    const message = await ask({ ...approval, preview });
    expect(message.text).toContain('✂ Cut: ');
    const file = server.chats.list(ANA)[0]!;
    expect(message.replyTo).toBe(file.id);
    expect(file.document!.name).toBe(`question-${approval.id}.txt`);
    expect(file.document!.content).toContain('│ the end\n');
    expect(file.document!.content.match(/^│ line$/gm)).toHaveLength(200_000);
  });

  test('when the file cannot be sent, no question with buttons stands there without it', async () => {
    server.limitNext('sendDocument', 3_600);
    await expect(ask({ ...approval, preview: 'x'.repeat(9_000) })).rejects.toMatchObject({
      code: 'Unavailable',
    });
    expect(server.chats.list(ANA)).toEqual([]);
  });

  test.each([
    { status: 'approved', decision: { code: '1' }, decidedBy: 'bob', shown: /^✅ Allowed once \(bob\)/ },
    { status: 'denied', decision: { code: '3' }, decidedBy: 'bob', shown: /^⛔ Denied/ },
    { status: 'expired', shown: /^⌛ Timed out/ },
    { status: 'cancelled', cancelReason: 'restart', shown: /^🚫 Cancelled: the gateway was restarted/ },
  ] as const)('an ended question ($status) is edited and loses its buttons', async ({ shown, ...end }) => {
    const ref = await channel.deliver(approval, ana, never);
    // Another instance, as after a restart: everything it needs is in the reference.
    await create().update(JSON.parse(JSON.stringify(ref)), { ...approval, ...end }, never);
    const message = server.chats.find(ANA, Number(ref.ref.message))!;
    expect(message.text).toMatch(shown);
    expect(message.buttons).toEqual([]);
  });

  test('a caller that left can be allowed for next time, and one that came back is asked about as before', async () => {
    const ref = await channel.deliver(approval, ana, never);
    const left = { ...approval, status: 'cancelled', cancelReason: 'caller-left' } as const;
    answers.put(left);
    await channel.update(ref, left, never);
    const message = () => server.chats.find(ANA, Number(ref.ref.message))!;
    expect(await server.press(message(), 'Allow if it asks again')).toMatch(/passes once/);
    await channel.update(ref, approval, never);
    expect(message().buttons).toHaveLength(5);
  });

  test('an update of a message that is gone, blocked or the same already is no error', async () => {
    const ref = await channel.deliver(approval, ana, never);
    const ended = { ...approval, status: 'expired' } as const;
    await channel.update(ref, ended, never);
    await channel.update(ref, ended, never);
    server.chats.delete(ANA, Number(ref.ref.message));
    await channel.update(ref, ended, never);
    server.chats.block(ANA);
    await channel.update(ref, ended, never);
  });

  test('beyond what is shown, one message counts what is held and is edited as it changes', async () => {
    const first = await channel.digest({ tenant: 'default', shown: 10, held: 990 }, ana, undefined, never);
    expect(lastSaid()).toMatch(/^990 more questions wait behind the 10 above/);
    await channel.digest({ tenant: 'default', shown: 10, held: 0 }, ana, first, never);
    expect(server.chats.list(ANA)).toHaveLength(1);
    expect(lastSaid()).toBe('No more questions are held back.');
  });

  describe('when Telegram does not cooperate', () => {
    test('a retry-after is waited out, then the message goes', async () => {
      server.limitNext('sendMessage', 1);
      await ask();
      const [refused, accepted] = server.calls.filter(({ method }) => method === 'sendMessage');
      expect([refused?.status, accepted?.status]).toEqual([429, 200]);
      // Timers count in whole milliseconds: one may end a part of one early.
      expect(accepted!.at - refused!.at).toBeGreaterThanOrEqual(999);
    });

    test('a long retry-after rejects at once, and no call is made before it is over', async () => {
      server.limitNext('sendMessage', 3_600);
      await expect(ask()).rejects.toThrow(/retry after/);
      const calls = server.calls.length;
      await expect(ask()).rejects.toThrow(/retry after/);
      expect(server.calls.slice(calls).map(({ method }) => method)).not.toContain('sendMessage');
    });

    test.each([
      { why: 'a chat that nobody opened', identity: '4242', message: /chat not found/ },
      { why: 'a group', identity: '-100123', message: /not the id of a Telegram user/ },
      { why: 'a name', identity: '@ana', message: /not the id of a Telegram user/ },
    ])('delivery to $why rejects with a reason', async ({ identity, message }) => {
      await expect(channel.deliver(approval, { user: 'x', identity }, never)).rejects.toThrow(message);
    });

    test('a second poller is reported by both, and answers still arrive', async () => {
      const second = create();
      await second.start(answers.onAnswer, never);
      await waitFor('the second poller to be told', () =>
        expect(problems.join()).toMatch(/terminated by other getUpdates.*bot of its own/),
      );
      await second.stop();
      expect(await server.press(await ask(), '3 Deny')).toMatch(/Denied/);
    });

    test('[CR-1] neither a wrong token nor an unreachable server puts the token into an error', async () => {
      const wrong = create({ token: new Secret('1:wrong-token') });
      const nowhere = create({ apiUrl: 'http://127.0.0.1:9' });
      for (const broken of [wrong, nowhere]) {
        const error: unknown = await broken.deliver(approval, ana, never).catch((cause: unknown) => cause);
        expect(error).toMatchObject({ code: 'Unavailable' });
        expect(JSON.stringify([error, String(error), (error as Error).cause ?? ''])).not.toMatch(
          /token-of|wrong-token/,
        );
      }
    });

    test('an answer that came while the gateway was down is taken after the start, once', async () => {
      const message = await ask();
      await channel.stop();
      const told = server.press(message, '1 Allow once');
      channel = create();
      await channel.start(answers.onAnswer, never);
      expect(await told).toMatch(/^✅/);
      await channel.stop();
      expect(server.updates.unconfirmed).toEqual([]);
      expect(answers.taken).toHaveLength(1);
    });
  });

  test('[AP-2] by webhook it polls nothing, and takes only what comes with its secret', async () => {
    await channel.stop();
    const webhook = { url: 'https://gate.example.com/v1/channels/telegram', secret: new Secret('s3cret_-') };
    channel = create({ webhook });
    await channel.start(answers.onAnswer, never);
    expect(server.webhook).toEqual({ url: webhook.url, secret: 's3cret_-' });
    const message = await ask();
    const told = server.press(message, '1 Allow once');
    const update = server.updates.unconfirmed[0] as never; // the server's own shape of an update
    for (const wrong of [undefined, '', 's3cret', 's3cret_-x']) {
      expect(await channel.receive(wrong, update)).toBe(false);
    }
    expect(answers.taken).toEqual([]);
    expect(await channel.receive('s3cret_-', update)).toBe(true);
    expect(await told).toMatch(/^✅/);
    expect(server.updates.isPolled).toBe(false);
  });

  test('[AP-3] it names the hosts that carry it', () => {
    expect(channel.hosts).toEqual(['api.telegram.org', '127.0.0.1']);
  });
});

function own(text: string): unknown {
  return {
    message_id: 1,
    date: 0,
    from: { id: ANA, is_bot: false },
    chat: { id: ANA, type: 'private' },
    text,
  };
}
