import { type DiscordMessage, DiscordServer, waitFor } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Approval } from '../../src/approvals/approval/approval.ts';
import {
  createDiscordChannel,
  type DiscordChannel,
  type DiscordOptions,
} from '../../src/approvals/channels/discord/discord-channel.ts';
import { Secret } from '../../src/shared/secret.ts';
import { Answers, approvalFixture, KEY } from '../channels/answers.fixture.ts';

const ANA = '100000000000000001';
const EVE = '100000000000000666';
const ROBOT = '100000000000000777';
const ana = { user: 'ana', identity: ANA };
const never = new AbortController().signal;

describe('the Discord channel', () => {
  let server: DiscordServer;
  let channel: DiscordChannel;
  let answers: Answers;
  let problems: string[];
  const approval = approvalFixture();

  const create = (over: Partial<DiscordOptions> = {}): Promise<DiscordChannel> =>
    createDiscordChannel({
      token: new Secret(server.token),
      apiUrl: server.apiUrl,
      ceiling: 'always',
      key: KEY,
      isListed: (identity) => identity === ANA,
      onProblem: (error) => void problems.push(`${error.message} ${error.hint ?? ''}`),
      pauseMs: 5,
      ...over,
    });
  const ask = async (question: Approval = approval): Promise<DiscordMessage> => {
    const { ref } = await channel.deliver(question, ana, never);
    return server.guild.find(String(ref.channel), String(ref.message))!;
  };
  const told = async (...press: Parameters<DiscordServer['press']>): Promise<string> => {
    const result = await server.press(...press);
    if (result.kind !== 'told') throw new Error('a form was opened');
    return result.text;
  };
  const form = async (message: DiscordMessage, button: string) => {
    const result = await server.press(message, button);
    if (result.kind !== 'form') throw new Error('no form was opened');
    return result.modal;
  };

  beforeEach(async () => {
    server = await DiscordServer.start();
    server.guild.join(ANA);
    server.guild.join(EVE);
    server.guild.join(ROBOT, { isBot: true });
    answers = new Answers(approval);
    problems = [];
    channel = await create();
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
    expect(await told(await ask(), button)).toMatch(/^(✅ Allowed|⛔ Denied)/);
    expect(answers.taken).toEqual([
      { approvalId: approval.id, identity: ANA, answer: { kind: 'decision', decision } },
    ]);
  });

  test.each([
    { button: '4 Allow once + note…', text: 'add logs', decision: { code: '4', note: 'add logs' } },
    { button: '5 Modify then allow…', text: ' ls -l\n', decision: { code: '5', override: ' ls -l\n' } },
  ])('`$button` opens a form, whose text decides', async ({ button, text, decision }) => {
    const message = await ask();
    const modal = await form(message, button);
    expect(answers.taken).toEqual([]);
    expect(await server.submit(modal, text, message)).toMatchObject({
      kind: 'told',
      text: expect.stringMatching(/^✅ Allowed once, /),
    });
    expect(answers.taken).toEqual([
      { approvalId: approval.id, identity: ANA, answer: { kind: 'decision', decision } },
    ]);
  });

  test('several people, and a question that nobody waits for, cannot be changed by a form', async () => {
    for (const over of [{ quorum: 2 }, { blocked: false }])
      expect((await ask({ ...approval, ...over })).buttons.map(({ label }) => label)).not.toContain(
        '5 Modify then allow…',
      );
  });

  describe('a form', () => {
    test.each([
      { why: 'somebody else', by: { user: EVE } },
      { why: 'a bot in her place', by: { user: ANA, isBot: true } },
    ])('[AP-2] that $why submits decides nothing', async ({ by }) => {
      const message = await ask();
      const modal = await form(message, '4 Allow once + note…');
      const { kind, ...rest } = await server.submit(modal, 'yes', message, by);
      expect([kind, rest]).toEqual(['told', { text: expect.stringMatching(/^Nothing was decided/) }]);
      expect(answers.taken).toEqual([]);
    });

    test('[AP-8] that comes twice decides once', async () => {
      const message = await ask();
      const modal = await form(message, '4 Allow once + note…');
      await server.submit(modal, 'first', message);
      expect(await server.submit(modal, 'second', message)).toMatchObject({
        text: expect.stringMatching(/^Too late/),
      });
      expect(answers.get(approval.id)).toMatchObject({ decision: { note: 'first' } });
    });

    test('without its field decides nothing', async () => {
      const message = await ask();
      const modal = await form(message, '4 Allow once + note…');
      const other = { ...modal, components: [{ component: { custom_id: 'other' } }] };
      await server.submit(other, 'yes', message);
      expect(answers.taken.map(({ answer }) => answer)).toEqual([
        { kind: 'decision', decision: { code: '4', note: '' } },
      ]);
    });
  });

  test('an ended question loses its buttons; of a caller that left, one remains', async () => {
    const ref = await channel.deliver(approval, ana, never);
    const now = () => server.guild.find(String(ref.ref.channel), String(ref.ref.message))!;
    const left = { ...approval, status: 'cancelled', cancelReason: 'caller-left' } as const;
    answers.put(left);
    await channel.update(ref, left, never);
    expect(await told(now(), 'Allow if it asks again')).toMatch(/passes once/);
    await channel.update(ref, approval, never);
    expect(now().buttons).toHaveLength(7);
    // Another instance, as after a restart: everything it needs is in the reference.
    const other = await create();
    await other.update(JSON.parse(JSON.stringify(ref)), { ...approval, status: 'expired' }, never);
    expect(now()).toMatchObject({ content: expect.stringMatching(/^``⌛ Timed out/), buttons: [] });
    await other.stop();
  });

  test('a long preview comes whole as a file of the message, also when it is opened again', async () => {
    const long = { ...approval, preview: `${'line\n'.repeat(20_000)}the end` };
    const ref = await channel.deliver(long, ana, never);
    const now = () => server.guild.find(String(ref.ref.channel), String(ref.ref.message))!;
    expect(now().content).toContain('✂ Cut: ');
    expect(now().files.map(({ name }) => name)).toEqual([`question-${approval.id}.txt`]);
    await channel.update(ref, { ...long, preview: `${long.preview}!` }, never);
    expect(now().files).toHaveLength(1);
    expect(now().files[0]!.content).toContain('│ the end!\n');
  });

  test('however many facts there are and however long, the message fits', async () => {
    const long = (length: number) => '`` x '.repeat(length);
    const review = { risk: 'high', summary: long(90), reasons: [long(90)], model: 'm', at: 0 } as const;
    const covers = { session: long(90), minutes: long(90), always: long(90) };
    const question = { title: long(40), tool: long(90), credential: long(90), preview: long(900) };
    const reason = { layer: 'rules', reason: long(90), rule: long(90) } as const;
    const full = { quorum: 3, agreed: [long(90)], selfDeclared: true, covers, reason, ...question };
    const message = await ask({ ...approval, ...full, review });
    expect(message.content).toMatch(/│ .*x[\s\S]*✂/);
    expect(message.buttons).toHaveLength(6);
  });

  test('in a channel each person has a message of their own, which rings for them and for nobody else', async () => {
    await channel.stop();
    const place = '400000000000000001';
    server.guild.addChannel(place);
    channel = await create({ channel: place, isListed: () => true });
    await channel.start(answers.onAnswer, never);
    const message = await ask({ ...approval, preview: `@everyone <@${EVE}>`, title: `<@${EVE}>` });
    expect([message.channel, message.rings]).toEqual([place, [ANA]]);
    for (const press of [
      { user: EVE, serverChannel: place },
      { user: ANA, serverChannel: '400000000000000002' },
      { user: ANA },
    ])
      expect(await told({ ...message, channel: '900000000000000009' }, '1 Allow once', press)).toMatch(
        /^Nothing was decided/,
      );
    expect(answers.taken).toEqual([]);
    expect(await told(message, '1 Allow once', { user: ANA, serverChannel: place })).toMatch(/^✅/);
  });

  test('what is held back is one message, edited as it changes; what a review let pass is told', async () => {
    const digest = { tenant: 'default', shown: 10 };
    const first = await channel.digest({ ...digest, held: 990 }, ana, undefined, never);
    const all = () => server.guild.list(String(first.ref.channel));
    expect(all().at(-1)?.content).toMatch(/^990 more questions wait behind the 10/);
    await channel.digest({ ...digest, held: 0 }, ana, first, never);
    expect(all().map(({ content }) => content)).toEqual(['No more questions are held back.']);
    const review = { risk: 'low', summary: '``` # fine', reasons: [], model: 'm', at: 0 } as const;
    const item = { actionId: 'act_1', title: `ls @everyone ${'x'.repeat(3_000)}`, review };
    await channel.tell({ tenant: 'default', items: [item], more: 3 }, ana, never);
    expect(all().at(-1)).toMatchObject({ markup: '▒', rings: [] });
  });

  describe('when Discord does not cooperate', () => {
    test('a connection that ends or breaks is taken up again, and what was pressed meanwhile arrives', async () => {
      const message = await ask();
      // The first answer shows that the connection stands.
      expect(await told(message, '', { customId: 'nothing' })).toMatch(/^Nothing was decided/);
      server.gateway.askToReconnect();
      await waitFor('the first resumed connection', () => expect(server.gateway.resumed).toBe(1));
      server.gateway.cut();
      const pressed = told(message, '1 Allow once');
      await waitFor('the second resumed connection', () => expect(server.gateway.resumed).toBe(2));
      expect(await pressed).toMatch(/^✅/);
      expect(answers.taken).toHaveLength(1);
      expect(server.gateway.identified).toBe(1);
    });

    test('a Discord that is down at the start is tried again, and said', async () => {
      await channel.stop();
      server.mode = 'down';
      channel = await create();
      await channel.start(answers.onAnswer, never);
      await waitFor('the problem to be told', () =>
        expect(problems.join()).toMatch(/Discord cannot be reached/),
      );
      server.mode = 'up';
      expect(await told(await ask(), '3 Deny')).toMatch(/^⛔/);
    });

    test('a person who takes no messages, and one who has gone, are no error for an edit', async () => {
      const ref = await channel.deliver(approval, ana, never);
      server.guild.block(ANA);
      await channel.update(ref, { ...approval, status: 'expired' }, never);
      await expect(channel.deliver(approval, ana, never)).rejects.toMatchObject({
        message: expect.stringMatching(/Cannot send messages to this user \(50007\)/),
        hint: expect.stringMatching(/share a server/),
      });
    });

    test.each([
      { why: 'nobody', identity: '100000000000009999', message: /Invalid Recipient/ },
      { why: 'a bot', identity: ROBOT, message: /Cannot send messages/ },
      { why: 'a name', identity: 'ana#1234', message: /not the id of a Discord user/ },
      { why: 'a path', identity: '../channels/1', message: /not the id of a Discord user/ },
    ])('[AP-2] delivery to $why rejects with a reason', async ({ identity, message }) => {
      await expect(channel.deliver(approval, { user: 'x', identity }, never)).rejects.toThrow(message);
    });

    test('a long pause is handed to the caller at once', async () => {
      server.limitNext('POST /channels', 3_600);
      await expect(ask()).rejects.toMatchObject({
        code: 'TooManyRequests',
        details: { retry_after_seconds: expect.any(Number) },
      });
    });

    test('[CR-1] neither a wrong token nor an unreachable server puts the token into an error', async () => {
      const wrong = await create({ token: new Secret('NzAw.wrong.token') });
      await wrong.start(answers.onAnswer, never);
      await waitFor('the refused token to be told', () =>
        expect(problems.join()).toMatch(/the token is not valid check the token/),
      );
      const nowhere = await create({ apiUrl: 'http://127.0.0.1:9/api' });
      for (const broken of [wrong, nowhere]) {
        const error: unknown = await broken.deliver(approval, ana, never).catch((cause: unknown) => cause);
        expect(error).toMatchObject({ code: 'Unavailable' });
        expect(JSON.stringify([error, String(error), (error as Error).cause ?? ''])).not.toMatch(/NzAw/);
        await broken.stop();
      }
      expect(problems.join()).not.toMatch(/NzAw/);
    });
  });
});
