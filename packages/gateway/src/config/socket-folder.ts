import { statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SallyportError } from '@sallyport/protocol/error';
import type { Variables } from './source/expand-variables.ts';

/** `sun_path` holds 108 bytes on Linux, 104 on macOS, the closing zero included */
export const LONGEST_SOCKET_BYTES = process.platform === 'darwin' ? 103 : 107;

/** File systems, by the number that Linux has for each, on which a unix socket cannot be made. NFS takes them. */
const WITHOUT_SOCKETS: ReadonlySet<number> = new Set([
  0x65735546, // FUSE: sshfs and what else brings a folder from elsewhere
  0xff534d42, // CIFS
  0xfe534d42, // SMB 2 and later
  0x01021997, // 9p: the disks of Windows in WSL
  0x5346414f, // OpenAFS
  0x6b414653, // AFS
  0x786f4256, // shared folders of VirtualBox
]);

/**
 * The folder for sockets of a home: the home itself, or, when `longest` bytes below it are too many for a socket's
 * path or its disk takes no sockets, one named after the home under `XDG_RUNTIME_DIR`. Never one under `/tmp`, where
 * another user could be first. When there is none, the home, and whoever makes a socket there hears why not.
 *
 * INVARIANT: a matter of the home and the environment alone, so that the CLI finds what the gateway opened.
 */
export function socketFolder(home: string, env: Variables, longest: number): string {
  const runtime = env.XDG_RUNTIME_DIR;
  if (runtime?.startsWith('/') !== true || (fitsSocket(home, longest) && takesSockets(home))) return home;
  // Loaded only here: it is a tenth of what `sallyport run` takes before it asks the gateway.
  const { hash } = process.getBuiltinModule('node:crypto');
  const inRuntime = join(runtime, `sallyport-${hash('sha256', home).slice(0, 12)}`);
  return fitsSocket(inRuntime, longest) ? inRuntime : home;
}

/** Whether a socket whose path is `longest` bytes longer than the folder's can be made there. */
export function fitsSocket(folder: string, longest: number): boolean {
  return Buffer.byteLength(folder) + longest <= LONGEST_SOCKET_BYTES;
}

/** False for a folder, also one that is still to be made, on a disk that is known to take no unix sockets. */
export function takesSockets(folder: string): boolean {
  if (process.platform !== 'linux') return true;
  try {
    return !WITHOUT_SOCKETS.has(statfsSync(folder).type);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return !isMissing || dirname(folder) === folder || takesSockets(dirname(folder));
  }
}

const NAME = '/operator.sock';

/** Where the operator's unix socket is. When it has no place the result is the home's, which `checkSocketPath` refuses. */
export function operatorSocketPath(home: string, env: Variables): string {
  return join(socketFolder(home, env, NAME.length), NAME);
}

/** Throws `HomeUnusable` for a path that no unix socket can have. */
export function checkSocketPath(path: string): void {
  if (fitsSocket(path, 0)) return;
  throw new SallyportError('HomeUnusable', {
    message: `the path is too long for a unix socket: \`${path}\``,
    hint: `choose a home of at most ${LONGEST_SOCKET_BYTES - NAME.length} bytes with SALLYPORT_HOME`,
  });
}
