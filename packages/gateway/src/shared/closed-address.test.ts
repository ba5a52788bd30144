import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AddressPolicy,
  type ClosedBecause,
  closedBecause,
  closedByName,
  closedZone,
  isOrdinaryName,
  isThisMachine,
  openingEntry,
} from './closed-address.ts';
import { parseHost } from './host.ts';
import { parseOpenAddress } from './open-address.ts';

const MACHINE = new Set(['127.0.0.1', '::1', '192.168.7.7', '203.0.114.9', '2606:4700::9', 'fe80::7']);
const policy = (...entries: string[]): AddressPolicy => ({
  open: entries.map((entry) => parseOpenAddress(entry)!),
  ownPorts: new Set([7180, 7181, 7183]),
  machine: MACHINE,
});
const NOTHING = policy();
const EVERYTHING = policy('0.0.0.0/0', '::/0', 'db.example');
const at = (port: number, host = 'db.example') => ({ host, port });

const closed = (because: ClosedBecause, rows: readonly (readonly [address: string, why: string])[]) =>
  rows.map(([address, why]) => ({ address, why, because }));

describe('[NE-3] an address that nobody opened', () => {
  test.each([
    ...closed('loopback', [
      ['127.0.0.1', 'as usual'],
      ['127.255.255.255', 'the end of the range'],
      ['127.1', 'short'],
      ['2130706433', 'as one number'],
      ['0x7f000001', 'in hex'],
      ['0177.0.0.01', 'in octal'],
      ['::1', 'IPv6'],
      ['[::1]', 'in brackets'],
      ['0:0:0:0:0:0:0:1', 'written out'],
      ['::ffff:127.0.0.1', 'mapped'],
      ['::ffff:7f00:1', 'mapped, in hex'],
      ['::127.0.0.1', 'compatible'],
      ['64:ff9b::127.0.0.1', 'behind NAT64'],
      ['2002:7f00:1::', 'behind 6to4'],
      ['2001:0:808:808::80ff:fffe', 'the client of a Teredo address'],
      ['2606:4700::5efe:127.0.0.1', 'behind ISATAP'],
    ]),
    ...closed('private', [
      ['10.0.0.1', 'ten'],
      ['172.16.0.1', 'the middle range'],
      ['172.31.255.255', 'its end'],
      ['192.168.0.1', 'the home range'],
      ['fd00::1', 'unique local'],
      ['fec0::1', 'site local'],
      ['::ffff:192.168.0.1', 'mapped'],
      ['64:ff9b::a00:1', 'behind NAT64'],
      ['2002:c0a8:1::1', 'behind 6to4'],
      ['2001:0:a00:1::1', 'the server of a Teredo address'],
      ['2606:4700::200:5efe:10.0.0.1', 'behind ISATAP'],
    ]),
    ...closed('metadata', [
      ['169.254.169.254', 'of most clouds'],
      ['0xa9fea9fe', 'in hex'],
      ['2852039166', 'as one number'],
      ['fd00:ec2::254', 'IPv6'],
      ['::ffff:169.254.169.254', 'mapped'],
      ['64:ff9b::a9fe:a9fe', 'behind NAT64'],
      ['2002:a9fe:a9fe::', 'behind 6to4'],
      ['100.100.100.200', 'in the range of carriers'],
      ['168.63.129.16', 'in a public range'],
    ]),
    ...closed('link-local', [
      ['169.254.0.1', 'IPv4'],
      ['fe80::1', 'IPv6'],
    ]),
    ...closed('cgnat', [
      ['100.64.0.1', 'the range of carriers'],
      ['100.127.255.255', 'its end'],
    ]),
    ...closed('multicast', [
      ['224.0.0.1', 'IPv4'],
      ['ff02::1', 'IPv6'],
    ]),
    ...closed('unspecified', [
      ['0.0.0.0', 'IPv4'],
      ['0', 'as one number'],
      ['::', 'IPv6'],
      ['::ffff:0.0.0.0', 'mapped'],
    ]),
    ...closed('broadcast', [['255.255.255.255', 'to all']]),
    ...closed('reserved', [
      ['192.0.2.1', 'documentation'],
      ['198.51.100.1', 'documentation'],
      ['203.0.113.1', 'documentation'],
      ['198.18.0.1', 'benchmarks'],
      ['240.0.0.1', 'the future'],
      ['192.0.0.1', 'protocols'],
      ['2001:db8::1', 'documentation, IPv6'],
      ['3fff::1', 'documentation, newer'],
      ['64:ff9b:1::a00:1', 'local NAT64'],
      ['64:ff9b:1:2:3::8.8.8.8', 'local NAT64, whatever is inside'],
      ['100::1', 'discard'],
      ['5f00::1', 'segment routing'],
      ['4000::1', 'not handed out'],
      ['localhost', 'a name'],
      ['fe80::1%eth0', 'a zone'],
      ['10.0.0.1/8', 'a range'],
      ['1.2.3.4:80', 'a port'],
      ['', 'nothing'],
    ]),
    ...closed('own-address', [
      ['203.0.114.9', 'a public address of this machine'],
      ['2606:4700::9', 'the same, IPv6'],
      ['::ffff:203.0.114.9', 'mapped'],
      ['64:ff9b::203.0.114.9', 'behind NAT64'],
    ]),
  ])('$address is closed: $why', ({ address, because }) => {
    expect(closedBecause(address, at(443), NOTHING)).toBe(because);
  });

  test.each(['93.184.216.34', '1.1.1.1', '2606:4700::1111', '64:ff9b::8.8.8.8', '172.32.0.1', '100.128.0.1'])(
    '%s is public, and open',
    (address) => {
      expect(closedBecause(address, at(443), NOTHING)).toBeUndefined();
    },
  );
});

describe('[NE-3] what nothing opens', () => {
  test.each(
    ['127.0.0.1', '127.9.9.9', '::1', '192.168.7.7', '203.0.114.9', '2606:4700::9', '::ffff:127.0.0.1']
      .concat(['64:ff9b::7f00:1', '2002:7f00:1::', '::7f00:1', '0.0.0.0', '::', '0x7f.1', 'fe80::7'])
      .flatMap((address) => [7180, 7181, 7183].map((port) => ({ address, port }))),
  )('the gateway itself, at $address port $port', ({ address, port }) => {
    const all = policy('0.0.0.0/0', '::/0', 'db.example', `127.0.0.1:${port}`, `[::1]:${port}`);
    expect(closedBecause(address, at(port), all)).toBe('own-listener');
  });

  test.each(['0.0.0.0', '::', '224.0.0.1', 'ff02::1', '255.255.255.255'])('%s', (address) => {
    expect(closedBecause(address, at(443), EVERYTHING)).toBeDefined();
  });
});

describe('allow_private', () => {
  test.each([
    { entry: '10.1.0.0/16', address: '10.1.255.255', open: true, why: 'the range' },
    { entry: '10.1.0.0/16', address: '10.2.0.0', open: false, why: 'just beyond it' },
    { entry: '10.1.0.0/16', address: '::ffff:10.1.2.3', open: true, why: 'mapped is the same address' },
    { entry: '10.1.0.0/16', address: '64:ff9b::a01:203', open: false, why: 'NAT64 is another one' },
    { entry: '10.1.0.0/16', address: '2002:a01:203::', open: false, why: '6to4 is another one' },
    { entry: '64:ff9b::/96', address: '64:ff9b::a01:203', open: true, why: 'it can be named itself' },
    { entry: '127.0.0.1', address: '127.0.0.1', open: true, why: 'one address' },
    { entry: '127.0.0.1', address: '127.0.0.2', open: false, why: 'not its neighbour' },
    { entry: '127.0.0.1', address: '::1', open: false, why: 'not the other family' },
    { entry: '127.0.0.1:443', address: '127.0.0.1', open: true, why: 'on its port' },
    { entry: '127.0.0.1:5432', address: '127.0.0.1', open: false, why: 'not on another' },
    { entry: '[fd00::/8]:443', address: 'fd12::1', open: true, why: 'an IPv6 range with a port' },
    { entry: '[fd00::/8]:444', address: 'fd12::1', open: false, why: 'another port' },
    { entry: 'db.example', address: '10.9.9.9', open: true, why: 'by the name that was asked for' },
    { entry: 'db.example', address: '127.0.0.1', open: true, why: 'also this machine' },
    { entry: 'db.example:443', address: '10.9.9.9', open: true, why: 'on its port' },
    { entry: 'db.example:5432', address: '10.9.9.9', open: false, why: 'not on another' },
    { entry: 'www.example', address: '10.9.9.9', open: false, why: 'another name' },
    { entry: 'example', address: '10.9.9.9', open: false, why: 'not what is below it' },
    {
      entry: 'db.example',
      address: '169.254.169.254',
      open: false,
      why: 'a name never opens the metadata service',
    },
    { entry: 'db.example', address: 'fd00:ec2::254', open: false, why: 'nor the one in a private range' },
    { entry: 'db.example', address: '168.63.129.16', open: false, why: 'nor the one in a public range' },
    {
      entry: 'db.example',
      address: '169.254.1.1',
      open: false,
      why: 'a name never opens link-local addresses',
    },
    { entry: '0.0.0.0/0', address: '169.254.169.254', open: false, why: 'a wide range does not mean it' },
    { entry: '169.0.0.0/8', address: '169.254.1.1', open: false, why: 'nor any link-local address' },
    { entry: '169.254.0.0/15', address: '169.254.1.1', open: false, why: 'not even if only twice as wide' },
    {
      entry: '100.64.0.0/10',
      address: '100.100.100.200',
      open: false,
      why: 'the metadata service of a carrier range',
    },
    { entry: 'fd00::/8', address: 'fd00:ec2::254', open: false, why: 'the one in the private range' },
    { entry: 'fd00:ec2::/32', address: 'fd00:ec2::254', open: false, why: 'a range around it' },
    { entry: '169.254.0.0/16', address: '169.254.1.1', open: true, why: 'named exactly' },
    { entry: '169.254.0.0/16', address: '169.254.169.254', open: true, why: 'named exactly' },
    { entry: '169.254.169.254', address: '169.254.169.254', open: true, why: 'the address itself' },
    { entry: '169.254.169.253', address: '169.254.169.254', open: false, why: 'not its neighbour' },
    { entry: 'fd00:ec2::254', address: 'fd00:ec2::254', open: true, why: 'the address itself' },
    { entry: 'fe80::/10', address: 'fe80::1', open: true, why: 'named exactly' },
    { entry: '::/0', address: 'fe80::1', open: false, why: 'a wide range does not mean it' },
    { entry: '203.0.114.9', address: '203.0.114.9', open: true, why: 'a public address of this machine' },
    { entry: 'db.example', address: '203.0.114.9', open: true, why: 'the same by its name' },
    { entry: '8.8.8.8', address: '127.0.0.1', open: false, why: 'an entry for somewhere else' },
  ])('$entry and $address, $why: $open', ({ entry, address, open }) => {
    expect(closedBecause(address, at(443), policy(entry)) === undefined).toBe(open);
  });
});

describe('[NE-12] what the text of a host tells', () => {
  test.each<[string, ClosedBecause | undefined, string]>([
    ['10.0.0.5', 'private', 'an address'],
    ['fd00:ec2::254', 'metadata', 'an address of the other family'],
    ['64:ff9b::7f00:1', 'loopback', 'an address inside another'],
    ['localhost', 'loopback', 'this machine'],
    ['a.b.localhost', 'loopback', 'the same'],
    ['metadata.google.internal', 'metadata', 'the metadata service'],
    ['metadata.goog', 'metadata', 'the same'],
    ['metadata', 'metadata', 'its short name'],
    ['instance-data', 'metadata', 'its old name'],
    ['ip6-localhost', 'loopback', 'this machine, IPv6'],
    ['ip6-loopback', 'loopback', 'the same'],
    ['localhost.localdomain', 'loopback', 'this machine by an old name'],
    ['localhost6.localdomain6', 'loopback', 'the same, IPv6'],
    ['localhost4', 'loopback', 'the same, IPv4'],
    ['host.docker.internal', 'private', 'the machine around a container'],
    ['gateway.docker.internal', 'private', 'its gateway'],
    ['host.containers.internal', 'private', 'the same of another engine'],
    ['metadata.example', undefined, 'a name that only begins like one'],
    ['my-metadata', undefined, 'a name that only ends like one'],
    ['example.com', undefined, 'a name'],
    ['localhost.example', undefined, 'a name that only begins so'],
    ['notlocalhost', undefined, 'a name that only ends so'],
    ['1.1.1.1', undefined, 'a public address'],
  ])('%s: %s, %s', (host, because) => {
    expect(closedByName({ host, port: 443 }, NOTHING)).toBe(because);
  });

  test('a port of the gateway is closed by every name of this machine, whatever is open', () => {
    for (const host of [
      'localhost',
      'x.localhost',
      'ip6-localhost',
      'ip6-loopback',
      'localhost.localdomain',
      'localhost6',
      'host.docker.internal',
      'gateway.docker.internal',
      '127.0.0.1',
      '127.8.8.8',
      '::1',
      '0.0.0.0',
      '192.168.7.7',
    ])
      expect(closedByName({ host, port: 7183 }, EVERYTHING)).toBe('own-listener');
  });

  test('what one of its addresses opens is not certainly closed', () => {
    expect(closedByName({ host: 'localhost', port: 5432 }, policy('127.0.0.1:5432'))).toBeUndefined();
    expect(closedByName({ host: 'localhost', port: 5433 }, policy('127.0.0.1:5432'))).toBe('loopback');
    expect(closedByName({ host: 'localhost', port: 1 }, policy('localhost'))).toBeUndefined();
    expect(closedByName({ host: '10.0.0.1', port: undefined }, policy('10.0.0.1'))).toBeUndefined();
    expect(closedByName({ host: '10.0.0.1', port: undefined }, policy('10.0.0.1:80'))).toBe('private');
  });

  test('an entry opens the machine around a container, by its name or by what it may lead to', () => {
    const ask = { host: 'host.docker.internal', port: 3000 };
    expect(closedByName(ask, policy('host.docker.internal:3000'))).toBeUndefined();
    expect(closedByName(ask, policy('192.168.65.0/24'))).toBeUndefined();
    expect(closedByName(ask, policy('host.docker.internal:3001'))).toBe('private');
  });

  test('a zone of the own network is closed unless an entry may open what is in it', () => {
    const zone = (host: string, ...entries: string[]) => closedZone({ host, port: 80 }, policy(...entries));
    expect(zone('db.internal')).toBe('private');
    expect(zone('printer.local')).toBe('private');
    expect(zone('nas.home.arpa')).toBe('private');
    expect(zone('db.internal', '10.0.0.0/8')).toBeUndefined();
    expect(zone('db.internal', '10.0.0.0/8:443')).toBe('private');
    expect(zone('db.internal', 'db.internal')).toBeUndefined();
    expect(zone('db.internal', 'other.internal')).toBe('private');
    expect(zone('internal.example')).toBeUndefined();
  });

  test('this machine is what leads to it by its text', () => {
    for (const host of ['localhost', '127.0.0.1', '0.0.0.0', '::1', '192.168.7.7', '203.0.114.9'])
      expect(isThisMachine(host, NOTHING)).toBe(true);
    for (const host of ['10.0.0.1', 'example.com', '169.254.169.254', '1.1.1.1'])
      expect(isThisMachine(host, NOTHING)).toBe(false);
  });

  test('an entry that is named as the way to open it opens it, and there is none for what nothing opens', () => {
    const hosts = [
      '10.0.0.5',
      'fd12::1',
      '169.254.169.254',
      'fe80::1',
      'localhost',
      'metadata.google.internal',
    ];
    for (const host of [...hosts, '127.0.0.1', '100.64.1.1', '203.0.114.9', '64:ff9b::a00:5']) {
      const ask = { host, port: 8080 };
      const because = closedByName(ask, NOTHING);
      if (because === undefined) throw new Error(`${host} is open`);
      const entry = openingEntry(ask, because);
      expect(closedByName(ask, policy(entry ?? '')), `${host} by ${entry}`).toBeUndefined();
    }
    for (const host of ['224.0.0.1', '0.0.0.0', '255.255.255.255', 'ff02::1']) {
      const ask = { host, port: 8080 };
      expect(openingEntry(ask, closedByName(ask, NOTHING) ?? 'reserved')).toBeUndefined();
    }
  });

  test('what is called an ordinary name is closed by nothing in it', () => {
    const label = fc.stringMatching(/^[a-z0-9]{1,8}$/);
    const ending = fc.constantFrom(
      'localhost',
      'internal',
      'local',
      'home.arpa',
      'goog',
      'instance-data',
      'com',
    );
    const name = fc
      .array(label, { maxLength: 3 })
      .chain((labels) => ending.map((end) => [...labels, end].join('.')));
    const host = fc.oneof(name, fc.ipV4(), fc.ipV6(), fc.domain());
    fc.assert(
      fc.property(host, (text) => {
        const canonical = parseHost(text)?.text;
        fc.pre(canonical !== undefined);
        if (!isOrdinaryName(canonical)) return;
        const ask = { host: canonical, port: 80 };
        expect(closedByName(ask, NOTHING) ?? closedZone(ask, NOTHING)).toBeUndefined();
      }),
      { numRuns: rounds(2_000) },
    );
  });
});
