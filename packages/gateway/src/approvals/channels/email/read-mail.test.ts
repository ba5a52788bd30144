import { describe, expect, test } from 'vitest';
import { agreesWithRaw, idsOf, isAddress, isAutomatic, senderOf } from './read-mail.ts';

describe('senderOf', () => {
  test.each([
    { why: 'an address', from: 'ana@example.com', sender: 'ana@example.com' },
    { why: 'a name and an address', from: 'Ana B. <Ana@Example.com>', sender: 'ana@example.com' },
    {
      why: 'a quoted name that looks like an address',
      from: '"ana@example.com" <eve@evil.test>',
      sender: 'eve@evil.test',
    },
    {
      why: 'a plain name that looks like an address',
      from: 'ana@example.com <eve@evil.test>',
      sender: undefined,
    },
    { why: 'two addresses', from: 'ana@example.com, eve@evil.test', sender: undefined },
    { why: 'two angled addresses', from: '<ana@example.com> <eve@evil.test>', sender: undefined },
    { why: 'a comment', from: 'eve@evil.test (ana@example.com)', sender: undefined },
    { why: 'a group', from: 'team: ana@example.com;', sender: undefined },
    { why: 'a quoted local part', from: '"ana@example.com"@evil.test', sender: undefined },
    { why: 'a second header line', from: 'ana@example.com\r\nSender: x', sender: undefined },
    { why: 'nothing', from: '', sender: undefined },
    { why: 'a null sender', from: '<>', sender: undefined },
  ])('[AP-2] $why', ({ from, sender }) => {
    expect(senderOf(from)).toBe(sender);
  });

  test('a quote that never ends takes linear time', () => {
    expect(senderOf(`"${'\\'.repeat(999)}`)).toBeUndefined();
  });
});

describe('isAddress', () => {
  test.each(['a@b', 'a.b+c@mail.example.com', "o'neil@example.com"])('%s is one', (text) => {
    expect(isAddress(text)).toBe(true);
  });
  test.each([
    'a',
    '@b',
    'a@',
    'a@b@c',
    'a b@c',
    'a@b>',
    'a@b,c@d',
    'a@b\r\nBcc: x@y',
    '<a@b>',
    'a@-b',
    'a\0@b',
  ])('%j is none', (text) => {
    expect(isAddress(text)).toBe(false);
  });
});

describe('idsOf', () => {
  test.each([
    { why: 'the subject', subject: 'Re: x [appr_1a]', body: 'appr_2b', ids: ['appr_1a'] },
    {
      why: 'the body, where the subject has none',
      subject: 'Re: x',
      body: '1\n> Id  appr_2b',
      ids: ['appr_2b'],
    },
    { why: 'the same id twice is one', subject: '[appr_1a] [appr_1a]', body: '', ids: ['appr_1a'] },
    { why: 'two ids', subject: '[appr_1a] [appr_2b]', body: '', ids: ['appr_1a', 'appr_2b'] },
    { why: 'a part of a longer word', subject: 'xappr_1a appr_1a_b', body: '', ids: [] },
  ])('takes $why', ({ subject, body, ids }) => {
    expect(idsOf({ subject, body })).toEqual(ids);
  });
});

describe('isAutomatic', () => {
  const plain = { subject: 'Re: Allow? [appr_1a]', body: '1' };
  test.each([
    { why: 'an absence note', mail: { ...plain, subject: 'Automatic reply: Allow? [appr_1a]' } },
    { why: 'an older absence note', mail: { ...plain, subject: 'Out of Office Re: Allow?' } },
    { why: 'a German one', mail: { ...plain, subject: 'Automatische Antwort: Allow?' } },
    { why: 'a bounce', mail: { ...plain, subject: 'Undeliverable: Allow?' } },
    { why: 'a read receipt', mail: { ...plain, subject: 'Read: Allow?' } },
    { why: 'the standard header', mail: { ...plain, raw: 'Auto-Submitted: auto-replied\r\n\r\n1' } },
    { why: 'a folded header', mail: { ...plain, raw: 'Auto-Submitted:\r\n auto-replied\r\n\r\n1' } },
    { why: 'bulk mail', mail: { ...plain, raw: 'Precedence: bulk\n\n1' } },
    { why: 'an empty return path', mail: { ...plain, raw: 'Return-Path: <>\r\n\r\n1' } },
    { why: 'a delivery report', mail: { ...plain, raw: 'Content-Type: multipart/report; x\r\n\r\n1' } },
  ])('[AP-5] knows $why', ({ mail }) => {
    expect(isAutomatic(mail, 'ana@example.com')).toBe(true);
  });
  test.each(['mailer-daemon@example.com', 'postmaster@x.test', 'no-reply@x.test', 'bounces+1@x.test'])(
    '[AP-5] knows the sender %s',
    (sender) => {
      expect(isAutomatic(plain, sender)).toBe(true);
    },
  );
  test('lets people through, whatever their body says', () => {
    const raw = 'From: Ana <ana@example.com>\r\nAuto-Submitted: no\r\n\r\nPrecedence: bulk';
    expect(isAutomatic({ ...plain, raw }, 'ana@example.com')).toBe(false);
  });
});

describe('agreesWithRaw', () => {
  test.each([
    { why: 'no message at hand', raw: undefined, agrees: true },
    { why: 'the same sender', raw: 'From: Ana <ana@example.com>\r\n\r\n', agrees: true },
    { why: 'another sender', raw: 'From: eve@evil.test\r\n\r\n', agrees: false },
    { why: 'two From headers', raw: 'From: ana@example.com\r\nFrom: eve@evil.test\r\n\r\n', agrees: false },
    { why: 'none', raw: 'To: x\r\n\r\nFrom: ana@example.com', agrees: false },
  ])('[AP-2] $why', ({ raw, agrees }) => {
    expect(agreesWithRaw({ subject: '', body: '', raw }, 'ana@example.com')).toBe(agrees);
  });
});
