import type { VolumeConfig } from '../../config/index.ts';

/** A path of an agent's world, as a place in a volume. */
export interface VolumePlace {
  readonly volume: VolumeConfig;
  /** components below the mount; none for the mount itself */
  readonly parts: readonly string[];
}

/**
 * Which volume a path belongs to: the one whose mount is its longest prefix, on a component border. Pure: nothing is
 * looked up, no link is followed, `.` and `..` stay components like any other for whoever refuses them.
 */
export class VolumeMap {
  /** the first one of the config: where an agent stands when nothing else is said */
  readonly first: VolumeConfig | undefined;
  readonly #volumes: readonly { readonly volume: VolumeConfig; readonly mount: readonly string[] }[];

  constructor(volumes: readonly VolumeConfig[]) {
    this.first = volumes[0];
    this.#volumes = volumes
      .map((volume) => ({ volume, mount: partsOf(volume.mount) }))
      .sort((one, other) => other.mount.length - one.mount.length);
  }

  get volumes(): readonly VolumeConfig[] {
    return this.#volumes.map(({ volume }) => volume);
  }

  /** Undefined: no volume is mounted there, or the path is not absolute. */
  find(path: string): VolumePlace | undefined {
    if (!path.startsWith('/')) return undefined;
    const parts = partsOf(path);
    const found = this.#volumes.find(({ mount }) => startsWith(parts, mount));
    return found && { volume: found.volume, parts: parts.slice(found.mount.length) };
  }

  /** Whether the path is a folder that only exists because a volume is mounted somewhere below it. */
  isAboveMount(path: string): boolean {
    const parts = partsOf(path);
    return this.#volumes.some(({ mount }) => startsWith(mount, parts));
  }
}

/** Components of a path; empty ones (`//`, a slash at the end) mean nothing, as in the kernel. */
export function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}

function startsWith(parts: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length <= parts.length && prefix.every((part, index) => part === parts[index]);
}

/** One component of a path: text, or the bytes of a name that is not UTF-8. */
export type EntryName = string | Buffer;

/** Whether this can be one component of a path and nothing else: not `.`, not `..`, no slash, no NUL. */
export function isPlainName(name: EntryName): boolean {
  if (typeof name !== 'string')
    return !name.includes(0x2f) && !name.includes(0) && isPlainName(name.toString('latin1'));
  return name !== '' && !isDots(name) && !name.includes('/') && !name.includes('\0') && name.isWellFormed();
}

export function isDots(name: string): boolean {
  return name === '.' || name === '..';
}
