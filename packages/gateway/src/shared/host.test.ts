import { SallyportError } from '@sallyport/protocol';
import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileDomainPatterns, matchesDomain, parseDomainPattern, parseHost } from './host.ts';

describe('parseHost', () => {
  test.each([
    { input: 'example.com', text: 'example.com', why: 'a plain name' },
    { input: 'localhost', text: 'localhost', why: 'one label' },
    { input: 'EXAMPLE.Com', text: 'example.com', why: 'case' },
    { input: 'example.com.', text: 'example.com', why: 'one trailing dot' },
    { input: 'Example.COM.', text: 'example.com', why: 'both' },
    { input: 'bücher.example', text: 'xn--bcher-kva.example', why: 'IDNA' },
    { input: 'xn--bcher-kva.example', text: 'xn--bcher-kva.example', why: 'punycode stays' },
    { input: 'XN--BCHER-KVA.example', text: 'xn--bcher-kva.example', why: 'punycode in capitals' },
    { input: 'faß.example', text: 'xn--fa-hia.example', why: 'sharp s is a letter of its own' },
    { input: 'my_bucket.example.com', text: 'my_bucket.example.com', why: 'service names have underscores' },
    { input: '_dmarc.example.com', text: '_dmarc.example.com', why: 'also in front' },
    { input: 'a--b.example.com', text: 'a--b.example.com', why: 'hyphens inside' },
    { input: '1.example.com', text: '1.example.com', why: 'a number that is not last' },
    { input: '3com.example', text: '3com.example', why: 'a digit in front' },
    { input: `${'a'.repeat(63)}.example`, text: `${'a'.repeat(63)}.example`, why: 'the longest label' },
    { input: 'example。com', text: 'example.com', why: '[GA-8] an ideographic full stop is a dot' },
    { input: 'example．com', text: 'example.com', why: '[GA-8] a full-width dot too' },
    { input: 'ｅｘａｍｐｌｅ.com', text: 'example.com', why: '[GA-8] full-width letters' },
    { input: 'ⓔxample.com', text: 'example.com', why: '[GA-8] a circled letter' },
    { input: 'exa\u00admple.com', text: 'example.com', why: '[GA-8] a soft hyphen is nothing' },
    { input: 'exa\u200bmple.com', text: 'example.com', why: '[GA-8] a zero-width space is nothing' },
    { input: 'ｌｏｃａｌｈｏｓｔ', text: 'localhost', why: '[GA-8] full-width localhost' },
    { input: 'аpple.com', text: 'xn--pple-43d.com', why: '[GA-8] a Cyrillic letter shows itself' },
    { input: 'K.example', text: 'k.example', why: '[GA-8] the Kelvin sign is a k' },
  ])('$why: $input is the name $text', ({ input, text }) => {
    expect(parseHost(input)).toEqual({ kind: 'name', text });
  });

  test.each([
    { input: '127.0.0.1', text: '127.0.0.1', why: 'dotted quad' },
    { input: '127.0.0.1.', text: '127.0.0.1', why: 'with a trailing dot' },
    { input: '2130706433', text: '127.0.0.1', why: 'decimal' },
    { input: '0x7f000001', text: '127.0.0.1', why: 'hex' },
    { input: '0X7F000001', text: '127.0.0.1', why: 'hex in capitals' },
    { input: '017700000001', text: '127.0.0.1', why: 'octal' },
    { input: '0177.0.0.1', text: '127.0.0.1', why: 'an octal part' },
    { input: '0x7f.0.0.1', text: '127.0.0.1', why: 'a hex part' },
    { input: '0x7f.1', text: '127.0.0.1', why: 'hex and short' },
    { input: '127.1', text: '127.0.0.1', why: 'two parts' },
    { input: '127.0.1', text: '127.0.0.1', why: 'three parts' },
    { input: '127.256', text: '127.0.1.0', why: 'the last part fills the rest' },
    { input: '0', text: '0.0.0.0', why: 'nothing but a zero' },
    { input: '0x0', text: '0.0.0.0', why: 'a hex zero' },
    { input: '4294967295', text: '255.255.255.255', why: 'the last one' },
    { input: '0251.0376.0251.0376', text: '169.254.169.254', why: 'the metadata service in octal' },
    { input: '0xa9fea9fe', text: '169.254.169.254', why: 'in hex' },
    { input: '2852039166', text: '169.254.169.254', why: 'in decimal' },
    { input: '169.16689662', text: '169.254.169.254', why: 'in two parts' },
    { input: '１２７.０.０.１', text: '127.0.0.1', why: 'full-width digits' },
    { input: '①②⑦.0.0.1', text: '127.0.0.1', why: 'circled digits' },
    { input: '127。0。0。1', text: '127.0.0.1', why: 'ideographic dots' },
    { input: '010.0.0.1', text: '8.0.0.1', why: 'a leading zero is octal' },
    { input: '[::ffff:127.0.0.1]', text: '127.0.0.1', why: 'mapped into IPv6' },
    { input: '::ffff:7f00:1', text: '127.0.0.1', why: 'mapped, in hex' },
    { input: '0:0:0:0:0:ffff:7f00:0001', text: '127.0.0.1', why: 'mapped, written out' },
  ])('[GA-8] $why: $input is the IPv4 address $text', ({ input, text }) => {
    expect(parseHost(input)).toEqual({ kind: 'ip', text, family: 4 });
  });

  test.each([
    { input: '::1', text: '::1', why: 'bare' },
    { input: '[::1]', text: '::1', why: 'in brackets' },
    { input: '[0:0:0:0:0:0:0:1]', text: '::1', why: 'written out' },
    { input: '[0000:0000::0001]', text: '::1', why: 'with leading zeros' },
    { input: '[FE80::A]', text: 'fe80::a', why: 'in capitals' },
    { input: '[2001:db8:0:0:1:0:0:1]', text: '2001:db8::1:0:0:1', why: 'the first of equal runs is short' },
    { input: '::', text: '::', why: 'unspecified' },
    { input: '[::127.0.0.1]', text: '::7f00:1', why: 'compatible is not mapped' },
    { input: '[64:ff9b::127.0.0.1]', text: '64:ff9b::7f00:1', why: 'NAT64' },
    { input: '[fd00:ec2:0::254]', text: 'fd00:ec2::254', why: 'the metadata service' },
  ])('[GA-8] $why: $input is the IPv6 address $text', ({ input, text }) => {
    expect(parseHost(input)).toEqual({ kind: 'ip', text, family: 6 });
  });

  test.each([
    { input: '', why: 'nothing' },
    { input: '.', why: 'only the root' },
    { input: '..', why: 'two dots' },
    { input: 'a..b', why: 'an empty label' },
    { input: '.example.com', why: 'an empty first label' },
    { input: 'example.com..', why: 'two trailing dots' },
    { input: 'example.com。.', why: 'two trailing dots, one of them foreign' },
    { input: 'user@example.com', why: 'userinfo' },
    { input: 'example.com@evil.example', why: 'userinfo that looks like a host' },
    { input: 'example.com/x', why: 'a path' },
    { input: 'example.com\\x', why: 'a backslash' },
    { input: 'example.com?x', why: 'a query' },
    { input: 'example.com#x', why: 'a fragment' },
    { input: 'example.com:443', why: 'a port' },
    { input: '127.0.0.1:80', why: 'an address with a port' },
    { input: '[::1]:80', why: 'IPv6 with a port' },
    { input: 'example%2ecom', why: 'a percent sign' },
    { input: 'ex%61mple.com', why: 'an encoded letter' },
    { input: '%31%32%37.0.0.1', why: 'encoded digits' },
    { input: 'exam ple.com', why: 'a space' },
    { input: ' example.com', why: 'a space in front' },
    { input: 'example.com ', why: 'a space behind' },
    { input: 'example.com\t', why: 'a tab, which URLs drop' },
    { input: 'exa\nmple.com', why: 'a line break, which URLs drop' },
    { input: 'example.com\0.evil.example', why: 'a NUL' },
    { input: 'example.com\u00a0', why: 'a space that does not break' },
    { input: 'example.com／x', why: 'a full-width slash' },
    { input: 'example.com＠evil.example', why: 'a full-width at sign' },
    { input: 'example.com：80', why: 'a full-width colon' },
    { input: 'a℀b.example', why: 'a character that becomes a slash' },
    { input: '-example.com', why: 'a hyphen in front: an option to a command' },
    { input: 'example-.com', why: 'a hyphen behind' },
    { input: '*.example.com', why: 'a wildcard is no host' },
    { input: 'a,b', why: 'a comma' },
    { input: 'a;b', why: 'a semicolon' },
    { input: 'a|b', why: 'a pipe' },
    { input: 'a$(x).example', why: 'a shell expansion' },
    { input: "a'b", why: 'a quote' },
    { input: 'xn--a', why: 'punycode that decodes to nothing' },
    { input: 'xn--', why: 'punycode without a body' },
    { input: 'a\u200db.com', why: 'a joiner where none may stand' },
    { input: `${'a'.repeat(64)}.example`, why: 'a label that is too long' },
    { input: `${'a.'.repeat(127)}example`, why: 'a name that is too long' },
    { input: 'ü'.repeat(2000), why: 'far too long' },
    { input: '256.0.0.1', why: 'a part beyond 255' },
    { input: '4294967296', why: 'beyond the last address' },
    { input: '0x100000000', why: 'beyond the last address in hex' },
    { input: '1.2.3.4.5', why: 'five parts' },
    { input: '08.0.0.1', why: 'octal with an eight' },
    { input: 'example.1', why: 'a last label that is a number' },
    { input: 'example.0x1', why: 'a last label that is hex' },
    { input: '127.0.0.1..', why: 'an address with two trailing dots' },
    { input: '[127.0.0.1]', why: 'IPv4 in brackets' },
    { input: '[example.com]', why: 'a name in brackets' },
    { input: '[::1', why: 'half of the brackets' },
    { input: '::1]', why: 'the other half' },
    { input: '[[::1]]', why: 'two pairs' },
    { input: '[]', why: 'empty brackets' },
    { input: '[fe80::1%eth0]', why: 'a zone' },
    { input: 'fe80::1%25eth0', why: 'an encoded zone' },
    { input: '[::ffff:0177.0.0.1]', why: 'octal inside IPv6' },
    { input: '[::ffff:127.1]', why: 'a short form inside IPv6' },
    { input: '[1::2::3]', why: 'two gaps' },
    { input: '[12345::]', why: 'a group that is too long' },
    { input: '1:2:3', why: 'too few groups' },
  ])('[GA-8] refuses $why: $input', ({ input }) => {
    expect(parseHost(input)).toBeUndefined();
  });

  test('is idempotent', () => {
    const piece = fc.constantFrom(
      'a',
      'B',
      '.',
      '-',
      '_',
      'ü',
      '1',
      '0x7f',
      '127',
      ':',
      '::',
      '[',
      ']',
      'xn--',
      'ß',
      '。',
      'ffff',
      '%',
      '@',
    );
    const input = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV4Extended(),
      fc.ipV6(),
      fc.array(piece, { maxLength: 8 }).map((all) => all.join('')),
      fc.string(),
    );
    fc.assert(
      fc.property(input, (text) => {
        const once = parseHost(text);
        if (once !== undefined) expect(parseHost(once.text)).toEqual(once);
      }),
      { numRuns: rounds(2_000) },
    );
  });
});

describe('matchesDomain', () => {
  test.each([
    { pattern: 'example.com', host: 'example.com', expected: true, why: 'exact' },
    { pattern: 'example.com', host: 'EXAMPLE.com.', expected: true, why: 'case and root dot' },
    { pattern: 'Example.COM', host: 'example.com', expected: true, why: 'case of the pattern' },
    { pattern: '*.example.com', host: 'api.example.com', expected: true, why: 'one label below' },
    { pattern: '*.example.com', host: 'a.b.example.com', expected: true, why: 'any depth below' },
    { pattern: '*.example.com', host: 'API.Example.com.', expected: true, why: 'below, spelled otherwise' },
    { pattern: 'bücher.example', host: 'xn--bcher-kva.example', expected: true, why: 'punycode' },
    { pattern: '*.bücher.example', host: 'a.BÜCHER.example', expected: true, why: 'below a Unicode name' },
    { pattern: '127.0.0.1', host: '0x7f.1', expected: true, why: 'an address in another notation' },
    { pattern: '0x7f000001', host: '127.0.0.1', expected: true, why: 'a pattern in another notation' },
    { pattern: '[::1]', host: '0:0:0:0:0:0:0:1', expected: true, why: 'IPv6 in another notation' },
    { pattern: '10.0.0.1', host: '[::ffff:10.0.0.1]', expected: true, why: 'IPv4 inside IPv6' },
    { pattern: '*.example.com', host: 'example.com', expected: false, why: 'the bare parent' },
    { pattern: 'example.com', host: 'api.example.com', expected: false, why: 'below an exact pattern' },
    { pattern: 'example.com', host: 'example.com.evil.test', expected: false, why: 'suffix trick' },
    { pattern: 'example.com', host: 'notexample.com', expected: false, why: 'prefix trick' },
    { pattern: '*.example.com', host: 'notexample.com', expected: false, why: 'no label border' },
    { pattern: '*.example.com', host: 'a.notexample.com', expected: false, why: 'no label border, deeper' },
    { pattern: '*.example.com', host: 'example.com.evil.test', expected: false, why: 'the parent in front' },
    { pattern: '*.example.com', host: '.example.com', expected: false, why: 'an empty label' },
    { pattern: '*.example.com', host: 'a..example.com', expected: false, why: 'an empty label inside' },
    { pattern: 'example.com', host: '', expected: false, why: 'no host' },
    { pattern: 'example.com', host: 'example.com@evil.test', expected: false, why: 'userinfo' },
    { pattern: 'example.com', host: 'example.com:443', expected: false, why: 'a port' },
    { pattern: 'example.com', host: 'example.com%00.evil.test', expected: false, why: 'an encoded NUL' },
    { pattern: 'example.com', host: 'еxample.com', expected: false, why: 'a Cyrillic letter' },
    {
      pattern: '*.0.0.1.example',
      host: '127.0.0.1',
      expected: false,
      why: 'an address never matches a wildcard',
    },
    {
      pattern: '127.0.0.1',
      host: '127.0.0.1.example.com',
      expected: false,
      why: 'a name that begins like an address',
    },
    { pattern: '::1', host: '::2', expected: false, why: 'another address' },
  ])('[GA-8] $why: $pattern and $host give $expected', ({ pattern, host, expected }) => {
    expect(matchesDomain(pattern, host)).toBe(expected);
    expect(compileDomainPatterns([pattern])(host)).toBe(expected ? pattern : undefined);
  });

  test.each([
    { pattern: '', why: 'nothing' },
    { pattern: '*', why: 'everything' },
    { pattern: '*.', why: 'a wildcard over the root' },
    { pattern: '*.*.example.com', why: 'two wildcards' },
    { pattern: 'a.*.example.com', why: 'a wildcard inside' },
    { pattern: 'a*.example.com', why: 'a part of a label' },
    { pattern: '*example.com', why: 'no label border' },
    { pattern: '*.127.0.0.1', why: 'a wildcard over an address' },
    { pattern: '*.0x7f.1', why: 'a wildcard over an address in disguise' },
    { pattern: '*.[::1]', why: 'a wildcard over IPv6' },
    { pattern: 'example.com/x', why: 'a path' },
    { pattern: 'https://example.com', why: 'a URL' },
  ])('refuses a pattern that is $why: $pattern', ({ pattern }) => {
    expect(parseDomainPattern(pattern)).toBeUndefined();
    expect(() => matchesDomain(pattern, 'example.com')).toThrow(SallyportError);
    expect(() => compileDomainPatterns(['example.com', pattern])).toThrow(SallyportError);
  });

  test('the most specific of many patterns is named', () => {
    const match = compileDomainPatterns(['*.com', '*.example.com', 'a.example.com']);
    expect(match('a.example.com')).toBe('a.example.com');
    expect(match('b.example.com')).toBe('*.example.com');
    expect(match('example.com')).toBe('*.com');
    expect(match('example.org')).toBeUndefined();
  });

  test('[GA-8] agrees with a reference that compares label by label', () => {
    const label = fc.constantFrom('a', 'b', 'ab', 'com');
    const name = fc.array(label, { minLength: 1, maxLength: 4 });
    const reference = (wildcard: boolean, pattern: readonly string[], host: readonly string[]): boolean => {
      const deeper = host.length - pattern.length;
      if (wildcard ? deeper < 1 : deeper !== 0) return false;
      return pattern.every((part, index) => part === host[index + deeper]);
    };
    fc.assert(
      fc.property(fc.boolean(), name, name, (wildcard, pattern, host) => {
        const text = `${wildcard ? '*.' : ''}${pattern.join('.')}`;
        const expected = reference(wildcard, pattern, host);
        expect(matchesDomain(text, host.join('.'))).toBe(expected);
        expect(compileDomainPatterns([text])(host.join('.')) !== undefined).toBe(expected);
      }),
      { numRuns: rounds(1_000) },
    );
  });
});
