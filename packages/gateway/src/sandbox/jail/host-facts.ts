import { accessSync, constants, existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { SallyportError } from '@sallyport/protocol/error';
import {
  ETC_FILES,
  ETC_FOLDERS,
  PROC_MASKED,
  PROC_MASKED_FOR_ROOT,
  SYSTEM_FOLDERS,
} from './system-folders.ts';

/** What a jail takes from the machine: looked up once, so that building its arguments stays pure. */
export interface HostFacts {
  /** path of `bwrap` */
  readonly bwrap: string;
  /** path of `setpriv`: a jail with a terminal dies with its caller by it */
  readonly setpriv: string | undefined;
  /** path of `perl`, which runs the forwarder in the jail; undefined: Node does */
  readonly perl: string | undefined;
  /** the Node that runs this process */
  readonly node: string;
  readonly arch: 'x64' | 'arm64';
  /** system folders that exist: to be bound, or links to be made again */
  readonly folders: readonly { readonly path: string; readonly link: string | undefined }[];
  /** what of /etc exists, relative to it; a link into /usr has a target */
  readonly etcFiles: readonly { readonly path: string; readonly link: string | undefined }[];
  readonly etcFolders: readonly string[];
  /** files of /proc that exist and must not be read, relative to it */
  readonly procMasked: readonly string[];
}

const PLACES = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin', '/run/wrappers/bin'];

/** The first executable of that name in the folders where systems keep programs; never from `PATH`. */
export function findProgram(name: string): string | undefined {
  return PLACES.map((folder) => join(folder, name)).find((path) => isAllowed(path, constants.X_OK));
}

const isReadable = (path: string): boolean => isAllowed(path, constants.R_OK);

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

let known: HostFacts | undefined;

/** Throws `ToolMissing` without bwrap and `SandboxUnavailable` where there can be no jail. */
export function hostFacts(): HostFacts {
  known ??= look();
  return known;
}

function look(): HostFacts {
  if (process.platform !== 'linux' || (process.arch !== 'x64' && process.arch !== 'arm64')) {
    throw new SallyportError('SandboxUnavailable', {
      message: `bubblewrap needs Linux on x64 or arm64, and this is ${process.platform} on ${process.arch}`,
    });
  }
  const bwrap = findProgram('bwrap');
  if (bwrap === undefined) {
    throw new SallyportError('ToolMissing', {
      message: 'the jail needs `bwrap`, which is not installed',
      hint: 'install it: `apt-get install bubblewrap`, `dnf install bubblewrap` or `pacman -S bubblewrap`',
    });
  }
  return {
    bwrap,
    setpriv: findProgram('setpriv'),
    perl: findProgram('perl'),
    node: realpathSync(process.execPath),
    arch: process.arch,
    folders: SYSTEM_FOLDERS.filter((path) => existsSync(path)).map((path) => ({
      path,
      link: lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined,
    })),
    etcFiles: ETC_FILES.filter((entry) => isReadable(join('/etc', entry))).map((entry) => {
      const real = realpathSync(join('/etc', entry));
      return { path: entry, link: real.startsWith('/usr/') ? real : undefined };
    }),
    etcFolders: ETC_FOLDERS.filter((entry) => existsSync(join('/etc', entry))),
    procMasked: [...PROC_MASKED, ...(process.getuid?.() === 0 ? PROC_MASKED_FOR_ROOT : [])].filter((entry) =>
      existsSync(join('/proc', entry)),
    ),
  };
}
