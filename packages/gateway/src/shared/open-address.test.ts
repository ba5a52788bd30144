import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseOpenAddress, rangeHolds } from './open-address.ts';

describe('parseOpenAddress', () => {
  test.each([
    { text: '127.0.0.1:5432', expected: { kind: 'range', base: '127.0.0.1', bits: 32, port: 5432 } },
    { text: '10.1.0.0/16', expected: { kind: 'range', base: '10.1.0.0', bits: 16, port: undefined } },
    { text: '10.1.0.0/16:80', expected: { kind: 'range', bits: 16, port: 80 } },
    {
      text: 'DB.Internal.Example.',
      expected: { kind: 'host', host: 'db.internal.example', port: undefined },
    },
    { text: 'db.internal.example:5432', expected: { kind: 'host', port: 5432 } },
    { text: '::1', expected: { kind: 'range', family: 6, base: '::1', bits: 128 } },
    { text: '[fd00::/8]:443', expected: { kind: 'range', family: 6, base: 'fd00::', bits: 8, port: 443 } },
    { text: '0x7f.1', expected: { kind: 'range', base: '127.0.0.1' } },
    { text: '::ffff:10.1.2.3', expected: { kind: 'range', family: 4, base: '10.1.2.3', bits: 32 } },
  ])('reads $text', ({ text, expected }) => {
    expect(parseOpenAddress(text)).toMatchObject(expected);
  });

  test.each([
    { text: '', why: 'nothing' },
    { text: '*', why: 'everything' },
    { text: '*.internal.example', why: 'a wildcard' },
    { text: '10.1.2.3/16', why: 'bits below the prefix: a typo for another range' },
    { text: '10.0.0.0/33', why: 'more bits than there are' },
    { text: '10.0.0.0/08', why: 'a number with a zero before it' },
    { text: '10.0.0.0/', why: 'no number' },
    { text: 'db.example/16', why: 'a range of a name' },
    { text: '::ffff:10.0.0.0/104', why: 'an IPv4 range as IPv6' },
    { text: '::ffff:10.0.0.0/8', why: 'the same, where the bits would mean another range' },
    { text: 'a:0', why: 'no port' },
    { text: 'a:65536', why: 'no port' },
    { text: 'a:', why: 'an empty port' },
    { text: '[::1', why: 'half a bracket' },
    { text: '[::1]x', why: 'something after it' },
    { text: 'http://a', why: 'a URL' },
    { text: 'u@a', why: 'a user' },
    { text: 'fe80::1%eth0', why: 'a zone' },
    { text: '0.0.0.0', why: 'this machine by another name' },
    { text: '::', why: 'the same' },
    { text: '224.0.0.0/4', why: 'multicast' },
    { text: 'ff02::1', why: 'multicast' },
    { text: '255.255.255.255', why: 'broadcast' },
  ])('refuses `$text`: $why', ({ text }) => {
    expect(parseOpenAddress(text)).toBeUndefined();
  });

  test('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => parseOpenAddress(text) !== null));
  });

  test('a range holds exactly the addresses with its bits', () => {
    fc.assert(
      fc.property(fc.nat(0xff_ff_ff), fc.nat(0xff_ff_ff), fc.integer({ min: 8, max: 32 }), (a, b, bits) => {
        const mask = bits === 32 ? 0xffffffff : ~(0xffffffff >>> bits) >>> 0;
        const quad = (low: number): string => `10.${low >> 16}.${(low >> 8) & 255}.${low & 255}`;
        const base = ((0x0a000000 | a) & mask) >>> 0;
        const entry = parseOpenAddress(`${quad(base & 0xffffff)}/${bits}`);
        if (entry?.kind !== 'range') return false;
        return rangeHolds(entry, quad(b)) === (((0x0a000000 | b) & mask) >>> 0 === base);
      }),
    );
  });
});
