import type { Socket } from 'node:net';

const SOL_SOCKET = 1;
const SO_PEERCRED = 17;
const PR_SET_CHILD_SUBREAPER = 36;
const WNOHANG = 1;
const AF_NETLINK = 16;
const SOCK_RAW_CLOEXEC = 0x8_0003;
const NETLINK_SOCK_DIAG = 4;
const MSG_DONTWAIT = 0x40;

/** The few calls of the system that Node has no function for. */
interface NativeCalls {
  /** process id of whoever opened this unix socket's other end; 0 when it is of another namespace */
  peerPid(socket: Socket): number | undefined;
  /** The kernel's answer to a question about sockets (`tcp-diag.ts`); undefined when it gives none. */
  askSockets(question: Buffer): Buffer | undefined;
  /** From now on processes below this one whose parent ends are its children. */
  adoptOrphans(): void;
  /** Takes note of the end of a child that Node does not know. */
  reap(pid: number): void;
}

const LARGEST_ANSWER = 4_096;

let known: NativeCalls | 'none' | undefined;

/**
 * Undefined where they cannot be made: not on Linux, or with a Node that was built or started without `node:ffi`.
 *
 * By `node:ffi`, which is experimental: all use of it is in this file, `native-calls.test.ts` tells when it changes, and
 * without it the callers know less and say so.
 */
export function nativeCalls(): NativeCalls | undefined {
  known ??= load() ?? 'none';
  return known === 'none' ? undefined : known;
}

function load(): NativeCalls | undefined {
  if (process.platform !== 'linux' || (process.arch !== 'x64' && process.arch !== 'arm64')) return undefined;
  try {
    const { dlopen } = quietly(() => process.getBuiltinModule('node:ffi'));
    const { functions } = dlopen(null, {
      getsockopt: { arguments: ['i32', 'i32', 'i32', 'buffer', 'buffer'], return: 'i32' },
      prctl: { arguments: ['i32', 'u64', 'u64', 'u64', 'u64'], return: 'i32' },
      socket: { arguments: ['i32', 'i32', 'i32'], return: 'i32' },
      send: { arguments: ['i32', 'buffer', 'u64', 'i32'], return: 'i64' },
      recv: { arguments: ['i32', 'buffer', 'u64', 'i32'], return: 'i64' },
      close: { arguments: ['i32'], return: 'i32' },
      waitpid: { arguments: ['i32', 'u64', 'i32'], return: 'i32' },
    });
    return {
      peerPid(socket) {
        const fd = descriptorOf(socket);
        if (fd === undefined) return undefined;
        // struct ucred: pid, uid, gid
        const [credentials, length] = [Buffer.alloc(12), Buffer.from(Uint32Array.of(12).buffer)];
        const failed = functions.getsockopt(fd, SOL_SOCKET, SO_PEERCRED, credentials, length) !== 0;
        return failed ? undefined : credentials.readInt32LE(0);
      },
      askSockets(question) {
        const fd = functions.socket(AF_NETLINK, SOCK_RAW_CLOEXEC, NETLINK_SOCK_DIAG);
        if (fd < 0) return undefined;
        const answer = Buffer.alloc(LARGEST_ANSWER);
        // The answer is there when the question is sent: nobody waits.
        const sent = functions.send(fd, question, BigInt(question.length), 0);
        const length = sent < 0n ? -1n : functions.recv(fd, answer, BigInt(answer.length), MSG_DONTWAIT);
        functions.close(fd);
        return length <= 0n ? undefined : answer.subarray(0, Number(length));
      },
      adoptOrphans: () => void functions.prctl(PR_SET_CHILD_SUBREAPER, 1n, 0n, 0n, 0n),
      reap: (pid) => void functions.waitpid(pid, 0n, WNOHANG),
    };
  } catch {
    return undefined;
  }
}

/** Node prints a warning when this is first loaded, which is ours to know and not a user's. */
function quietly<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** `as`: Node has the number of a socket's descriptor, under no public name. */
function descriptorOf(socket: Socket): number | undefined {
  const fd = (socket as unknown as { readonly _handle?: { readonly fd?: number } | null })._handle?.fd;
  return fd === undefined || fd < 0 ? undefined : fd;
}
