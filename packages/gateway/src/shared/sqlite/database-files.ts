import { closeSync, fstatSync, openSync, realpathSync, type Stats, statfsSync } from 'node:fs';
import { type FileProblem, HeldFile, isProblem, tampered } from '../held-file.ts';
import { LOCAL_DISKS } from '../local-disks.ts';
import { hasLastFrame, isSameCopy, isSameIndex, readWalIndex, type WalIndex } from './wal-index.ts';

/** SQLite makes `-shm` so large at least. */
const SHM_BYTES = 32_768;
/** Somebody writes the index for a few instructions; who is cut off in them holds a lock, and the next writer mends it. */
const LOOKS = 20;

/** Descriptors of `-shm` that must not be closed yet. */
const leftOpen = new Set<number>();

interface Seen {
  readonly size: number;
  readonly mtimeMs: number;
  readonly index: WalIndex;
}

export interface DatabaseFilesOptions {
  /**
   * The log has no name any more, and everything else is as it was: this puts into the database what only the log holds.
   * Returns false when it must be tried again.
   */
  rescue?(): boolean;
}

/**
 * The three files of an open database: whether they still are the ones that SQLite opened, and hold what it wrote [TR-7].
 *
 * A name that leads elsewhere shows by the file's number; a log that was cut off or overwritten in place, by its last frame;
 * a database that was overwritten in place, because it changed although nobody copied from the log into it. Other programs
 * may do through SQLite what they like: read, write, checkpoint, vacuum.
 */
export class DatabaseFiles {
  readonly #database: HeldFile;
  readonly #log: HeldFile;
  readonly #index: HeldFile;
  readonly #wal: number;
  readonly #shm: number;
  readonly #hasExactTimes: boolean;
  readonly #rescue: DatabaseFilesOptions['rescue'];
  #seen: Seen | undefined;
  #lost: FileProblem | undefined;
  #needsRescue = false;

  /** Called when a connection of this thread has read from the database: then all three are there. */
  constructor(file: string, options: DatabaseFilesOptions = {}) {
    // As SQLite does: the log lies beside the file itself, not beside a link to it.
    const real = realpathSync(file);
    this.#database = new HeldFile(file);
    this.#log = new HeldFile(`${real}-wal`);
    this.#index = new HeldFile(`${real}-shm`);
    this.#hasExactTimes = process.platform === 'linux' && LOCAL_DISKS.has(statfsSync(real).type);
    this.#wal = openSync(this.#log.path, 'r');
    this.#shm = openSync(this.#index.path, 'r');
    this.#rescue = options.rescue;
    const found = this.#look();
    if (found?.isFinal === true) this.#lost = found;
  }

  /** of the database */
  get path(): string {
    return this.#database.path;
  }

  /** Why nothing may be written any more, and nothing that was is promised. Once final, for good. */
  problem(): FileProblem | undefined {
    if (this.#lost === undefined) {
      const found = this.#look();
      if (found === undefined || !found.isFinal) return found;
      this.#lost = found;
    }
    if (this.#needsRescue) this.#needsRescue = this.#rescue?.() === false;
    return this.#lost;
  }

  /**
   * Whether even reading would harm: what SQLite has mapped into memory ends before its end. Looks now, at the file that
   * is mapped, whatever its name leads to.
   */
  isUnreadable(): boolean {
    return fstatSync(this.#shm).size < SHM_BYTES;
  }

  /** After the last connection was closed. */
  close(): void {
    closeSync(this.#wal);
    // SECURITY: this process may still have locks on `-shm`, and closing it drops them. It is removed with the last connection.
    leftOpen.add(this.#shm);
    for (const descriptor of leftOpen) {
      if (fstatSync(descriptor).nlink > 0) continue;
      closeSync(descriptor);
      leftOpen.delete(descriptor);
    }
  }

  #look(): FileProblem | undefined {
    const database = this.#database.look();
    const index = this.#index.look();
    const log = this.#log.look();
    if (!isProblem(index) && index.size < SHM_BYTES) return tampered(this.#index.path, 'was cut off');
    if (isProblem(database)) return database;
    if (isProblem(index)) return index;
    if (!isProblem(log)) return this.#lookInside(database, log.size);
    this.#needsRescue = log.isFinal;
    return log;
  }

  /** `logBytes` is from before the index was read: a log that grew since looks cut off, and is measured again. */
  #lookInside(first: Stats, logBytes: number): FileProblem | undefined {
    let before: WalIndex | undefined;
    let database: Stats | FileProblem = first;
    let bytes = logBytes;
    for (let times = 0; times < LOOKS; times += 1) {
      // INVARIANT: the database before the index, which says first that somebody is about to copy into it.
      if (times > 0) database = this.#database.look();
      if (isProblem(database)) return database;
      const index = readWalIndex(this.#shm);
      if (index === undefined) continue;
      if (times > 0) bytes = fstatSync(this.#wal).size;
      const problem = this.#compare(database, index, bytes);
      if (problem === undefined) return this.#remember(database, index);
      // Who begins the log anew says so in the index first: only an index that stays as it was proves anything.
      if (before !== undefined && isSameIndex(before, index)) return problem;
      before = index;
    }
    return undefined;
  }

  /**
   * INVARIANT: the time that is kept was read after the index that is kept. Of a copy that ended between the two, the
   * other way round, the index would know and the time would not, and the next look would find a change by nobody.
   */
  #remember(database: Stats, index: WalIndex): FileProblem | undefined {
    const seen = this.#seen;
    const isQuiet = seen !== undefined && isSameCopy(seen.index, index) && seen.mtimeMs === database.mtimeMs;
    const after = isQuiet ? database : this.#database.look();
    if (isProblem(after)) return after;
    this.#seen = { size: after.size, mtimeMs: after.mtimeMs, index };
    return undefined;
  }

  #compare({ size, mtimeMs }: Stats, index: WalIndex, logBytes: number): FileProblem | undefined {
    const seen = this.#seen;
    const logIsWhole =
      hasLastFrame(this.#wal, logBytes, index) &&
      // What was there is never written again, unless the log is begun anew: no hole before what came since.
      (seen === undefined ||
        seen.index.salts !== index.salts ||
        seen.index.frames === index.frames ||
        hasLastFrame(this.#wal, logBytes, seen.index));
    if (!logIsWhole) return tampered(this.#log.path, 'was cut off or overwritten');
    if (seen === undefined || !this.#hasExactTimes) return undefined;
    const isSame = seen.size === size && seen.mtimeMs === mtimeMs;
    const isCopying = index.copying !== index.copied || !isSameCopy(seen.index, index);
    return isSame || isCopying ? undefined : tampered(this.#database.path, 'was overwritten');
  }
}
