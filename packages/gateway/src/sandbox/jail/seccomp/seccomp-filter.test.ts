import { describe, expect, test } from 'vitest';
import { type FilterArch, seccompFilter } from './seccomp-filter.ts';

const ARCH = { x64: 0xc000_003e, arm64: 0xc000_00b7 };
const ALLOW = 0x7fff_0000;
const KILL = 0x8000_0000;
const errno = (number: number): number => 0x0005_0000 | number;

/** What the kernel would answer: an interpreter for the few instructions that the filter is made of. */
function answer(
  arch: FilterArch,
  number: number,
  args: readonly bigint[] = [],
  machine = ARCH[arch],
): number {
  const program = new DataView(seccompFilter(arch).buffer);
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number, true);
  data.setUint32(4, machine, true);
  for (const [index, value] of args.entries()) data.setBigUint64(16 + 8 * index, value, true);
  let loaded = 0;
  for (let at = 0; at < program.byteLength; at += 8) {
    const value = program.getUint32(at + 4, true);
    const jump = (taken: boolean): void => {
      at += 8 * program.getUint8(at + (taken ? 2 : 3));
    };
    const code = program.getUint16(at, true);
    if (code === 0x20) loaded = data.getUint32(value, true);
    else if (code === 0x54) loaded = (loaded & value) >>> 0;
    else if (code === 0x15) jump(loaded === value);
    else if (code === 0x35) jump(loaded >= value);
    else if (code === 0x45) jump((loaded & value) !== 0);
    else if (code === 0x06) return value;
    else throw new Error(`instruction ${code}`);
  }
  throw new Error('the filter ends without an answer');
}

describe.each(['x64', 'arm64'] as const)('seccompFilter on %s', (arch) => {
  const on = (x64: number, arm64: number): number => (arch === 'x64' ? x64 : arm64);

  test.each([
    { call: on(0, 63), args: [], expected: ALLOW, why: 'read' },
    { call: on(59, 221), args: [], expected: ALLOW, why: 'execve' },
    { call: on(101, 117), args: [], expected: errno(1), why: 'ptrace' },
    { call: on(165, 40), args: [], expected: errno(1), why: 'mount' },
    { call: on(56, 220), args: [0x11n], expected: ALLOW, why: 'fork' },
    { call: on(56, 220), args: [0x10000011n], expected: errno(1), why: 'clone of a user namespace' },
    { call: on(272, 97), args: [0x400n], expected: ALLOW, why: 'unshare of open files' },
    { call: on(272, 97), args: [0x80n], expected: errno(1), why: 'unshare of time' },
    { call: 435, args: [], expected: errno(38), why: 'clone3 is absent' },
    { call: 437, args: [], expected: errno(38), why: 'openat2 is absent' },
    { call: 466, args: [], expected: ALLOW, why: 'the last known call' },
    { call: 467, args: [], expected: errno(38), why: 'a call that nobody knows yet' },
    { call: on(16, 29), args: [0n, 0x5401n], expected: ALLOW, why: 'ioctl of a terminal' },
    { call: on(16, 29), args: [0n, 0x5412n], expected: errno(1), why: 'TIOCSTI' },
    { call: on(16, 29), args: [0n, 0xffffffff00005412n], expected: errno(1), why: 'TIOCSTI with high bits' },
    { call: on(41, 198), args: [1n, 1n, 0n], expected: ALLOW, why: 'unix socket' },
    { call: on(41, 198), args: [2n, 0x80801n, 6n], expected: ALLOW, why: 'TCP socket with flags' },
    { call: on(41, 198), args: [10n, 2n, 17n], expected: ALLOW, why: 'UDP socket of IPv6' },
    { call: on(41, 198), args: [2n, 3n, 1n], expected: errno(1), why: 'raw socket' },
    { call: on(41, 198), args: [10n, 0x80003n, 1n], expected: errno(1), why: 'raw socket with flags' },
    { call: on(41, 198), args: [16n, 3n, 0n], expected: ALLOW, why: 'addresses by netlink' },
    { call: on(41, 198), args: [16n, 3n, 9n], expected: errno(97), why: 'audit by netlink' },
    { call: on(41, 198), args: [40n, 1n, 0n], expected: errno(97), why: 'vsock' },
    { call: on(53, 199), args: [1n], expected: ALLOW, why: 'pair of unix sockets' },
    { call: on(53, 199), args: [16n], expected: errno(97), why: 'pair of anything else' },
    { call: on(135, 92), args: [0xffffffffn], expected: ALLOW, why: 'asking for the personality' },
    { call: on(135, 92), args: [0x40000n], expected: errno(1), why: 'no randomised addresses' },
    { call: on(91, 52), args: [3n, 0o755n], expected: ALLOW, why: 'chmod' },
    { call: on(91, 52), args: [3n, 0o4755n], expected: errno(1), why: 'chmod to set-uid' },
    { call: on(257, 56), args: [0n, 0n, 0n, 0o4777n], expected: ALLOW, why: 'open with rubbish for a mode' },
    { call: on(257, 56), args: [0n, 0n, 0x41n, 0o4777n], expected: errno(1), why: 'a new set-uid file' },
    {
      call: on(257, 56),
      args: [0n, 0n, 0x410001n, 0o2777n],
      expected: errno(1),
      why: 'a nameless set-gid file',
    },
    { call: on(257, 56), args: [0n, 0n, 0x41n, 0o644n], expected: ALLOW, why: 'a new file' },
  ])('$why', ({ call, args, expected }) => {
    expect(answer(arch, call, args).toString(16)).toBe(expected.toString(16));
  });

  test('kills who speaks for another machine', () => {
    expect(answer(arch, 0, [], 0x4000_0003)).toBe(KILL);
    expect(answer(arch, 0, [], ARCH[arch === 'x64' ? 'arm64' : 'x64'])).toBe(KILL);
  });

  test('is short enough to be quick and for the kernel', () => {
    expect(seccompFilter(arch).length / 8).toBeLessThan(400);
  });
});

test('kills calls of x32', () => {
  expect(answer('x64', 0x4000_0000 + 59)).toBe(KILL);
});
