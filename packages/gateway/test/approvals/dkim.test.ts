import { MailDomain } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openMail } from './mail-fixture.ts';

describe('a whole mail', () => {
  let mail: Awaited<ReturnType<typeof openMail>>;
  beforeEach(async () => {
    mail = await openMail();
  });
  afterEach(() => mail[Symbol.asyncDispose]());

  test('decides when the domain of its sender signed it', async () => {
    expect(await mail.forward(await mail.signed('1'))).toMatchObject({ kind: 'decided' });
    expect(mail.domain.lookUps).toEqual(['s1._domainkey.example.com']);
    expect(mail.unproved).toEqual([]);
  });

  test.each([
    { why: 'a subdomain of the organisation', domain: 'mail.example.com' },
    { why: 'the domain above the sender', domain: 'example.com' },
  ])('may be signed by $why', async ({ domain }) => {
    const signer = new MailDomain(domain);
    await using other = await openMail({}, signer);
    expect(await other.forward(await other.signed('4 add logs'))).toMatchObject({ kind: 'decided' });
  });

  test('a second signature of somebody else does no harm', async () => {
    const relay = new MailDomain('relay.test');
    const twice = await relay.sign(await mail.signed('3'));
    expect(await mail.forward(twice)).toMatchObject({ kind: 'decided' });
    expect(mail.domain.lookUps).toEqual(['s1._domainkey.example.com']);
  });

  test('[AP-2] counts as it was signed, whatever the forwarder says beside it', async () => {
    const raw = await mail.signed('3');
    const said = { from: 'ana@example.com', subject: mail.subject, body: '1' };
    expect(await mail.channel.receive({ ...said, raw })).toMatchObject({ kind: 'decided' });
    expect(mail.status()).toBe('denied');
  });

  describe('[AP-2] nothing is decided, the person is told once, and the trail keeps it', () => {
    const tests: readonly {
      readonly why: string;
      readonly make: (it: typeof mail) => Promise<string> | string;
      readonly told: RegExp;
    }[] = [
      { why: 'no signature', make: (it) => it.mail('1'), told: /no DKIM signature/ },
      {
        why: 'a signature of another domain',
        make: (it) => new MailDomain('evil.test').sign(it.mail('1')),
        told: /not by `example.com`/,
      },
      {
        why: 'a domain that looks alike',
        make: (it) => new MailDomain('notexample.com').sign(it.mail('1')),
        told: /not by/,
      },
      {
        why: 'the public suffix itself',
        make: (it) => new MailDomain('com').sign(it.mail('1')),
        told: /not by/,
      },
      {
        why: 'another answer than was signed',
        make: async (it) => (await it.signed('3')).replace(/\r\n3$/, '\r\n1'),
        told: /does not fit/,
      },
      {
        why: 'another subject than was signed',
        make: async (it) => (await it.signed('1')).replace('Subject: Re:', 'Subject: Fwd:'),
        told: /does not fit/,
      },
      {
        why: 'a key that is not in the zone',
        make: (it) => it.signed('1', { selector: 's2' }),
        told: /DKIM/,
      },
      {
        why: 'a signature whose time is over',
        make: (it) => it.signed('1', { expires: new Date(60_000) }),
        told: /does not fit/,
      },
      {
        why: 'a signature over the first bytes only (`l=`)',
        make: (it) => it.signed('1', { bodyLength: 1 }),
        told: /does not cover/,
      },
      {
        why: 'a text added behind the signed length',
        make: async (it) => `${await it.domain.sign(it.mail(' '), { bodyLength: 0 })}\r\n1`,
        told: /does not cover|does not fit/,
      },
      {
        why: 'a signature without the subject',
        make: (it) => it.signed('1', { headers: ['from', 'to', 'date'] }),
        told: /does not cover/,
      },
      {
        why: 'SHA-1',
        make: (it) => it.signed('1', { algorithm: 'rsa-sha1' }),
        told: /does not fit/,
      },
    ];
    test.each(tests)('$why', async ({ make, told }) => {
      const raw = await make(mail);
      expect(await mail.forward(raw)).toMatchObject({ kind: 'refused' });
      expect(await mail.forward(raw)).toMatchObject({ kind: 'refused' });
      expect(mail.answers.taken).toEqual([]);
      expect(mail.told()).toEqual([expect.stringMatching(/^Nothing was decided: /)]);
      expect(mail.told()[0]).toMatch(told);
      expect(mail.unproved[0]).toMatchObject({
        approvalId: mail.approval.id,
        identity: 'ana@example.com',
        reason: expect.stringMatching(told),
      });
      // Whoever is told can still answer.
      expect(await mail.forward(await mail.signed('1'))).toMatchObject({ kind: 'decided' });
    });

    test.each([
      { why: 'a key of 512 bits', domain: () => new MailDomain('example.com', { bits: 512 }) },
      {
        why: 'a key that is only being tested',
        domain: () => new MailDomain('example.com', { flags: 'y' }),
      },
    ])('$why', async ({ domain }) => {
      await using weak = await openMail({}, domain());
      expect(await weak.forward(await weak.signed('1'))).toMatchObject({ kind: 'refused' });
      expect(weak.status()).toBe('pending');
      expect(weak.unproved).toHaveLength(1);
    });

    test('a name server that is down', async () => {
      const down = async () => Promise.reject(Object.assign(new Error('x'), { code: 'ESERVFAIL' }));
      await using other = await openMail({ resolve: down });
      expect(await other.forward(await other.signed('1'))).toMatchObject({ kind: 'refused' });
      expect(other.told()[0]).toMatch(/could not be looked up; try again later/);
    });
  });

  describe('[AP-2] nothing is decided, nothing is looked up, and nobody is written to', () => {
    const insert = (raw: string, line: string) => `${line}\r\n${raw}`;
    const tests: readonly { readonly why: string; readonly make: (it: typeof mail) => Promise<string> }[] = [
      {
        why: 'a second From on top',
        make: async (it) => insert(await it.signed('1'), 'From: eve@evil.test'),
      },
      {
        why: 'the address in the name of somebody else',
        make: (it) => it.domain.sign(it.mail('1', { from: '"ana@example.com" <eve@evil.test>' })),
      },
      {
        why: 'two addresses in From',
        make: (it) => it.domain.sign(it.mail('1', { from: 'ana@example.com, eve@evil.test' })),
      },
      { why: 'a second Subject', make: async (it) => insert(await it.signed('1'), `Subject: ${it.subject}`) },
      {
        why: 'a second Content-Type',
        make: async (it) => insert(await it.signed('1'), 'Content-Type: text/html'),
      },
      {
        why: 'a header behind a bare line end',
        make: async (it) => insert(await it.signed('1'), 'X-A: b\nFrom: eve@evil.test'),
      },
      {
        why: 'a header behind a bare carriage return',
        make: async (it) => insert(await it.signed('1'), 'X-A: b\rFrom: eve@evil.test'),
      },
      { why: 'a line that is no header', make: async (it) => insert(await it.signed('1'), 'From eve Mon') },
      {
        why: 'a space before the colon',
        make: async (it) => insert(await it.signed('1'), 'From : eve@evil.test'),
      },
      { why: 'no end of the headers', make: async (it) => (await it.signed('1')).split('\r\n\r\n')[0]! },
      {
        why: 'a stranger with a good signature',
        make: (it) => new MailDomain('evil.test').sign(it.mail('1', { from: 'eve@evil.test' })),
      },
      {
        why: 'a listed person who was not asked',
        make: (it) => it.domain.sign(it.mail('1', { from: 'bob@example.com' })),
      },
      {
        why: 'no key of the question',
        make: (it) => it.domain.sign(it.mail('1', { subject: it.subject.replace(/key-\w+/, 'key') })),
      },
      {
        why: 'an absence note',
        make: (it) => it.domain.sign(it.mail('1', { headers: ['Auto-Submitted: auto-replied'] })),
      },
      {
        why: 'an absence note of another program',
        make: (it) => it.domain.sign(it.mail('1', { headers: ['X-Autoreply: yes'] })),
      },
      {
        why: 'bulk mail',
        make: (it) => it.domain.sign(it.mail('1', { headers: ['Precedence: auto_reply'] })),
      },
      {
        why: 'an empty return path',
        make: async (it) => insert(await it.signed('1'), 'Return-Path: <>'),
      },
      {
        why: 'a delivery report',
        make: (it) =>
          it.domain.sign(
            it.mail('--x\nContent-Type: text/plain\n\n1\n--x--', {
              headers: ['Content-Type: multipart/report; report-type=delivery-status; boundary=x'],
            }),
          ),
      },
      {
        why: 'a translated absence note in its subject',
        make: (it) =>
          it.domain.sign(
            it.mail('1', {
              subject: `=?utf-8?B?${Buffer.from(`Réponse automatique: ${it.subject}`).toString('base64')}?=`,
            }),
          ),
      },
    ];
    test.each(tests)('$why', async ({ make }) => {
      const raw = await make(mail);
      expect(await mail.forward(raw)).toMatchObject({ kind: 'refused' });
      expect(mail.answers.taken).toEqual([]);
      expect(mail.domain.lookUps).toEqual([]);
      expect(mail.told()).toEqual([]);
      expect(mail.unproved).toEqual([]);
    });
  });

  test('[AP-8] the same message again, or a copy that came another way, is not read again', async () => {
    const raw = await mail.signed('hello');
    expect(await mail.forward(raw)).toMatchObject({ kind: 'invalid' });
    expect(await mail.forward(raw)).toMatchObject({ kind: 'refused' });
    expect(await mail.forward(`Received: by another.way\r\n${raw}`)).toMatchObject({ kind: 'refused' });
    expect(mail.told()).toHaveLength(1);
  });

  test('[AP-8] a forged mail does not use up the id of the real one', async () => {
    const messageId = '<one@mail.example.com>';
    const real = mail.mail('1', { messageId });
    expect(await mail.forward(real)).toMatchObject({ kind: 'refused' });
    expect(await mail.forward(await mail.domain.sign(real))).toMatchObject({ kind: 'decided' });
  });

  describe('[AP-5] only the first block of plain text is read', () => {
    const alternative = (text: string | undefined, html: string) => {
      const part = (type: string, body: string) => `--x\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`;
      const plain = text === undefined ? '' : part('text/plain; charset=utf-8', text);
      return `${plain}${part('text/html; charset=utf-8', html)}--x--`;
    };
    const headers = ['Content-Type: multipart/alternative; boundary=x'];

    test('of text and HTML the text', async () => {
      const body = alternative('3\r\n\r\nOn Tue Sallyport wrote:\r\n> 1. Allow once', '<p>1</p>');
      expect(await mail.forward(await mail.domain.sign(mail.mail(body, { headers })))).toMatchObject({
        kind: 'decided',
      });
      expect(mail.status()).toBe('denied');
    });

    test.each([
      { why: 'alone', body: '<p>1</p>', type: 'text/html; charset=utf-8' },
      {
        why: 'as the only alternative',
        body: alternative(undefined, '<p>1</p>'),
        type: 'multipart/alternative; boundary=x',
      },
      {
        why: 'beside an empty text',
        body: alternative('\r\n', '<p>1</p>'),
        type: 'multipart/alternative; boundary=x',
      },
    ])('of HTML $why nothing, and the person is told', async ({ body, type }) => {
      const raw = await mail.domain.sign(mail.mail(body, { headers: [`Content-Type: ${type}`] }));
      expect(await mail.forward(raw)).toMatchObject({ kind: 'invalid' });
      expect(mail.told()[0]).toMatch(/no plain text/);
      expect(mail.status()).toBe('pending');
    });

    test('of an attachment nothing', async () => {
      const file = '--x\r\nContent-Type: text/plain\r\nContent-Disposition: attachment\r\n\r\n1\r\n--x--';
      const mixed = ['Content-Type: multipart/mixed; boundary=x'];
      const raw = await mail.domain.sign(mail.mail(file, { headers: mixed }));
      expect(await mail.forward(raw)).toMatchObject({ kind: 'invalid' });
      expect(mail.status()).toBe('pending');
    });

    test('in whatever encoding it comes', async () => {
      const coded = ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: base64'];
      const body = Buffer.from('4 größer\n').toString('base64');
      await mail.forward(await mail.domain.sign(mail.mail(body, { headers: coded })));
      expect(mail.answers.taken[0]?.answer).toEqual({ kind: 'text', text: '4 größer' });
    });
  });

  test('[AP-8] a mail that names two questions is no answer to either', async () => {
    const subject = `${mail.subject} [appr_${'0'.repeat(26)}]`;
    expect(await mail.forward(await mail.domain.sign(mail.mail('1', { subject })))).toMatchObject({
      kind: 'invalid',
    });
    expect(mail.answers.taken).toEqual([]);
    expect(mail.told()[0]).toMatch(/several questions/);
  });

  test('with DKIM off the forwarder is believed, as it is without the message', async () => {
    await using open = await openMail({ dkim: 'off' });
    const said = { from: 'ana@example.com', subject: open.subject, body: '1' };
    expect(await open.channel.receive({ ...said, raw: open.mail('1') })).toMatchObject({ kind: 'decided' });
    expect(open.domain.lookUps).toEqual([]);
  });

  test('a mail of many parts is read in bounded time', async () => {
    const many = Array.from({ length: 20_000 }, () => '--x\r\nContent-Type: text/plain\r\n\r\n1\r\n').join(
      '',
    );
    const headers = ['Content-Type: multipart/mixed; boundary=x'];
    const outcome = await mail.forward(await mail.domain.sign(mail.mail(`${many}--x--`, { headers })));
    expect(outcome.kind).not.toBe('decided');
    expect(mail.status()).toBe('pending');
  });
});
