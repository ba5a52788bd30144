import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { embeddedIpv4, type IpRange, ipRange } from './ip-range.ts';

const table = (range: IpRange, rows: readonly (readonly [text: string, why: string])[]) =>
  rows.map(([text, why]) => ({ range, text, why }));

describe('ipRange', () => {
  test.each([
    ...table('public', [
      ['93.184.216.34', 'IPv4'],
      ['1.1.1.1', 'IPv4 with low numbers'],
      ['172.15.255.255', 'just below a private range'],
      ['172.32.0.0', 'just above it'],
      ['11.0.0.0', 'just above ten'],
      ['100.63.255.255', 'just below the carriers'],
      ['100.128.0.0', 'just above them'],
      ['223.255.255.255', 'just below multicast'],
      ['2606:4700::1111', 'IPv6'],
      ['64:ff9b::8.8.8.8', 'a public address behind NAT64'],
      ['::ffff:8.8.8.8', 'a public address, mapped'],
      ['2002:808:808::1', 'a public address behind 6to4'],
    ]),
    ...table('loopback', [
      ['127.0.0.1', 'IPv4'],
      ['127.255.255.254', 'the end of the range'],
      ['2130706433', 'decimal'],
      ['0x7f.1', 'hex and short'],
      ['017700000001', 'octal'],
      ['::1', 'IPv6'],
      ['[0:0:0:0:0:0:0:1]', 'IPv6 written out'],
      ['::ffff:127.0.0.1', 'mapped'],
      ['::127.0.0.1', 'compatible'],
      ['::ffff:0:127.0.0.1', 'translated'],
      ['64:ff9b::7f00:1', 'NAT64'],
      ['2002:7f00:1::', '6to4'],
      ['2001:0:808:808::80ff:fffe', 'the client of a Teredo address'],
    ]),
    ...table('private', [
      ['10.0.0.1', 'ten'],
      ['172.16.0.1', 'the start of the middle range'],
      ['172.31.255.255', 'its end'],
      ['192.168.1.1', 'the home range'],
      ['0xc0a80101', 'in hex'],
      ['fc00::1', 'unique local'],
      ['fd12:3456::1', 'the usual half of it'],
      ['fec0::1', 'site local, deprecated'],
      ['::ffff:10.1.2.3', 'mapped'],
      ['64:ff9b::10.1.2.3', 'NAT64'],
      ['2002:a01:203::1', '6to4'],
      ['2001:0:a01:203::1', 'the server of a Teredo address'],
      ['2606:4700::5efe:10.1.2.3', 'ISATAP below a public prefix'],
      ['2606:4700::200:5efe:192.168.0.1', 'ISATAP with the universal bit'],
    ]),
    ...table('link-local', [
      ['169.254.0.1', 'IPv4'],
      ['169.254.169.253', 'next to the metadata service'],
      ['fe80::1', 'IPv6'],
      ['febf::1', 'the end of the range'],
      ['::ffff:169.254.1.1', 'mapped'],
    ]),
    ...table('metadata', [
      ['169.254.169.254', 'most clouds'],
      ['0251.0376.0251.0376', 'in octal'],
      ['2852039166', 'in decimal'],
      ['::ffff:169.254.169.254', 'mapped'],
      ['::169.254.169.254', 'compatible'],
      ['64:ff9b::a9fe:a9fe', 'NAT64'],
      ['2002:a9fe:a9fe::', '6to4'],
      ['fd00:ec2::254', 'AWS over IPv6'],
      ['[FD00:0EC2:0::0254]', 'spelled otherwise'],
      ['fd20:ce::254', 'Google over IPv6'],
      ['fe80::a9fe:a9fe', 'OpenStack over IPv6'],
      ['169.254.170.2', 'containers at AWS'],
      ['100.100.100.200', 'Alibaba, among the carriers'],
      ['168.63.129.16', 'Azure, among the public'],
      ['192.0.0.192', 'Oracle, among the reserved'],
    ]),
    ...table('cgnat', [
      ['100.64.0.1', 'the start'],
      ['100.127.255.255', 'the end'],
      ['::ffff:100.64.0.1', 'mapped'],
    ]),
    ...table('multicast', [
      ['224.0.0.1', 'IPv4'],
      ['239.255.255.255', 'its end'],
      ['ff02::1', 'IPv6'],
    ]),
    ...table('unspecified', [
      ['0.0.0.0', 'dials this machine'],
      ['0', 'spelled otherwise'],
      ['0.1.2.3', 'this network'],
      ['::', 'IPv6'],
      ['::ffff:0.0.0.0', 'mapped'],
    ]),
    ...table('broadcast', [['255.255.255.255', 'everybody']]),
    ...table('reserved', [
      ['240.0.0.1', 'the future'],
      ['192.0.2.1', 'examples'],
      ['198.18.0.1', 'benchmarks'],
      ['2001:db8::1', 'examples'],
      ['100::1', 'discarded'],
      ['64:ff9b:1::a00:1', 'a local NAT64, whose layout nobody knows'],
      ['4000::1', 'never handed out'],
      ['5f00::1', 'segment routing'],
      ['example.com', 'a name'],
      ['', 'nothing'],
      ['127.0.0.1:80', 'an address with a port'],
      ['fe80::1%eth0', 'a zone'],
      ['256.1.1.1', 'no address'],
    ]),
  ])('[NE-3] $text is $range: $why', ({ text, range }) => {
    expect(ipRange(text)).toBe(range);
  });

  test('[NE-3] an IPv4 address has one range in every notation and inside IPv6', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), (number) => {
        const bytes = [24, 16, 8, 0].map((shift) => (number >>> shift) & 0xff);
        const quad = bytes.join('.');
        const high = (number >>> 16).toString(16);
        const low = (number & 0xffff).toString(16);
        const range = ipRange(quad);
        expect(ipRange(String(number))).toBe(range);
        expect(ipRange(`0x${number.toString(16)}`)).toBe(range);
        expect(ipRange(bytes.map((byte) => `0${byte.toString(8)}`).join('.'))).toBe(range);
        expect(ipRange(`::ffff:${quad}`)).toBe(range);
        expect(ipRange(`[::ffff:${high}:${low}]`)).toBe(range);
        expect(ipRange(`64:ff9b::${high}:${low}`)).toBe(range);
        expect(ipRange(`2002:${high}:${low}::1`)).toBe(range);
      }),
      { numRuns: rounds(500) },
    );
  });
});

test('the IPv4 addresses inside an IPv6 address are named', () => {
  expect(embeddedIpv4('64:ff9b::1.2.3.4')).toEqual(['1.2.3.4']);
  expect(embeddedIpv4('2001:0:102:304::fefd:fcfb')).toEqual(['1.2.3.4', '1.2.3.4']);
  expect(embeddedIpv4('2606:4700::1')).toEqual([]);
  expect(embeddedIpv4('1.2.3.4')).toEqual([]);
});
