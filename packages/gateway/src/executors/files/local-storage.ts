import { setImmediate } from 'node:timers/promises';
import { SallyportError } from '@sallyport/protocol';
import type { Clock } from '../../shared/clock.ts';
import { isInside } from '../../shared/is-inside.ts';
import { HeldFolder } from './held-folder.ts';
import { isPart, LocalPlace } from './local-place.ts';
import { asStorageError } from './storage-errors.ts';
import type { EntryName } from './volume-map.ts';
import type { LinkFact, StoragePlace, Usage, VolumeStorage } from './volume-storage.ts';

export interface LocalStorageOptions {
  /** name of the volume, for messages */
  readonly name: string;
  /** absolute: the folder on this machine */
  readonly path: string;
  /** new files and folders belong to these */
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
  /** folders that must share nothing with it: the gateway's own home */
  readonly closed: readonly string[];
  readonly clock: Clock;
}

/** Components that a path may have below the mount: what is looked up one by one must end. */
const DEEPEST = 128;
/** How deep a volume is measured; each step down holds a descriptor. */
const MEASURED_DEPTH = 256;
/** Entries that are measured before others get their turn. */
const TURN = 256;
/** A part that nobody finished in this time was left behind by a gateway that was killed. */
const STALE_PART_MS = 60 * 60 * 1000;

/** A volume in a local folder. Opened with the first use; a folder that was removed and made again is opened again. */
export class LocalStorage implements VolumeStorage {
  readonly #options: LocalStorageOptions;
  #root: HeldFolder | undefined;
  /** folders on the way to what was looked at last, for the next look of the same step */
  #chain: { readonly names: string[]; readonly folders: HeldFolder[] } | undefined;

  constructor(options: LocalStorageOptions) {
    this.#options = options;
  }

  open(parts: readonly string[]): StoragePlace {
    refuseDeep(parts);
    try {
      const { folder, isRoot } = this.#walk(parts.slice(0, -1));
      return new LocalPlace({ folder, isRoot, name: parts.at(-1), owner: this.#options });
    } catch (error) {
      throw asStorageError(error);
    }
  }

  linkAt(parts: readonly string[]): LinkFact {
    const name = parts.at(-1);
    if (name === undefined) return { kind: 'plain' };
    if (parts.length > DEEPEST) return { kind: 'unreadable' };
    try {
      const folder = this.#chainTo(parts.slice(0, -1));
      const found = folder.find(name);
      if (found === undefined) return { kind: 'missing' };
      if (found instanceof HeldFolder) this.#extend(name, found);
      else if (found.kind === 'link') return { kind: 'link', target: folder.readLink(name) };
      return { kind: 'plain' };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      // As a link it would be followed, and unknown is dangerous: whatever else it is cannot be looked at.
      return { kind: code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable' };
    }
  }

  async measure(): Promise<Usage> {
    const usage = { bytes: 0, entries: 0 };
    let left = TURN;
    const count = async (folder: HeldFolder, depth: number): Promise<void> => {
      if (depth > MEASURED_DEPTH)
        throw new SallyportError('Unprocessable', {
          message: 'the volume is nested too deep to be measured',
        });
      for (const name of folder.names()) {
        left -= 1;
        if (left === 0) {
          left = TURN;
          await setImmediate();
        }
        await this.#countEntry(folder, name, usage, (below) => count(below, depth + 1));
      }
    };
    try {
      await count(this.#openRoot(), 0);
    } catch (error) {
      throw asStorageError(error);
    }
    return usage;
  }

  [Symbol.dispose](): void {
    this.#release();
    this.#root?.[Symbol.dispose]();
    this.#root = undefined;
  }

  async #countEntry(
    folder: HeldFolder,
    name: EntryName,
    usage: { bytes: number; entries: number },
    countBelow: (folder: HeldFolder) => Promise<void>,
  ): Promise<void> {
    const facts = folder.factsOf(name);
    if (facts === undefined) return; // removed meanwhile
    if (
      isPart(name) &&
      facts.kind === 'file' &&
      facts.changedAt < this.#options.clock.now() - STALE_PART_MS
    ) {
      folder.removeFile(name);
      return;
    }
    usage.entries += 1;
    usage.bytes += facts.size;
    if (facts.kind !== 'folder') return;
    const found = folder.find(name);
    if (!(found instanceof HeldFolder)) return;
    try {
      await countBelow(found);
    } finally {
      found[Symbol.dispose]();
    }
  }

  /** The folder at the end, each step from the one before. The root stays open; anything else is the caller's. */
  #walk(parts: readonly string[]): { readonly folder: HeldFolder; readonly isRoot: boolean } {
    let folder = this.#openRoot();
    let isRoot = true;
    for (const part of parts) {
      const above = folder;
      try {
        folder = above.enter(part);
      } finally {
        if (!isRoot) above[Symbol.dispose]();
      }
      isRoot = false;
    }
    return { folder, isRoot };
  }

  #chainTo(parts: readonly string[]): HeldFolder {
    let chain = this.#chain;
    if (chain === undefined) {
      chain = { names: [], folders: [] };
      this.#chain = chain;
      // An action is built in one step, without waiting: afterwards nothing of it is true any more.
      queueMicrotask(() => this.#release());
    }
    let known = 0;
    while (known < chain.names.length && known < parts.length && chain.names[known] === parts[known])
      known += 1;
    chain.names.length = known;
    for (const folder of chain.folders.splice(known)) folder[Symbol.dispose]();
    for (const part of parts.slice(known))
      this.#extend(part, (chain.folders.at(-1) ?? this.#openRoot()).enter(part));
    return chain.folders.at(-1) ?? this.#openRoot();
  }

  #extend(name: string, folder: HeldFolder): void {
    this.#chain?.names.push(name);
    this.#chain?.folders.push(folder);
  }

  #release(): void {
    for (const folder of this.#chain?.folders ?? []) folder[Symbol.dispose]();
    this.#chain = undefined;
  }

  #openRoot(): HeldFolder {
    if (this.#root?.isGone === true) this[Symbol.dispose]();
    this.#root ??= openRoot(this.#options);
    return this.#root;
  }
}

function openRoot({ name, path, closed }: LocalStorageOptions): HeldFolder {
  let opened: ReturnType<typeof HeldFolder.openReal>;
  try {
    opened = HeldFolder.openReal(path);
  } catch (cause) {
    throw new SallyportError('Unavailable', {
      message: `the folder of volume \`${name}\` cannot be opened`,
      hint: 'tell the operator: the `path` of the volume must be an existing folder',
      cause,
    });
  }
  const { folder, real } = opened;
  // SECURITY: keys, tokens and the trail are in there, and a volume would be a way around every closed path.
  if (closed.map(HeldFolder.realPath).some((other) => isInside(real, other) || isInside(other, real))) {
    folder[Symbol.dispose]();
    throw new SallyportError('Unavailable', {
      message: `the folder of volume \`${name}\` shares files with the gateway's own home`,
      hint: 'tell the operator: the `path` of a volume must lie elsewhere',
    });
  }
  return folder;
}

function refuseDeep(parts: readonly string[]): void {
  if (parts.length <= DEEPEST) return;
  throw new SallyportError('BadRequest', { message: `the path has more than ${DEEPEST} components` });
}
