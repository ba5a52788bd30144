import { MailServer, TelegramServer, waitFor } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EmailChannel } from '../../src/approvals/channels/email/email-channel.ts';
import { TelegramChannel } from '../../src/approvals/channels/telegram/telegram-channel.ts';
import { Secret } from '../../src/shared/secret.ts';
import { CONFIG } from '../approvals/approvals-fixture.ts';
import { INBOX_SECRET, openHttp, QUESTION } from '../approvals/http-fixture.ts';
import { KEY } from './answers.fixture.ts';

const ANA = 1001;
const config = {
  tenants: {
    default: {
      ...CONFIG.tenants.default,
      users: {
        ana: { roles: ['owner'], identities: { telegram: String(ANA), email: 'Ana@example.com' } },
        eve: { roles: ['viewer'], identities: { telegram: '6666', email: 'eve@example.com' } },
      },
    },
  },
};
type World = Awaited<ReturnType<typeof openHttp>>;

describe('create, reply, status: real core, real libraries, real sockets', () => {
  let telegram: TelegramServer;
  let mail: MailServer;
  let world: World;
  let reach: readonly string[];

  const open = async (): Promise<World> => {
    const listed = new Set([String(ANA), '6666', 'ana@example.com', 'eve@example.com']);
    const common = { key: KEY, isListed: (identity: string) => listed.has(identity), onProblem: () => {} };
    const chat = new TelegramChannel({
      ...common,
      token: new Secret(telegram.token),
      apiUrl: telegram.url,
      ceiling: 'always',
      pauseMs: 5,
    });
    const email = new EmailChannel({
      ...common,
      smtp: { host: '127.0.0.1', port: mail.port, tls: 'none' },
      from: 'gate@example.org',
      ceiling: 'once',
    });
    const opened = await openHttp({ config, channels: [chat, email], reachOf: () => reach });
    opened.open.inbox.register((received) => email.receive(received));
    return opened;
  };
  const create = async (over: object = {}): Promise<string> => {
    const answer = await world.agent('/v1/approvals', { json: { ...QUESTION, ...over } });
    expect(answer.status).toBe(201);
    await world.open.delivered();
    return answer.json<{ approval_id: string }>().approval_id;
  };
  const status = async (id: string) => (await world.agent(`/v1/approvals/${id}`)).json();
  const asked = () => telegram.chats.list(ANA).at(-1)!;
  const reply = (body: string, subject = mail.messages[0]!.subject, from = 'ana@example.com') =>
    world.agent('/v1/inbox/email-reply', {
      token: INBOX_SECRET,
      json: { from, subject: `Re: ${subject}`, body },
    });

  beforeEach(async () => {
    reach = [];
    telegram = await TelegramServer.start();
    mail = await MailServer.start();
    telegram.chats.open(ANA);
    telegram.chats.open(6666);
    world = await open();
  });
  afterEach(async () => {
    await world[Symbol.asyncDispose]();
    await telegram[Symbol.asyncDispose]();
    await mail[Symbol.asyncDispose]();
  });

  test('a button decides; the message is edited and the mail is followed by one that says so', async () => {
    const id = await create();
    expect(asked().text).toMatch(/Self-declared/);
    expect(await telegram.press(asked(), '1 Allow once')).toMatch(/^✅ Allowed once/);
    expect(await status(id)).toMatchObject({ status: 'approved', decision: { code: '1', note: null } });
    await world.open.delivered();
    expect(asked()).toMatchObject({
      text: expect.stringMatching(/^✅ Allowed once \(ana by telegram/),
      buttons: [],
    });
    expect(mail.messages.map(({ subject }) => subject)).toEqual([
      expect.stringContaining(`[${id}]`),
      expect.stringMatching(/^Re: /),
    ]);
  });

  test("the source's own mail reply decides, with its note", async () => {
    const id = await create();
    expect((await reply('4 add logs\n\nOn Tue...')).json()).toEqual({ outcome: 'decided' });
    expect(await status(id)).toMatchObject({
      status: 'approved',
      decision: { code: '4', note: 'add logs', override: null },
    });
    await world.open.delivered();
    expect(asked().text).toMatch(/^✅ Allowed once, with the note `add logs`/);
  });

  test('mail has the ceiling `once`: a standing answer is refused, the person is told, the question waits', async () => {
    const id = await create();
    expect((await reply('6')).json()).toEqual({ outcome: 'refused' });
    expect(await status(id)).toMatchObject({ status: 'pending' });
    expect(mail.messages[1]!.parts[0]!.text).toMatch(
      /^Nothing was decided: this channel may allow once only/,
    );
  });

  test('a session allow by button answers the next question without asking', async () => {
    await create();
    await telegram.press(asked(), '2 Allow for this session');
    const next = await world.agent('/v1/approvals', { json: QUESTION });
    expect(next.status).toBe(200);
    expect(next.json()).toMatchObject({ status: 'approved', auto: true, decision: { code: '2' } });
  });

  test('[AP-8] after the timeout both ways are told, and nothing is decided', async () => {
    const id = await create();
    const message = asked();
    world.clock.advance(601_000);
    await world.open.sweep();
    await world.open.delivered();
    expect(asked().text).toMatch(/^⌛ Timed out/);
    expect(await telegram.press(message, '1 Allow once')).toMatch(/^Too late.*Timed out/);
    expect((await reply('1')).json()).toEqual({ outcome: 'too-late' });
    expect(await status(id)).toMatchObject({ status: 'expired' });
  });

  test('[AP-2] somebody listed without the right to approve is neither asked nor heard', async () => {
    const id = await create();
    expect(telegram.chats.list(6666)).toEqual([]);
    telegram.write({ id: 6666 }, '1', { replyTo: asked() });
    await waitFor('the stranger to be told', () =>
      expect(telegram.chats.list(6666).at(-1)?.text).toMatch(/^Nothing was decided/),
    );
    expect((await reply('1', undefined, 'eve@example.com')).json()).toEqual({ outcome: 'refused' });
    expect(await status(id)).toMatchObject({ status: 'pending' });
  });

  test('[AP-3] an asker that gets a credential on a mail host is no longer answered by mail, nor asked about', async () => {
    const id = await create();
    reach = ['gmail.googleapis.com'];
    expect((await reply('1')).json()).toEqual({ outcome: 'refused' });
    expect(await status(id)).toMatchObject({ status: 'pending' });
    const next = await create({ title: 'Another', preview: 'another' });
    expect(mail.messages.filter(({ subject }) => subject.includes(next))).toEqual([]);
    expect(await telegram.press(asked(), '3 Deny')).toMatch(/^⛔/);
    expect(await status(next)).toMatchObject({ status: 'denied' });
  });

  test('[AP-4] of a button and a mail at the same moment exactly one wins, 20 times, and both are told', async () => {
    for (let round = 0; round < 20; round += 1) {
      mail.messages.splice(0);
      const id = await create({ title: `Round ${round}`, preview: `round ${round}` });
      const [pressed, mailed] = await Promise.all([telegram.press(asked(), '1 Allow once'), reply('3')]);
      const { outcome } = mailed.json<{ outcome: string }>();
      const byButton = /^✅/.test(pressed ?? '');
      expect([byButton, outcome === 'decided'].filter(Boolean)).toHaveLength(1);
      expect(await status(id)).toMatchObject({ status: byButton ? 'approved' : 'denied' });
      expect(byButton ? outcome : pressed).toMatch(byButton ? /^too-late$/ : /^Too late/);
    }
  });
});
