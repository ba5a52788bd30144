import {
  allow,
  assemble,
  fail,
  type Instruction,
  ifAnyBit,
  ifAtLeast,
  ifEqual,
  keepBits,
  kill,
  loadArch,
  loadArgument,
  loadNumber,
  unlessEqual,
} from './bpf.ts';
import { LAST_KNOWN, SYSCALLS, type SyscallName } from './syscall-numbers.ts';

export type FilterArch = 'x64' | 'arm64';

const AUDIT_ARCH: Readonly<Record<FilterArch, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };
const X32_BIT = 0x4000_0000;

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Refused whatever the arguments: nothing that an agent's work needs, each a way to reach the kernel or others. */
const REFUSED: readonly SyscallName[] = [
  // Other processes' memory and descriptors
  ...(['ptrace', 'process_vm_readv', 'process_vm_writev', 'kcmp', 'pidfd_getfd'] as const),
  // Mounts, old and new interface
  ...(['mount', 'umount2', 'pivot_root', 'chroot', 'move_mount', 'open_tree', 'fsopen', 'fsconfig'] as const),
  ...(['fsmount', 'fspick', 'mount_setattr', 'open_by_handle_at', 'setns'] as const),
  // Keyrings are not namespaced
  ...(['keyctl', 'add_key', 'request_key'] as const),
  // Wide and often broken parts of the kernel
  ...(['bpf', 'perf_event_open', 'userfaultfd', 'io_uring_setup', 'io_uring_enter'] as const),
  ...(['io_uring_register', 'fanotify_init', 'move_pages', 'migrate_pages', 'lookup_dcookie'] as const),
  // The machine itself
  ...(['kexec_load', 'kexec_file_load', 'init_module', 'finit_module', 'delete_module', 'reboot'] as const),
  ...(['swapon', 'swapoff', 'settimeofday', 'clock_settime', 'clock_adjtime', 'adjtimex', 'acct'] as const),
  ...(['syslog', 'iopl', 'ioperm', 'sethostname', 'setdomainname', 'vhangup', 'nfsservctl'] as const),
  ...(['quotactl', 'quotactl_fd'] as const),
];

/** Said not to exist, since programs then take the older call, whose arguments can be seen. */
const ABSENT: readonly SyscallName[] = ['clone3', 'openat2'];

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET; unshare also takes NEWTIME. */
const NAMESPACES = 0x7e02_0000;
const NEWTIME = 0x80;

/**
 * SECURITY: TIOCSTI and TIOCLINUX type into the terminal, which the jail shares; TIOCCONS redirects the console;
 * TIOCEXCL would keep the caller from opening it to take it back, and TIOCSETD from reading it as before.
 */
const TERMINAL_TAKEN = [0x5412, 0x541c, 0x541d, 0x540c, 0x5423];
/** `tcflow`: whoever stops the output of the terminal stops the caller's next word too. */
const TCXONC = 0x540a;
const STOPS_FLOW = [0, 2];

/** What Docker allows: Linux, 32-bit Linux, the same with old `uname`, and asking. */
const PERSONALITIES = [0x0, 0x8, 0x2_0000, 0x2_0008, 0xffff_ffff];

/** SECURITY: a set-uid file in the workspace would hand the user to everyone on the host; root's, root. */
const SET_ID = 0o6000;
const CREATES = 0x40 | 0x40_0000;

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;
const SOCK_RAW_AND_PACKET = [3, 10];
const SOCK_TYPE_BITS = 0xf;

/** What a program needs to put others into a jail of their own. */
const NESTING: readonly SyscallName[] = ['mount', 'umount2', 'pivot_root'];

/**
 * The filter of every jail, for `bwrap --seccomp`.
 *
 * Calls of another machine type or of x32 kill the process; calls newer than this table do not exist. With `nests`
 * it lets namespaces and mounts be made: for our own worker, which gives what it starts the whole filter.
 */
export function seccompFilter(arch: FilterArch, { nests = false }: { nests?: boolean } = {}): Uint8Array {
  const name = `${arch} ${nests}`;
  const filter = made.get(name) ?? buildFilter(arch, nests);
  made.set(name, filter);
  return filter;
}

/** The same for every jail, so made once. */
const made = new Map<string, Uint8Array>();

function buildFilter(arch: FilterArch, nests: boolean): Uint8Array {
  const namespaces = (bits: number): readonly Instruction[] =>
    nests ? [] : [loadArgument(0), ...ifAnyBit(bits, [fail(EPERM)])];
  const program: Instruction[] = [
    loadArch(),
    ...unlessEqual(AUDIT_ARCH[arch], [kill()]),
    loadNumber(),
    ...(arch === 'x64' ? ifAtLeast(X32_BIT, [kill()]) : []),
    ...ifAtLeast(LAST_KNOWN + 1, [fail(ENOSYS)]),
    ...REFUSED.filter((name) => !nests || !NESTING.includes(name)).flatMap((name) =>
      call(arch, name, [fail(EPERM)]),
    ),
    ...ABSENT.flatMap((name) => call(arch, name, [fail(ENOSYS)])),
    ...call(arch, 'clone', [...namespaces(NAMESPACES), allow()]),
    ...call(arch, 'unshare', [...namespaces(NAMESPACES | NEWTIME), allow()]),
    ...call(arch, 'ioctl', [
      loadArgument(1),
      ...TERMINAL_TAKEN.flatMap((request) => ifEqual(request, [fail(EPERM)])),
      ...ifEqual(TCXONC, [
        loadArgument(2),
        ...STOPS_FLOW.flatMap((action) => ifEqual(action, [fail(EPERM)])),
        allow(),
      ]),
      allow(),
    ]),
    ...call(arch, 'personality', [
      loadArgument(0),
      ...PERSONALITIES.flatMap((value) => ifEqual(value, [allow()])),
      fail(EPERM),
    ]),
    ...call(arch, 'socket', socketRules()),
    ...call(arch, 'socketpair', [loadArgument(0), ...ifEqual(AF_UNIX, [allow()]), fail(EAFNOSUPPORT)]),
    ...setId(arch),
    allow(),
  ];
  return assemble(program);
}

function socketRules(): readonly Instruction[] {
  const internet = [
    loadArgument(1),
    keepBits(SOCK_TYPE_BITS),
    ...SOCK_RAW_AND_PACKET.flatMap((type) => ifEqual(type, [fail(EPERM)])),
    allow(),
  ];
  return [
    loadArgument(0),
    ...ifEqual(AF_UNIX, [allow()]),
    ...ifEqual(AF_INET, internet),
    ...ifEqual(AF_INET6, internet),
    // getifaddrs asks the kernel for the addresses of this network namespace; no other netlink family is there.
    ...ifEqual(AF_NETLINK, [loadArgument(2), ...ifEqual(NETLINK_ROUTE, [allow()])]),
    fail(EAFNOSUPPORT),
  ];
}

function setId(arch: FilterArch): readonly Instruction[] {
  const refused = (index: number): readonly Instruction[] => [
    loadArgument(index),
    ...ifAnyBit(SET_ID, [fail(EPERM)]),
    allow(),
  ];
  // The mode counts only where a file is made: otherwise anything may stand in that register.
  const creating = (flags: number, mode: number): readonly Instruction[] => [
    loadArgument(flags),
    ...ifAnyBit(CREATES, refused(mode)),
    allow(),
  ];
  return [
    ...call(arch, 'chmod', refused(1)),
    ...call(arch, 'fchmod', refused(1)),
    ...call(arch, 'creat', refused(1)),
    ...call(arch, 'mknod', refused(1)),
    ...call(arch, 'fchmodat', refused(2)),
    ...call(arch, 'fchmodat2', refused(2)),
    ...call(arch, 'mknodat', refused(2)),
    ...call(arch, 'open', creating(1, 2)),
    ...call(arch, 'openat', creating(2, 3)),
  ];
}

/** INVARIANT: `then` always returns, so that the loaded number is never lost for what follows. */
function call(arch: FilterArch, name: SyscallName, then: readonly Instruction[]): readonly Instruction[] {
  const [x64, arm64] = SYSCALLS[name];
  const number = arch === 'x64' ? x64 : arm64;
  return number === undefined ? [] : ifEqual(number, then);
}
