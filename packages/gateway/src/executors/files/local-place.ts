import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { SallyportError } from '@sallyport/protocol';
import { type EntryFacts, type HeldFolder, type Ownership, refuseUnusual } from './held-folder.ts';
import { asStorageError } from './storage-errors.ts';
import type { EntryName } from './volume-map.ts';
import type {
  Commit,
  EntryPage,
  FileRange,
  ListedEntry,
  StoragePlace,
  Usage,
  WriteOptions,
} from './volume-storage.ts';

export interface LocalPlaceParts {
  readonly folder: HeldFolder;
  /** the folder is the volume's own and stays open */
  readonly isRoot: boolean;
  /** undefined: the place is the volume itself */
  readonly name: string | undefined;
  readonly owner: Pick<Ownership, 'uid' | 'gid'>;
}

/** Names that are looked at before others get their turn. */
const TURN = 1024;
const PART = /^\.sallyport-[0-9a-f]{24}\.part$/;

/** Whether a name is one that unfinished files have: tools neither see nor touch them. */
export function isPart(name: EntryName): boolean {
  return typeof name === 'string' && PART.test(name);
}

/** A name in a folder that is held. */
export class LocalPlace implements StoragePlace {
  readonly #parts: LocalPlaceParts;

  constructor(parts: LocalPlaceParts) {
    this.#parts = parts;
  }

  size(): number | undefined {
    return told(() => this.#existing()?.size);
  }

  async read(offset: number, length: number): Promise<FileRange> {
    return toldLater(async () => {
      using file = this.#parts.folder.openFile(this.#name());
      const size = file.size;
      return { bytes: await file.read(offset, length), size };
    });
  }

  async write(bytes: Uint8Array, { mustBeNew, commit, signal }: WriteOptions): Promise<void> {
    await toldLater(async () => {
      const { folder, owner } = this.#parts;
      const name = this.#name();
      if (this.#existing() !== undefined && mustBeNew) throw taken();
      const part = `.sallyport-${randomBytes(12).toString('hex')}.part`;
      try {
        {
          using file = folder.makeFile(part);
          await file.write(bytes, signal);
          await file.own({ ...owner, mode: this.#existing()?.mode ?? 0o644 });
          await file.flush();
        }
        signal.throwIfAborted();
        // INVARIANT: from here to the new name nothing waits, so what is counted is what is replaced.
        const before = this.#existing();
        if (before !== undefined && mustBeNew) throw taken();
        const change = { bytes: bytes.length - (before?.size ?? 0), entries: before === undefined ? 1 : 0 };
        committed(commit, change, () => (mustBeNew ? folder.give(part, name) : folder.replace(part, name)));
      } catch (error) {
        removeQuietly(folder, part);
        throw error;
      }
    });
  }

  async makeFolder(commit: Commit): Promise<void> {
    await toldLater(async () => {
      const { folder, owner } = this.#parts;
      const name = this.#name();
      if (folder.look(name) !== undefined) throw taken();
      using made = committed(commit, { bytes: 0, entries: 1 }, () => folder.makeFolder(name));
      using file = made.asFile();
      await file.own({ ...owner, mode: 0o755 });
    });
  }

  remove(commit: Commit): void {
    told(() => {
      const { folder } = this.#parts;
      const name = this.#name();
      const facts = folder.look(name);
      if (facts?.kind === 'folder') {
        folder.removeFolder(name);
        commit({ bytes: 0, entries: -1 });
        return;
      }
      if (facts !== undefined) refuseUnusual(name, facts);
      folder.removeFile(name);
      commit({ bytes: -(facts?.size ?? 0), entries: -1 });
    });
  }

  async list(after: string, limit: number): Promise<EntryPage> {
    return toldLater(async () => {
      const { folder, name } = this.#parts;
      if (name === undefined) return pageOf(folder, after, limit);
      using below = folder.enter(name);
      return await pageOf(below, after, limit);
    });
  }

  [Symbol.dispose](): void {
    if (!this.#parts.isRoot) this.#parts.folder[Symbol.dispose]();
  }

  /** The plain file that stands here. Throws for anything else. */
  #existing(): EntryFacts | undefined {
    const name = this.#name();
    const facts = this.#parts.folder.look(name);
    if (facts !== undefined) refuseUnusual(name, facts);
    return facts;
  }

  #name(): string {
    const { name } = this.#parts;
    if (name === undefined)
      throw new SallyportError('Conflict', {
        message: 'this is the volume itself',
        hint: 'name something in it',
      });
    if (isPart(name))
      throw new SallyportError('Conflict', { message: 'names like this are for unfinished files' });
    return name;
  }
}

/** The first names after `after`, in order, without holding more than a few pages of a folder of any size. */
async function pageOf(folder: HeldFolder, after: string, limit: number): Promise<EntryPage> {
  let found: { readonly name: EntryName; readonly text: string }[] = [];
  let left = TURN;
  for (const name of folder.names()) {
    left -= 1;
    if (left === 0) {
      left = TURN;
      await setImmediate();
    }
    const text = name.toString();
    if (text <= after || isPart(text)) continue;
    found.push({ name, text });
    if (found.length > limit * 4) found = found.sort(byText).slice(0, limit + 1);
  }
  const entries: ListedEntry[] = [];
  for (const { name, text } of found.sort(byText).slice(0, limit)) {
    const facts = folder.factsOf(name);
    if (facts !== undefined) entries.push({ name: text, kind: facts.kind, size: facts.size });
  }
  return { entries, more: found.length > limit };
}

function byText(one: { readonly text: string }, other: { readonly text: string }): number {
  return one.text < other.text ? -1 : one.text > other.text ? 1 : 0;
}

/** What could not be done after it was counted is counted back. */
function committed<T>(commit: Commit, change: Usage, act: () => T): T {
  commit(change);
  try {
    return act();
  } catch (error) {
    commit({ bytes: -change.bytes, entries: -change.entries });
    throw error;
  }
}

function taken(): SallyportError {
  return asStorageError(Object.assign(new Error('EEXIST'), { code: 'EEXIST' })) as SallyportError;
}

/** It is not there when it could not be made, or has its final name. */
function removeQuietly(folder: HeldFolder, name: string): void {
  try {
    folder.removeFile(name);
  } catch {
    // The first failure is the one to tell.
  }
}

function told<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw asStorageError(error);
  }
}

async function toldLater<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw asStorageError(error);
  }
}
