import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { HostFacts } from './host-facts.ts';
import { isLeftBehind, uniqueName } from './unique-name.ts';

/** What jails see of /etc, as one folder of the host. */
export interface EtcCopy {
  readonly path: string;
  remove(): void;
}

/** Hundreds of small files: on a disk they would take a second, in memory a fortieth of that. */
const MEMORY = '/dev/shm';

/**
 * Puts together what jails of one kind have as /etc: one mount for each of many commands, in place of some twenty steps
 * that take as long as starting a small program.
 *
 * SECURITY: whoever could write here would choose the libraries that programs in the jail load. Nobody else may enter
 * the folder, and no jail can be given a path below /dev. Undefined where it cannot be made; then each jail puts its own
 * together.
 */
export function copyEtc(
  { etcFiles, etcFolders }: HostFacts,
  own: Readonly<Record<string, string>>,
): EtcCopy | undefined {
  const room = join(MEMORY, uniqueName('etc-'));
  const path = join(room, 'etc');
  const remove = (): void => rmSync(room, { recursive: true, force: true });
  try {
    sweep();
    // Fails when somebody was first: the name can be guessed.
    mkdirSync(room, { mode: 0o700 });
  } catch {
    return undefined;
  }
  try {
    mkdirSync(path, { mode: 0o755 });
    for (const entry of etcFolders) copyFolder(join('/etc', entry), join(path, entry));
    for (const { path: entry, link } of etcFiles) {
      mkdirSync(dirname(join(path, entry)), { recursive: true, mode: 0o755 });
      if (link === undefined) copyFile(join('/etc', entry), join(path, entry));
      else symlinkSync(link, join(path, entry));
    }
    for (const [name, content] of Object.entries(own))
      writeFileSync(join(path, name), content, { mode: 0o444, flag: 'wx' });
    return { path, remove };
  } catch {
    remove();
    return undefined;
  }
}

function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o755 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isFile()) copyFile(source, target);
  }
}

function copyFile(from: string, to: string): void {
  copyFileSync(from, to);
  chmodSync(to, 0o444);
}

/** What a gateway that was killed left behind. */
function sweep(): void {
  for (const name of readdirSync(MEMORY).filter(isLeftBehind)) {
    try {
      rmSync(join(MEMORY, name), { recursive: true, force: true });
    } catch {
      // Another user's.
    }
  }
}
