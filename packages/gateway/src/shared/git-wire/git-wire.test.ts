import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireEngine } from '@sallyport/testkit';
import { rounds } from '@sallyport/testkit/rounds';
import { afterAll, describe, expect, test } from 'vitest';
import { LONGEST_PACKET, type Packet, PacketReader } from './packet-reader.ts';
import { PushHeadReader, type PushState } from './push-head.ts';
import { pushRefusal } from './push-refusal.ts';
import { bandOf, FLUSH, onBand, packetOf } from './write-packets.ts';

const ZERO = '0'.repeat(40);
const ID = 'a'.repeat(40);
const OTHER = 'b'.repeat(40);
const line = (ref: string, caps?: string, from = ZERO, to = ID): Buffer =>
  packetOf(`${from} ${to} ${ref}${caps === undefined ? '' : `\0${caps}`}`);

/** Small and repeatable: the same packets on every machine. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function readAll(bytes: Uint8Array, sizes: () => number): { packets: Packet[]; reader: PacketReader } {
  const reader = new PacketReader();
  const packets: Packet[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = Math.max(1, sizes());
    reader.push(bytes.subarray(at, at + size));
    at += size;
    for (let packet = reader.next(); packet !== undefined; packet = reader.next())
      packets.push(packet.kind === 'data' ? { kind: 'data', bytes: packet.bytes.slice() } : packet);
  }
  return { packets, reader };
}

function state(...parts: readonly (Uint8Array | string)[]): PushState {
  return new PushHeadReader().push(Buffer.concat(parts.map((part) => Buffer.from(part as string))));
}

describe('packets', () => {
  test('what is written is read, however it is cut, and the reader holds one packet at most', () => {
    const next = numbers(7);
    const count = rounds(1_000_000);
    const batch = 2_000;
    for (let done = 0; done < count; done += batch) {
      const written: Packet[] = [];
      const bytes = Buffer.concat(
        Array.from({ length: batch }, () => {
          const kind = next();
          if (kind < 0.2) {
            const special =
              (['flush', 'delimiter', 'response-end'] as const)[Math.floor(kind * 15)] ?? 'flush';
            written.push({ kind: special });
            return Buffer.from({ flush: '0000', delimiter: '0001', 'response-end': '0002' }[special]);
          }
          const content = Buffer.alloc(Math.floor(next() ** 6 * 300), Math.floor(next() * 256));
          written.push({ kind: 'data', bytes: new Uint8Array(content) });
          return packetOf(content);
        }),
      );
      const { packets, reader } = readAll(bytes, () => Math.floor(next() ** 3 * 4_000));
      expect(packets.length).toBe(written.length);
      expect(Buffer.concat(packets.map(spelled)).equals(Buffer.concat(written.map(spelled)))).toBe(true);
      expect(reader.pending).toBe(0);
    }
  });

  test('bytes at random never throw, never hang, and never give a packet that is longer than git sends', () => {
    const next = numbers(11);
    const alphabet = '0123456789abcdefABCDEF PACK\0\n';
    for (let round = 0; round < rounds(100_000); round += 1) {
      const bytes = Buffer.from(
        Array.from({ length: Math.floor(next() * 60) }, () =>
          alphabet.charCodeAt(Math.floor(next() * alphabet.length)),
        ),
      );
      const { packets, reader } = readAll(bytes, () => Math.floor(next() * 9));
      for (const packet of packets)
        if (packet.kind === 'data') expect(packet.bytes.length).toBeLessThan(LONGEST_PACKET);
      const taken = packets.reduce(
        (sum, packet) => sum + 4 + (packet.kind === 'data' ? packet.bytes.length : 0),
        0,
      );
      expect(taken + reader.pending).toBe(bytes.length);
      new PushHeadReader().push(bytes);
    }
  });

  test.each(['0003', 'zzzz', '+004', ' 004', '0x04', '-001', '00 4', 'fff1', 'ffff', '٠٠٠٤'])(
    '%j is no packet',
    (text) => {
      const reader = new PacketReader();
      reader.push(Buffer.concat([Buffer.from(text), Buffer.alloc(16)]));
      expect(reader.next()).toBeUndefined();
      expect(reader.problem).toBeDefined();
    },
  );

  test('what follows is left as it is', () => {
    const reader = new PacketReader();
    reader.push(Buffer.from('0000PACKxyz'));
    expect(reader.next()).toEqual({ kind: 'flush' });
    expect(Buffer.from(reader.rest()).toString()).toBe('PACKxyz');
    expect(reader.pending).toBe(0);
  });

  test('a side-band carries more than one packet holds', () => {
    const text = 'é'.repeat(50_000);
    for (const small of [false, true]) {
      const { packets } = readAll(onBand(1, text, small), () => 70_000);
      const parts = packets.map((packet) => (packet.kind === 'data' ? bandOf(packet.bytes) : undefined));
      expect(parts.every((part) => part?.band === 1)).toBe(true);
      expect(Buffer.concat(parts.map((part) => part?.bytes ?? Buffer.alloc(0))).toString()).toBe(text);
    }
    expect(bandOf(Buffer.from([4, 1]))).toBeUndefined();
  });
});

describe('the head of a push', () => {
  test('commands, capabilities, options, shallow commits', () => {
    const found = state(
      packetOf(`shallow ${OTHER}`),
      line('refs/heads/a', 'report-status push-options atomic object-format=sha1'),
      line('refs/heads/b'),
      FLUSH,
      packetOf('ci.skip'),
      FLUSH,
    );
    expect(found).toMatchObject({
      kind: 'whole',
      head: { atomic: true, signed: false, options: ['ci.skip'], shallow: [OTHER] },
    });
    expect(found.kind === 'whole' && found.head.commands.map(({ ref }) => ref)).toEqual([
      'refs/heads/a',
      'refs/heads/b',
    ]);
  });

  const CERTIFICATE = (commands: string, option = '') =>
    [
      'certificate version 0.1\n',
      'pusher A <a@b> 1 +0000\n',
      'nonce 1-a\n',
      option,
      '\n',
      commands,
      '-----BEGIN PGP SIGNATURE-----\n',
      'x\n',
    ]
      .filter((text) => text !== '')
      .map((text) => packetOf(text));

  test('a signed push has the commands of its certificate', () => {
    const found = state(
      packetOf('push-cert\0report-status'),
      ...CERTIFICATE(`${ZERO} ${ID} refs/heads/a\n`),
      packetOf('push-cert-end\n'),
      FLUSH,
    );
    expect(found).toMatchObject({
      kind: 'whole',
      head: { signed: true, commands: [{ ref: 'refs/heads/a' }] },
    });
  });

  test.each<readonly [string, readonly (Uint8Array | string)[]]>([
    ['a delimiter of version 2', [line('refs/heads/a', 'x'), '0001', FLUSH]],
    ['a response-end', ['0002']],
    ['a ref twice', [line('refs/heads/a', 'x'), line('refs/heads/a'), FLUSH]],
    [
      'a name that is not UTF-8',
      [packetOf(Buffer.concat([Buffer.from(`${ZERO} ${ID} refs/heads/`), Buffer.from([0xff])])), FLUSH],
    ],
    ['a name outside of refs', [packetOf(`${ZERO} ${ID} HEAD`), FLUSH]],
    ['ids of two lengths', [packetOf(`${ZERO} ${'a'.repeat(64)} refs/heads/a`), FLUSH]],
    ['ids in capitals', [packetOf(`${ZERO} ${'A'.repeat(40)} refs/heads/a`), FLUSH]],
    ['a certificate without an end', [packetOf('push-cert\0x'), ...CERTIFICATE(''), FLUSH]],
    [
      'commands beside a certificate',
      [
        packetOf('push-cert\0x'),
        ...CERTIFICATE(`${ZERO} ${ID} refs/heads/a\n`),
        packetOf('push-cert-end\n'),
        line('refs/heads/main'),
        FLUSH,
      ],
    ],
    ['a certificate behind commands', [line('refs/heads/a', 'x'), packetOf('push-cert'), FLUSH]],
    [
      'a certificate of another version',
      [packetOf('push-cert\0x'), packetOf('certificate version 9\n\n'), packetOf('push-cert-end\n'), FLUSH],
    ],
    [
      'a certificate with other options',
      [
        packetOf('push-cert\0push-options'),
        ...CERTIFICATE(`${ZERO} ${ID} refs/heads/a\n`, 'push-option a\n'),
        packetOf('push-cert-end\n'),
        FLUSH,
        packetOf('b'),
        FLUSH,
      ],
    ],
    [
      'an option that nobody certified',
      [
        packetOf('push-cert\0push-options'),
        ...CERTIFICATE(`${ZERO} ${ID} refs/heads/a\n`),
        packetOf('push-cert-end\n'),
        FLUSH,
        packetOf('b'),
        FLUSH,
      ],
    ],
    ['capabilities and no command', [packetOf(`shallow ${ID}\0x`), FLUSH]],
    [
      'more than 16 MB of commands',
      Array.from({ length: 300 }, (_, at) => line(`refs/heads/${at}${'x'.repeat(60_000)}`)),
    ],
  ])('%s is broken', (_, parts) => {
    expect(state(...parts)).toMatchObject({ kind: 'broken' });
  });

  test('an announcement in any line counts: what follows is options, and no pack', () => {
    const found = state(
      line('refs/heads/a', 'report-status'),
      line('refs/heads/b', 'push-options'),
      FLUSH,
      packetOf('merge_request.create'),
      FLUSH,
    );
    expect(found).toMatchObject({ kind: 'whole', head: { options: ['merge_request.create'] } });
  });

  test('a flush alone is a look before a push', () => {
    expect(state(FLUSH)).toEqual({ kind: 'nothing' });
  });

  test('every cut of a push is `more`, never another push', () => {
    const whole = Buffer.concat([
      line('refs/heads/a', 'push-options'),
      line('refs/heads/b'),
      FLUSH,
      packetOf('x'),
      FLUSH,
    ]);
    for (let at = 0; at < whole.length; at += 1)
      expect(new PushHeadReader().push(whole.subarray(0, at)).kind).toBe('more');
    expect(new PushHeadReader().push(whole).kind).toBe('whole');
  });

  test('10,000 refs are read, and a pack of 2 GB behind them is not held', () => {
    const reader = new PushHeadReader();
    const lines = Array.from({ length: 10_000 }, (_, at) =>
      line(`refs/heads/b${at}`, at === 0 ? 'report-status' : undefined),
    );
    const chunk = Buffer.alloc(1_048_576, 1);
    const found = reader.push(Buffer.concat([...lines, FLUSH, Buffer.from('PACK')]));
    expect(found.kind === 'whole' && found.head.commands.length).toBe(10_000);
    expect(Buffer.from(reader.rest()).toString()).toBe('PACK');
    const before = process.memoryUsage().arrayBuffers;
    for (let round = 0; round < 2_048; round += 1) reader.push(chunk);
    expect(reader.rest().length).toBe(0);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8_388_608);
  });
});

function spelled(packet: Packet): Buffer {
  return packet.kind === 'data' ? packetOf(packet.bytes) : Buffer.from(`<${packet.kind}>`);
}

const folder = mkdtempSync(join(tmpdir(), 'sallyport-git-wire-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const engine = requireEngine('git');

describe.skipIf(engine.missing)(`with the real git (${engine.install})`, () => {
  test('a push is read as git sends it, and our refusal stands in its own output', () => {
    const server = join(folder, 'server.git');
    const work = join(folder, 'work');
    git(folder, 'init', '-q', '--bare', server);
    git(server, 'config', 'receive.advertisePushOptions', 'true');
    git(folder, 'init', '-q', '-b', 'main', work);
    writeFileSync(join(work, 'a'), 'a');
    git(work, 'add', 'a');
    git(work, 'commit', '-qm', 'a');
    // Stands in the place of the server's program: what it is sent goes to a file, what it says comes from one.
    const pushed = join(folder, 'pushed.bin');
    const answer = join(folder, 'answer.bin');
    const program = join(folder, 'receive');
    const head = new PushHeadReader();
    const refusal = pushRefusal(
      {
        commands: [{ from: ZERO, to: ID, ref: 'refs/heads/main' }],
        capabilities: ['report-status', 'side-band-64k'],
        options: [],
        shallow: [],
        atomic: false,
        signed: false,
      },
      'the gate says no',
    );
    writeFileSync(answer, refusal);
    writeFileSync(
      program,
      `#!/bin/sh\ngit receive-pack --http-backend-info-refs "$1"\nhead -c 300 > '${pushed}'\ncat '${answer}'\ncat > /dev/null\n`,
      { mode: 0o755 },
    );
    const child = spawnSync(
      'git',
      ['push', '-o', 'ci.skip', `--receive-pack=${program}`, server, 'HEAD:main'],
      {
        cwd: work,
        encoding: 'utf8',
      },
    );
    expect(child.status).not.toBe(0);
    expect(child.stderr).toContain('remote: the gate says no');
    expect(child.stderr).toMatch(/\[remote rejected\].*main.*the gate says no/);
    expect(head.push(readFileSync(pushed))).toMatchObject({
      kind: 'whole',
      head: { commands: [{ from: ZERO, ref: 'refs/heads/main' }], options: ['ci.skip'] },
    });
  });
});
