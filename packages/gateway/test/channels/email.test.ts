import { createTestCa, MailServer, type MailServerOptions } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EmailChannel, type EmailOptions } from '../../src/approvals/channels/email/email-channel.ts';
import { Secret } from '../../src/shared/secret.ts';
import { Answers, approvalFixture, KEY } from './answers.fixture.ts';

const ana = { user: 'ana', identity: 'Ana@example.com' };
const never = new AbortController().signal;

describe('the email channel', () => {
  let server: MailServer;
  let channel: EmailChannel;
  let answers: Answers;
  let problems: string[];
  const approval = approvalFixture();
  const others: MailServer[] = [];

  const create = (over: Partial<EmailOptions> = {}): EmailChannel =>
    new EmailChannel({
      smtp: { host: '127.0.0.1', port: server.port, tls: 'none' },
      from: 'gate@example.org',
      ceiling: 'once',
      key: KEY,
      isListed: (address) => address === 'ana@example.com' || address === 'bob@example.com',
      onProblem: (error) => void problems.push(error.message),
      ...over,
    });
  const startServer = async (options: MailServerOptions): Promise<MailServer> => {
    const other = await MailServer.start(options);
    others.push(other);
    return other;
  };
  /** The question as it arrived. */
  const ask = async (question = approval) => {
    await channel.deliver(question, ana, never);
    return server.messages.at(-1)!;
  };
  const reply = (subject: string, body: string, over: { from?: string; raw?: string } = {}) =>
    channel.receive({ from: 'Ana <ana@Example.com>', subject: `Re: ${subject}`, body, ...over });

  beforeEach(async () => {
    server = await MailServer.start();
    answers = new Answers(approval);
    problems = [];
    channel = create();
    await channel.start(answers.onAnswer);
  });
  afterEach(async () => {
    await channel.stop();
    await channel.stop();
    await server[Symbol.asyncDispose]();
    for (const other of others.splice(0)) await other[Symbol.asyncDispose]();
  });

  describe('whose forwarder is trusted', () => {
    let asked: readonly string[];
    const forward = (subject: string, body: string, from?: string) =>
      channel.receive({ subject, body, ...(from === undefined ? {} : { from }) });
    beforeEach(async () => {
      asked = ['Ana@example.com'];
      await channel.stop();
      channel = create({ trust: 'forwarder', asked: async (id) => (id === approval.id ? asked : []) });
      await channel.start(answers.onAnswer);
    });

    test('takes subject and body alone, as the approval API has it, for the one person who was asked', async () => {
      const outcome = await forward(
        `Run command [${approval.id}]`,
        '4 add logs\n\nOn Tue, somebody wrote:\n> 3',
      );
      expect(outcome).toMatchObject({ kind: 'decided' });
      expect(answers.taken).toMatchObject([{ identity: 'ana@example.com', answer: { text: '4 add logs' } }]);
    });

    test.each([
      { why: 'no id', subject: 'Run command', body: '1' },
      { why: 'two ids', subject: `[${approval.id}] [appr_${'0'.repeat(26)}]`, body: '1' },
      { why: 'nobody was asked', subject: `[appr_${'0'.repeat(26)}]`, body: '1' },
      { why: 'a sender who was not asked', subject: `[${approval.id}]`, body: '1', from: 'bob@example.com' },
      {
        why: 'a sender that is none',
        subject: `[${approval.id}]`,
        body: '1',
        from: 'ana@example.com, bob@example.com',
      },
      { why: 'an absence note', subject: `Automatic reply: [${approval.id}]`, body: '1' },
    ])('[AP-5] decides nothing with $why', async ({ subject, body, from }) => {
      expect(await forward(subject, body, from)).toMatchObject({ kind: 'refused' });
      expect(answers.taken).toEqual([]);
    });

    test('[AP-2] needs to be told who wrote where several people were asked', async () => {
      asked = ['Ana@example.com', 'bob@example.com'];
      expect(await forward(`[${approval.id}]`, '1')).toMatchObject({ kind: 'refused' });
      expect(await forward(`[${approval.id}]`, '1', 'Bob <bob@example.com>')).toMatchObject({
        kind: 'decided',
      });
      expect(answers.taken).toMatchObject([{ identity: 'bob@example.com' }]);
    });
  });

  test('[AP-2] without that a mail that brings no key back decides nothing', async () => {
    expect(await reply(`[${approval.id}]`, '1')).toMatchObject({ kind: 'refused' });
    expect(answers.taken).toEqual([]);
  });

  test('the question arrives with id and key in its subject, as text and as HTML, marked as automatic', async () => {
    const mail = await ask();
    expect(mail.subject).toMatch(/^Allow\? git push origin main \[appr_[0-9a-z]{26}\] \[key-[0-9a-z]{26}\]$/);
    expect(mail.parts.map(({ type }) => type)).toEqual(['text/plain', 'text/html']);
    expect(mail.parts[0]!.text).toContain('│ git push origin main');
    const headers = Object.fromEntries(mail.headers);
    expect(headers).toMatchObject({ 'auto-submitted': 'auto-generated', from: 'gate@example.org' });
    expect(headers['message-id']).toMatch(new RegExp(`^<${approval.id}\\.[0-9a-f]{16}@example\\.org>$`));
    expect(mail.to).toEqual(['Ana@example.com']);
  });

  test('a reply decides, as from the address that was asked', async () => {
    const { subject } = await ask();
    expect(await reply(subject, '4 add logs\n\nOn Tue...')).toMatchObject({ kind: 'decided' });
    expect(answers.taken).toEqual([
      { approvalId: approval.id, identity: 'ana@example.com', answer: { kind: 'text', text: '4 add logs' } },
    ]);
  });

  test('a retried mail has the same Message-ID, so that it arrives once', async () => {
    const [first, second] = [await ask(), await ask()];
    const id = (mail: typeof first) => mail.headers.find(([name]) => name === 'message-id');
    expect(id(first)).toEqual(id(second));
  });

  test.each([
    { why: 'the id in the subject and the key in the quoted body', subject: `[${approval.id}]` },
    { why: 'both in the quoted body', subject: 'answer' },
  ])('a forwarder may cut the subject: $why', async ({ subject }) => {
    const mail = await ask();
    const body = `1\n\n> Subject: ${mail.subject}\n> ${mail.parts[0]!.text.replace(/\n/g, '\n> ')}`;
    expect(await reply(subject, body)).toMatchObject({ kind: 'decided' });
  });

  describe('nothing is decided and nobody is written to', () => {
    test.each([
      { why: 'a forged sender without the key', change: (s: string) => s.replace(/ \[key-.*/, '') },
      { why: 'a wrong key', change: (s: string) => s.replace(/key-\w+/, `key-${'0'.repeat(26)}`) },
      {
        why: 'a key of another question',
        change: (s: string) => s.replace(/appr_\w+/, `appr_${'0'.repeat(26)}`),
      },
      { why: 'no id', change: (s: string) => s.replace(/\[appr_\w+\]/, '') },
      { why: 'an absence note', change: (s: string) => `Automatic reply: ${s}` },
    ])('[AP-8] $why', async ({ change }) => {
      const { subject } = await ask();
      const changed = change(subject);
      const outcome = await channel.receive({ from: 'ana@example.com', subject: changed, body: '1' });
      expect(outcome.kind).toBe('refused');
      expect(answers.taken).toEqual([]);
      expect(server.messages).toHaveLength(1);
    });

    test.each([
      { why: 'somebody who got a copy of the mail', from: 'eve@evil.test' },
      { why: 'a listed person who was not asked', from: 'bob@example.com' },
      { why: 'a name that looks like the address', from: '"ana@example.com" <eve@evil.test>' },
      { why: 'two senders', from: 'ana@example.com, eve@evil.test' },
      { why: 'no sender', from: '' },
      { why: 'a message from somebody else', from: 'ana@example.com', raw: 'From: eve@evil.test\r\n\r\n1' },
      {
        why: 'a robot',
        from: 'ana@example.com',
        raw: 'From: ana@example.com\r\nAuto-Submitted: auto-replied\r\n\r\n1',
      },
    ])('[AP-2] $why', async ({ from, raw }) => {
      const { subject } = await ask();
      const outcome = await reply(subject, '1', { from, ...(raw === undefined ? {} : { raw }) });
      expect(outcome.kind).toBe('refused');
      expect(answers.taken).toEqual([]);
      expect(server.messages).toHaveLength(1);
    });

    test('[AP-2] a person who is no longer listed', async () => {
      const { subject } = await ask();
      const later = create({ isListed: () => false });
      await later.start(answers.onAnswer);
      const mail = { from: 'ana@example.com', subject, body: '1' };
      expect((await later.receive(mail)).kind).toBe('refused');
      await later.stop();
    });
  });

  describe('nothing is decided and the person is told', () => {
    test.each([
      { why: 'free text', body: 'yes please', told: /Nothing was decided[\s\S]*1\. Allow once/ },
      { why: 'HTML only', body: '<html><body>1</body></html>', told: /no plain text/ },
      { why: 'an empty reply', body: '> 1', told: /above the quoted text/ },
      { why: '10 MB of noise', body: 'x'.repeat(10_000_000), told: /Nothing was decided/ },
    ])('[AP-5] $why', async ({ body, told }) => {
      const { subject } = await ask();
      expect((await reply(subject, body)).kind).toBe('invalid');
      expect(answers.get(approval.id)?.status).toBe('pending');
      const answer = server.messages[1]!;
      expect(answer.parts[0]!.text).toMatch(told);
      expect(answer.to).toEqual(['ana@example.com']);
      expect(answer.headers.find(([name]) => name === 'in-reply-to')?.[1]).toContain(approval.id);
    });

    test('[AP-8] a mail that names two questions', async () => {
      const { subject } = await ask();
      const outcome = await reply(`${subject} [appr_${'0'.repeat(26)}]`, '1');
      expect(outcome.kind).toBe('invalid');
      expect(answers.taken).toEqual([]);
      expect(server.messages[1]!.parts[0]!.text).toMatch(/several questions/);
    });

    test('[AP-8] a reply that comes again, and one to a question that ended', async () => {
      const { subject } = await ask();
      await reply(subject, '1');
      expect((await reply(subject, '3')).kind).toBe('too-late');
      expect(server.messages[1]!.parts[0]!.text).toMatch(/^Too late, your answer changed nothing\./);
      expect(answers.get(approval.id)?.status).toBe('approved');
    });

    test('a decision stands even if the person cannot be told', async () => {
      const { subject } = await ask();
      server.refuseNext(451, 'try later');
      expect((await reply(subject, 'hello')).kind).toBe('invalid');
      expect(problems).toEqual(['the mail was not accepted (EMESSAGE 451)']);
    });
  });

  test('[AP-6] hostile words become neither headers nor recipients nor markup', async () => {
    const evil =
      'x\r\nBcc: eve@evil.test\r\nContent-Type: text/html\r\n\r\n<b>[appr_00000000000000000000000000]';
    const mail = await ask({
      ...approval,
      title: evil,
      preview: `${evil}\r\n.\r\nMAIL FROM:<a@b>`,
      tool: evil,
    });
    expect(mail.to).toEqual(['Ana@example.com']);
    expect(mail.headers.map(([name]) => name)).not.toContain('bcc');
    expect(mail.headers.filter(([name]) => name === 'content-type')).toHaveLength(1);
    expect(mail.parts[1]!.text).not.toContain('<b>[');
    expect(mail.parts[0]!.text).toContain('MAIL FROM:<a@b>');
    expect((await reply(mail.subject, '3')).kind).toBe('decided');
  });

  test('a preview of 1 MiB is attached whole', async () => {
    const mail = await ask({ ...approval, preview: `${'line\n'.repeat(200_000)}the end` });
    const [text, , file] = mail.parts;
    expect(text!.text).toContain('✂ Cut: 20,000 of 1,000,007 characters are shown.');
    expect(file!.filename).toBe(`question-${approval.id}.txt`);
    expect(file!.text.match(/^│ line$/gm)).toHaveLength(200_000);
    expect(file!.text).toContain('│ the end');
  });

  test('the end of a question comes as a mail in the same thread', async () => {
    const ref = await channel.deliver(approval, ana, never);
    await create().update(JSON.parse(JSON.stringify(ref)), { ...approval, status: 'expired' }, never);
    const [question, end] = server.messages;
    expect(end!.parts[0]!.text).toMatch(/^⌛ Timed out/);
    expect(end!.headers).toContainEqual(['in-reply-to', ref.ref.messageId]);
    expect(end!.subject).toBe(`Re: ${question!.subject}`);
    await channel.update(ref, approval, never);
    expect(server.messages[2]!.parts[0]!.text).toMatch(/open again/);
  });

  describe('when the mail server does not cooperate', () => {
    test.each([
      { why: 'a temporary refusal', code: 451 },
      { why: 'a lasting refusal', code: 550 },
    ])('$why rejects the delivery', async ({ code }) => {
      server.refuseNext(code, 'secret words of the server');
      const error = await channel.deliver(approval, ana, never).catch((cause: unknown) => cause);
      expect(error).toMatchObject({
        code: 'Unavailable',
        message: `the mail was not accepted (EMESSAGE ${code})`,
      });
    });

    test('a server that is down, and a delivery that is called off, reject', async () => {
      const nowhere = create({ smtp: { host: '127.0.0.1', port: 9, tls: 'none' } });
      await expect(nowhere.deliver(approval, ana, never)).rejects.toThrow(/not accepted/);
      await expect(channel.deliver(approval, ana, AbortSignal.abort())).rejects.toThrow(/aborted/);
    });

    test('without STARTTLS nothing is sent in the clear, and an unknown certificate is not trusted', async () => {
      const required = create({ smtp: { host: '127.0.0.1', port: server.port, tls: 'starttls' } });
      await expect(required.deliver(approval, ana, never)).rejects.toThrow(/not accepted/);
      const ca = await createTestCa();
      const tls = await ca.issue(['127.0.0.1', 'localhost']);
      const secure = await startServer({ tls, user: { name: 'gate', password: 'pa55-word' } });
      const smtp = { host: 'localhost', port: secure.port, tls: 'starttls', user: 'gate' } as const;
      const password = new Secret('pa55-word');
      const stranger = create({ smtp: { ...smtp, password } });
      await expect(stranger.deliver(approval, ana, never)).rejects.toThrow(/not accepted/);
      expect([...server.messages, ...secure.messages]).toEqual([]);

      await create({ smtp: { ...smtp, password, ca: ca.cert } }).deliver(approval, ana, never);
      expect(secure.messages.map(({ encrypted }) => encrypted)).toEqual([true]);

      const wrong = create({ smtp: { ...smtp, password: new Secret('wr0ng-word'), ca: ca.cert } });
      const error: unknown = await wrong.deliver(approval, ana, never).catch((cause: unknown) => cause);
      expect(JSON.stringify([error, String(error)])).toMatch(/EAUTH/);
      expect(JSON.stringify([error, String(error)])).not.toMatch(/wr0ng-word/);
    });

    test.each(['not an address', 'a@b, c@d', 'a@b\r\nBcc: c@d', '<a@b>'])(
      '%j is no recipient',
      async (identity) => {
        await expect(channel.deliver(approval, { user: 'x', identity }, never)).rejects.toMatchObject({
          code: 'Unprocessable',
        });
      },
    );
  });

  test('[AP-3] it names its hosts, the domain it writes from, and the usual ways into mailboxes', () => {
    expect(channel.hosts).toEqual(
      expect.arrayContaining(['127.0.0.1', '*.example.org', 'gmail.googleapis.com']),
    );
    expect(channel.ceiling).toBe('once');
  });
});
