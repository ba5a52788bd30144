import { accessSync, constants, existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { SallyportError } from '@sallyport/protocol/error';
import { ETC_ENTRIES, PROC_MASKED, PROC_READ_ONLY, SYSTEM_FOLDERS } from './system-folders.ts';

/** What a jail takes from the machine: looked up once, so that building its arguments stays pure. */
export interface HostFacts {
  /** path of `bwrap` */
  readonly bwrap: string;
  /** path of `setpriv`: a jail with a terminal dies with its caller by it */
  readonly setpriv: string | undefined;
  /** the Node that runs this process: runs the forwarder in the jail */
  readonly node: string;
  readonly arch: 'x64' | 'arm64';
  /** system folders that exist: to be bound, or links to be made again */
  readonly folders: readonly { readonly path: string; readonly link: string | undefined }[];
  /** entries of /etc that exist, relative to it */
  readonly etc: readonly string[];
  /** files and folders of /proc that exist, relative to it */
  readonly procMasked: readonly string[];
  readonly procReadOnly: readonly string[];
}

const PLACES = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin', '/run/wrappers/bin'];

/** The first executable of that name in the folders where systems keep programs; never from `PATH`. */
export function findProgram(name: string): string | undefined {
  return PLACES.map((folder) => join(folder, name)).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
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
    node: realpathSync(process.execPath),
    arch: process.arch,
    folders: SYSTEM_FOLDERS.filter((path) => existsSync(path)).map((path) => ({
      path,
      link: lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined,
    })),
    etc: ETC_ENTRIES.filter((entry) => existsSync(join('/etc', entry))),
    procMasked: PROC_MASKED.filter((entry) => existsSync(join('/proc', entry))),
    procReadOnly: PROC_READ_ONLY.filter((entry) => existsSync(join('/proc', entry))),
  };
}
