import { describe, expect, test } from 'vitest';
import { headerOf, readHeaders } from './raw-headers.ts';

const read = (text: string) => readHeaders(Buffer.from(text, 'latin1'));

describe('readHeaders', () => {
  test('unfolds, and gives names in lower case and values as they are', () => {
    const headers = read('From: a@b\r\nSubject: one\r\n\ttwo\r\nX-A:b: c \r\n\r\nSubject: not this');
    expect(headers).toEqual([
      ['from', 'a@b'],
      ['subject', 'one\ttwo'],
      ['x-a', 'b: c'],
    ]);
    expect(headerOf(headers ?? [], 'subject')).toBe('one\ttwo');
    expect(headerOf(headers ?? [], 'date')).toBeUndefined();
  });

  test.each(['Received', 'DKIM-Signature', 'X-Anything'])('%s may stand twice', (name) => {
    expect(read(`${name}: a\r\n${name}: b\r\n\r\n`)).toHaveLength(2);
  });

  test.each([
    { why: 'two senders', text: 'From: a@b\r\nFROM: c@d\r\n\r\n' },
    { why: 'two subjects', text: 'Subject: a\r\nsubject: b\r\n\r\n' },
    { why: 'two types', text: 'Content-Type: text/plain\r\nContent-type: text/html\r\n\r\n' },
    { why: 'a bare line feed', text: 'A: b\nFrom: c@d\r\n\r\n' },
    { why: 'a bare carriage return', text: 'A: b\rFrom: c@d\r\n\r\n' },
    { why: 'a NUL', text: 'A: b\0c\r\n\r\n' },
    { why: 'a line without a colon', text: 'A: b\r\nrubbish\r\n\r\n' },
    { why: 'a space in a name', text: 'From : a@b\r\n\r\n' },
    { why: 'a continuation of nothing', text: ' A: b\r\n\r\n' },
    { why: 'a name outside ASCII', text: 'Fr\u00f6m: a@b\r\n\r\n' },
    { why: 'no end', text: 'From: a@b\r\n' },
    { why: 'an end that is too far away', text: `A: ${'x'.repeat(70_000)}\r\n\r\n` },
    { why: 'nothing', text: '' },
    { why: 'no headers', text: '\r\n\r\n1' },
  ])('[AP-2] refuses $why', ({ text }) => {
    expect(read(text)).toBeUndefined();
  });
});
