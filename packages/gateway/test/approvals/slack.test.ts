import { type SlackMessage, SlackServer, waitFor } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Approval } from '../../src/approvals/approval/approval.ts';
import {
  createSlackChannel,
  type SlackChannel,
  type SlackOptions,
} from '../../src/approvals/channels/slack/slack-channel.ts';
import { Secret } from '../../src/shared/secret.ts';
import { Answers, approvalFixture, KEY } from '../channels/answers.fixture.ts';

const ANA = 'UANA1';
const EVE = 'UEVE1';
const ana = { user: 'ana', identity: ANA };
const never = new AbortController().signal;

describe('the Slack channel', () => {
  let server: SlackServer;
  let channel: SlackChannel;
  let answers: Answers;
  let problems: string[];
  const approval = approvalFixture();

  const create = (over: Partial<SlackOptions> = {}): Promise<SlackChannel> =>
    createSlackChannel({
      appToken: new Secret(server.appToken),
      botToken: new Secret(server.botToken),
      apiUrl: server.apiUrl,
      ceiling: 'always',
      key: KEY,
      isListed: (identity) => identity === ANA,
      onProblem: (error) => void problems.push(`${error.message} ${error.hint ?? ''}`),
      pauseMs: 5,
      ...over,
    });
  const ask = async (question: Approval = approval): Promise<SlackMessage> => {
    const { ref } = await channel.deliver(question, ana, never);
    return server.workspace.find(String(ref.channel), String(ref.ts))!;
  };
  const told = async (...press: Parameters<SlackServer['press']>): Promise<string> => {
    const [result] = await server.press(...press);
    if (result?.kind !== 'told') throw new Error('a form was opened');
    return result.text;
  };
  const form = async (message: SlackMessage, button: string) => {
    const [result] = await server.press(message, button);
    if (result?.kind !== 'form') throw new Error('no form was opened');
    return result.view;
  };

  beforeEach(async () => {
    server = await SlackServer.start();
    server.workspace.join(ANA);
    server.workspace.join(EVE);
    server.workspace.join('UROBOT', { isBot: true });
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
    const view = await form(await ask(), button);
    expect(answers.taken).toEqual([]);
    expect(await server.submit(view, text, { user: ANA })).toMatch(/^✅ Allowed once, /);
    expect(answers.taken).toEqual([
      { approvalId: approval.id, identity: ANA, answer: { kind: 'decision', decision } },
    ]);
  });

  test.each([
    { why: 'once', ceiling: 'once', covers: approval.covers, more: [] },
    {
      why: 'session',
      ceiling: 'session',
      covers: approval.covers,
      more: ['2 Allow for this session', 'Allow 15 min'],
    },
    { why: 'nothing to cover', ceiling: 'always', covers: {}, more: [] },
  ] as const)('only what may be answered has a button: $why', async ({ ceiling, covers, more }) => {
    await channel.stop();
    channel = await create({ ceiling });
    const { buttons } = await ask({ ...approval, covers });
    const texts = buttons.map(({ text }) => text);
    expect(texts).toEqual([
      '1 Allow once',
      '3 Deny',
      ...more,
      '4 Allow once + note…',
      '5 Modify then allow…',
    ]);
  });

  test('several people, and a question that nobody waits for, cannot be changed by a form', async () => {
    for (const over of [{ quorum: 2 }, { blocked: false }])
      expect((await ask({ ...approval, ...over })).buttons.map(({ text }) => text)).not.toContain(
        '5 Modify then allow…',
      );
  });

  describe('a form', () => {
    test.each([
      { why: 'somebody else', submit: { user: EVE } },
      { why: 'a bot in her place', submit: { user: ANA, isBot: true } },
    ])('[AP-2] that $why submits decides nothing', async ({ submit }) => {
      const view = await form(await ask(), '4 Allow once + note…');
      expect(await server.submit(view, 'yes', submit)).toMatch(/^Nothing was decided/);
      expect(answers.taken).toEqual([]);
    });

    test('[AP-8] that comes twice decides once', async () => {
      const view = await form(await ask(), '4 Allow once + note…');
      expect(await server.submit(view, 'first', { user: ANA })).toMatch(/^✅/);
      expect(await server.submit(view, 'second', { user: ANA })).toMatch(/^Too late/);
      expect(answers.get(approval.id)).toMatchObject({ decision: { note: 'first' } });
    });

    test('whose trigger has expired is not opened, and the person is told to press again', async () => {
      expect(await told(await ask(), '4 Allow once + note…', { expired: true })).toMatch(
        /Press the button again/,
      );
      expect(problems.join()).toMatch(/expired_trigger_id/);
    });

    test('that takes long to decide is closed in time, and the person is told afterwards', async () => {
      await channel.stop();
      const slow = Promise.withResolvers<void>();
      channel = await create();
      await channel.start(async (answer) => {
        await slow.promise;
        return answers.onAnswer(answer);
      }, never);
      const message = await ask();
      const view = await form(message, '4 Allow once + note…');
      expect(await server.submit(view, 'add logs', { user: ANA })).toBeUndefined();
      slow.resolve();
      await waitFor('the end of the question', () =>
        expect(server.workspace.list(message.channel).at(-1)?.shown).toMatch(/^✅ Allowed once, with the/),
      );
    });
  });

  test('an ended question loses its buttons; of a caller that left, one remains', async () => {
    const ref = await channel.deliver(approval, ana, never);
    const now = () => server.workspace.find(String(ref.ref.channel), String(ref.ref.ts))!;
    const left = { ...approval, status: 'cancelled', cancelReason: 'caller-left' } as const;
    answers.put(left);
    await channel.update(ref, left, never);
    expect(await told(now(), 'Allow if it asks again')).toMatch(/passes once/);
    await channel.update(ref, approval, never);
    expect(now().buttons).toHaveLength(7);
    // Another instance, as after a restart: everything it needs is in the reference.
    const other = await create();
    await other.update(JSON.parse(JSON.stringify(ref)), { ...approval, status: 'expired' }, never);
    expect(now()).toMatchObject({ shown: expect.stringMatching(/^⌛ Timed out/), buttons: [] });
    await other.stop();
  });

  test('a long preview comes as a file, before the question that says so', async () => {
    const message = await ask({ ...approval, preview: `${'line\n'.repeat(20_000)}the end` });
    expect(message.shown).toContain('✂ Cut: ');
    const [first, second] = server.workspace.list(message.channel);
    expect(first?.file?.name).toBe(`question-${approval.id}.txt`);
    expect(first?.file?.content).toContain('│ the end\n');
    expect(second).toEqual(message);
  });

  test('when the file cannot be sent, no question with buttons stands there without it', async () => {
    server.limitNext('files.completeUploadExternal', 3_600);
    await expect(ask({ ...approval, preview: 'x'.repeat(9_000) })).rejects.toMatchObject({
      code: 'TooManyRequests',
      details: { retry_after_seconds: 3_600 },
    });
    expect(server.workspace.list('DANA1')).toEqual([]);
  });

  test('what is held back is one message, edited as it changes; what a review let pass is told', async () => {
    const digest = { tenant: 'default', shown: 10 };
    const first = await channel.digest({ ...digest, held: 990 }, ana, undefined, never);
    expect(server.workspace.list('DANA1').at(-1)?.shown).toMatch(/^990 more questions wait behind the 10/);
    await channel.digest({ ...digest, held: 0 }, ana, first, never);
    expect(server.workspace.list('DANA1').map(({ shown }) => shown)).toEqual([
      'No more questions are held back.',
    ]);
    const review = { risk: 'low', summary: '<!channel> fine', reasons: [], model: 'm', at: 0 } as const;
    const item = { actionId: 'act_1', title: 'ls <!here>', review };
    await channel.tell({ tenant: 'default', items: [item], more: 3 }, ana, never);
    const notice = server.workspace.list('DANA1').at(-1);
    expect(notice?.shown).toMatch(/What: ls <!here>[\s\S]*and 3 more[\s\S]*nothing to answer/);
    expect(notice?.text).not.toMatch(/<!/);
  });

  describe('when Slack does not cooperate', () => {
    test('a connection that Slack ends or that breaks is made again, and answers still arrive', async () => {
      const message = await ask();
      await server.envelopes.connected();
      for (const end of ['refresh', 'cut'] as const) {
        const before = server.envelopes.connections;
        server.envelopes[end]();
        await waitFor('a new connection', () => expect(server.envelopes.connections).toBeGreaterThan(before));
      }
      expect(await told(message, '1 Allow once')).toMatch(/^✅/);
    });

    test('a Slack that is down at the start is tried again, and said', async () => {
      await channel.stop();
      server.mode = 'down';
      channel = await create();
      await channel.start(answers.onAnswer, never);
      await waitFor('the problem to be told', () =>
        expect(problems.join()).toMatch(/Slack cannot be reached/),
      );
      server.mode = 'up';
      expect(await told(await ask(), '3 Deny')).toMatch(/^⛔/);
    });

    test.each([
      { why: 'nobody', identity: 'UNOBODY', message: /user_not_found/ },
      { why: 'a bot', identity: 'UROBOT', message: /cannot_dm_bot/ },
      { why: 'a channel', identity: 'C0123', message: /not the id of a Slack member/ },
      { why: 'the bot of Slack', identity: 'USLACKBOT', message: /not the id of a Slack member/ },
      { why: 'several at once', identity: 'UANA1,UEVE1', message: /not the id of a Slack member/ },
    ])('[AP-2] delivery to $why rejects with a reason', async ({ identity, message }) => {
      await expect(channel.deliver(approval, { user: 'x', identity }, never)).rejects.toThrow(message);
    });

    test('a wrong bot token is reported at the start, with what to do', async () => {
      const wrong = await create({ botToken: new Secret('xoxb-wrong') });
      await wrong.start(answers.onAnswer, never);
      await waitFor('the refused token to be told', () =>
        expect(problems.join()).toMatch(/`auth.test`: invalid_auth check the tokens/),
      );
      await wrong.stop();
    });

    test('[CR-1] no token gets into an error', async () => {
      const wrong = await create({ botToken: new Secret('xoxb-wrong') });
      const nowhere = await create({ apiUrl: 'http://127.0.0.1:9/api/' });
      for (const broken of [wrong, nowhere]) {
        const error: unknown = await broken.deliver(approval, ana, never).catch((cause: unknown) => cause);
        expect(error).toMatchObject({ code: 'Unavailable' });
        expect(JSON.stringify([error, String(error), (error as Error).cause ?? ''])).not.toMatch(/xoxb|xapp/);
        await broken.stop();
      }
    });
  });
});
