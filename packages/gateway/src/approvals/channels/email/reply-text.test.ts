import { describe, expect, test } from 'vitest';
import { replyText } from './reply-text.ts';

const GMAIL =
  '\n\nOn Tue, Jan 6, 2026 at 9:12 AM Sallyport <gate@example.com> wrote:\n\n> 1. Allow once\n> 3. Deny\n';

describe('replyText', () => {
  test.each([
    { why: 'one line', body: '1', text: '1' },
    { why: "the source's own example", body: '4 add logs\n\nOn Tue...', text: '4 add logs' },
    { why: 'a quote as Gmail writes it', body: `3${GMAIL}`, text: '3' },
    {
      why: 'an attribution broken over two lines',
      body: '2\n\nOn Tue, Jan 6, 2026 at 9:12 AM Sallyport the Gate\n<gate@example.com> wrote:\n> x',
      text: '2',
    },
    { why: 'Outlook headers', body: '1\r\n\r\nFrom: Sallyport\r\nSent: Tuesday\r\nTo: Ana\r\n', text: '1' },
    { why: 'Outlook divider', body: '1\n________________________________\nFrom: x', text: '1' },
    { why: 'an original message line', body: '1\n-----Original Message-----\n6', text: '1' },
    { why: 'a German attribution', body: '3\n\nAm 06.01.2026 um 09:12 schrieb Gate:\n> 1', text: '3' },
    { why: 'a signature with the standard mark', body: '1\n-- \nAna\n6', text: '1' },
    { why: 'a signature without a mark', body: '1\n\nBest,\nAna', text: '1' },
    { why: 'a phone', body: '1\nSent from my iPhone', text: '1' },
    { why: 'blank lines first', body: '\r\n\r\n  3  \r\n', text: '3' },
    { why: 'a byte order mark', body: '\ufeff1', text: '1' },
    { why: 'a note of two lines', body: '4 add logs\nand tests', text: '4 add logs\nand tests' },
    { why: 'a replacement of one line', body: `5 npm test${GMAIL}`, text: '5 npm test' },
    { why: 'free text stays free text', body: 'yes, go ahead 1', text: 'yes, go ahead 1' },
    { why: 'courtesy on the next line is part of the block', body: '1\nthanks', text: '1\nthanks' },
    { why: '10 MB after the answer', body: `1\n\n${'x'.repeat(10_000_000)}`, text: '1' },
  ])('[AP-5] $why', ({ body, text }) => {
    expect(replyText(body)).toEqual({ kind: 'text', text });
  });

  test.each([
    { why: 'nothing', body: '', message: /above the quoted text/ },
    { why: 'only a quote', body: '> 1\n> 6', message: /above the quoted text/ },
    { why: 'an answer below the quote', body: `${GMAIL}\n1`, message: /above the quoted text/ },
    { why: 'only a signature', body: '-- \n1', message: /above the quoted text/ },
    { why: 'our own block mark at the top', body: '│ 1', message: /above the quoted text/ },
    { why: 'HTML only', body: '<div dir="ltr">1</div>', message: /no plain text/ },
    { why: 'an HTML document', body: '\n<!DOCTYPE html><html><body>1', message: /no plain text/ },
    { why: 'a replacement that would lose its second line', body: '5 a\nb', message: /one line/ },
    { why: 'a replacement that would lose a paragraph', body: '5 a\n\nb', message: /one line/ },
  ])('[AP-5] $why is no answer, and the person is told why', ({ body, message }) => {
    expect(replyText(body)).toEqual({ kind: 'invalid', message: expect.stringMatching(message) });
  });
});
