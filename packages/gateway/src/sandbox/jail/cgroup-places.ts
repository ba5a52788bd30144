import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A folder in which groups can be made, and what can be limited there. */
export interface CgroupPlace {
  readonly version: 1 | 2;
  readonly parent: string;
  readonly controllers: readonly ('pids' | 'memory')[];
}

const WANTED = ['pids', 'memory'] as const;

/** Where this process may make groups: one place for version 2, one for each controller of version 1, or none. */
export function cgroupPlaces(
  own = readFileSync('/proc/self/cgroup', 'utf8'),
  mounts = readFileSync('/proc/self/mountinfo', 'utf8'),
): readonly CgroupPlace[] {
  const places: CgroupPlace[] = [];
  for (const line of own.trim().split('\n')) {
    const [, names = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    const wanted = WANTED.filter((name) => names.split(',').includes(name));
    const [first] = wanted;
    if (names === '') {
      const root = mountOf(mounts, 'cgroup2', undefined);
      if (root !== undefined) places.push(...versionTwo(root, path));
    } else if (first !== undefined) {
      const root = mountOf(mounts, 'cgroup', first);
      const parent = root === undefined ? undefined : join(root, path);
      if (parent !== undefined && isWritable(parent))
        places.push({ version: 1, parent, controllers: wanted });
    }
  }
  return places;
}

/**
 * The nearest group above this process that hands its controllers down and is writable.
 *
 * A group of version 2 that holds processes cannot hand controllers down, so the own one never will do.
 */
function versionTwo(root: string, path: string): readonly CgroupPlace[] {
  for (let folder = join(root, path); folder.startsWith(root); folder = dirname(folder)) {
    const controllers = WANTED.filter((name) =>
      read(join(folder, 'cgroup.controllers')).split(/\s/).includes(name),
    );
    if (!isWritable(folder) || !isWritable(join(folder, 'cgroup.procs'))) return [];
    if (controllers.length > 0 && handsDown(folder, controllers)) {
      return [{ version: 2, parent: folder, controllers }];
    }
    if (folder === root) break;
  }
  return [];
}

function handsDown(folder: string, controllers: readonly string[]): boolean {
  const file = join(folder, 'cgroup.subtree_control');
  const missing = controllers.filter((name) => !read(file).split(/\s/).includes(name));
  if (missing.length === 0) return true;
  try {
    writeFileSync(file, missing.map((name) => `+${name}`).join(' '));
    return true;
  } catch {
    return false;
  }
}

/** Mount point of a hierarchy, from a line like `30 25 0:26 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids`. */
function mountOf(mounts: string, type: string, controller: string | undefined): string | undefined {
  for (const line of mounts.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const [fsType, , options = ''] = after.split(' ');
    if (fsType !== type) continue;
    if (controller === undefined || options.split(',').includes(controller)) return before.split(' ')[4];
  }
  return undefined;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
