import {
  closeSync,
  constants,
  fchmod,
  fchown,
  fdatasync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  read,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  write,
} from 'node:fs';
import { promisify } from 'node:util';
import { SallyportError } from '@sallyport/protocol';
import { type EntryName, isPlainName } from './volume-map.ts';

// INVARIANT: this is the only file of this folder in which a path reaches the file system. Every path here is
// `/proc/self/fd/N/name`: a folder that is held open, and one name in it. The kernel resolves nothing else, so
// nothing that is renamed or linked meanwhile can lead the last step elsewhere.

const { O_CREAT, O_EXCL, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
/** A descriptor of the place itself: opens nothing, so that a fifo cannot block and a device cannot react. */
const O_PATH = 0o10000000;

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

/** What one name in a folder is, without following it. */
export interface EntryFacts {
  readonly kind: EntryKind;
  /** bytes of a file */
  readonly size: number;
  /** names that the file has, in this folder and elsewhere */
  readonly names: number;
  /** permission bits, without set-uid and its like */
  readonly mode: number;
  /** ms since epoch */
  readonly changedAt: number;
}

/** Somebody changed what stands at a name between two looks, or it was a link from the start. */
export function leadsAway(name: string): SallyportError {
  return new SallyportError('PathOutsideBoundary', {
    message: `\`${name}\` is a symlink, and links are not followed while a file is opened`,
    hint: 'name the place itself',
  });
}

/** A folder that is held open by its descriptor: it stays the same folder, whatever happens to its name. */
export class HeldFolder implements Disposable {
  readonly #fd: number;
  #isOpen = true;

  private constructor(fd: number) {
    this.#fd = fd;
  }

  /** The folder that an operator named. Links in that path are the operator's own and are followed. */
  static openReal(path: string): { readonly folder: HeldFolder; readonly real: string } {
    const real = realpathSync.native(path);
    let folder = new HeldFolder(openSync('/', O_PATH));
    for (const part of real.split('/').filter((name) => name !== '')) {
      const above = folder;
      try {
        folder = above.enter(part);
      } finally {
        above[Symbol.dispose]();
      }
    }
    return { folder, real };
  }

  /** Where an operator's path leads; as it is written when nothing is there. */
  static realPath(path: string): string {
    try {
      return realpathSync.native(path);
    } catch {
      return path;
    }
  }

  /** Whether it was removed: what is held then is nowhere. */
  get isGone(): boolean {
    return fstatSync(this.#held).nlink === 0;
  }

  /** What stands at the name. Undefined when there is nothing. */
  look(name: EntryName): EntryFacts | undefined {
    const found = this.#place(name);
    if (found === undefined) return undefined;
    closeSync(found.fd);
    return found.facts;
  }

  /** The folder of that name. Throws for a link, a file, or nothing. */
  enter(name: string): HeldFolder {
    const found = this.find(name);
    if (found instanceof HeldFolder) return found;
    if (found === undefined) throw errno('ENOENT');
    throw found.kind === 'link' ? leadsAway(name) : errno('ENOTDIR');
  }

  /** One look: the folder, held, when it is one; its facts otherwise. */
  find(name: EntryName): HeldFolder | EntryFacts | undefined {
    const found = this.#place(name);
    if (found?.facts.kind === 'folder') return new HeldFolder(found.fd);
    if (found !== undefined) closeSync(found.fd);
    return found?.facts;
  }

  /** Where a link points, as it is written. */
  readLink(name: string): string {
    return readlinkSync(this.#at(name));
  }

  /** Opens a file to read. Throws for anything that is not a plain file with one name. */
  openFile(name: string): HeldFile {
    const found = this.#place(name);
    if (found === undefined) throw errno('ENOENT');
    try {
      refuseUnusual(name, found.facts);
      // The descriptor of the place leads to the very file that was looked at, whatever has the name now.
      const fd = openSync(`/proc/self/fd/${found.fd}`, O_RDONLY | O_NONBLOCK | O_NOCTTY);
      return new HeldFile(fd);
    } finally {
      closeSync(found.fd);
    }
  }

  /** A new file that only its owner can read until it is finished. Throws when the name is taken. */
  makeFile(name: string): HeldFile {
    return new HeldFile(openSync(this.#at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NOCTTY, 0o600));
  }

  /** Gives the file its final name, in place of what has it. */
  replace(from: string, to: string): void {
    renameSync(this.#at(from), this.#at(to));
  }

  /** Gives the file its final name unless something has it: then it throws. */
  give(from: string, to: string): void {
    linkSync(this.#at(from), this.#at(to));
    unlinkSync(this.#at(from));
  }

  makeFolder(name: string): HeldFolder {
    mkdirSync(this.#at(name), 0o700);
    return this.enter(name);
  }

  /** Its own owner and mode. */
  asFile(): HeldFile {
    return new HeldFile(openSync(`/proc/self/fd/${this.#held}`, O_RDONLY));
  }

  removeFile(name: EntryName): void {
    unlinkSync(this.#at(name));
  }

  removeFolder(name: string): void {
    rmdirSync(this.#at(name));
  }

  /** Names in it, in no order, a few at a time. */
  *names(): Generator<EntryName> {
    // One character for each byte: what is not UTF-8 must not be lost, or it would be counted by nobody.
    const folder = opendirSync(`/proc/self/fd/${this.#held}`, { bufferSize: 256, encoding: 'latin1' });
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) yield nameOf(entry.name);
    } finally {
      folder.closeSync();
    }
  }

  /** As `look`, for names that came from `names`: nothing is opened. */
  factsOf(name: EntryName): EntryFacts | undefined {
    const stats = lstatSync(this.#at(name), { throwIfNoEntry: false });
    return stats && toFacts(stats);
  }

  [Symbol.dispose](): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#fd);
  }

  #place(name: EntryName): { readonly fd: number; readonly facts: EntryFacts } | undefined {
    let fd: number;
    try {
      // SECURITY: without O_NOFOLLOW a link that was put here a moment ago would be followed out of the volume [TO-5].
      fd = openSync(this.#at(name), O_PATH | O_NOFOLLOW);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    try {
      return { fd, facts: toFacts(fstatSync(fd)) };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  #at(name: EntryName): EntryName {
    // SECURITY: the last line before the kernel: one name, never a way [TO-4].
    if (!isPlainName(name)) throw new SallyportError('PathTraversalAttempt');
    const folder = `/proc/self/fd/${this.#held}/`;
    return typeof name === 'string' ? `${folder}${name}` : Buffer.concat([Buffer.from(folder), name]);
  }

  /** SECURITY: a number that was given back may be somebody else's folder by now. */
  get #held(): number {
    if (this.#isOpen) return this.#fd;
    throw new SallyportError('Unavailable', { message: 'the folder of the volume was removed meanwhile' });
  }
}

const readAt = promisify(read);
const writeAt = promisify(write);
const setMode = promisify(fchmod);
const setOwner = promisify(fchown);
const flush = promisify(fdatasync);

/** Who a new file or folder belongs to, and who may do what with it. */
export interface Ownership {
  readonly mode: number;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
}

/** An open file. What is done to it is done to this file, whatever has its name now. */
export class HeldFile implements Disposable {
  readonly #fd: number;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** bytes, now */
  get size(): number {
    return fstatSync(this.#fd).size;
  }

  /** As many bytes as there are from `offset` on, `length` at most. */
  async read(offset: number, length: number): Promise<Buffer> {
    const room = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.size - offset)));
    let filled = 0;
    while (filled < room.length) {
      const { bytesRead } = await readAt(this.#fd, room, filled, room.length - filled, offset + filled);
      if (bytesRead === 0) break; // it became shorter meanwhile
      filled += bytesRead;
    }
    return room.subarray(0, filled);
  }

  async write(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      signal.throwIfAborted();
      const { bytesWritten } = await writeAt(this.#fd, bytes, at, Math.min(bytes.length - at, CHUNK), null);
      at += bytesWritten;
    }
  }

  async own({ mode, uid, gid }: Ownership): Promise<void> {
    // First the owner: the kernel takes set-uid and its like away then, and they are never given here.
    if (uid !== undefined || gid !== undefined) await setOwner(this.#fd, uid ?? KEEP, gid ?? KEEP);
    await setMode(this.#fd, mode & 0o777);
  }

  /** Its bytes are on the disk: a name that it gets now survives a power cut with them. */
  async flush(): Promise<void> {
    await flush(this.#fd);
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
}

const CHUNK = 1024 * 1024;
/** `-1` of chown(2): leave this one as it is. */
const KEEP = 0xffff_ffff;

/** Throws for what is no file of this volume alone: links, fifos, sockets, devices, files with a second name. */
export function refuseUnusual(name: string, { kind, names }: EntryFacts): void {
  if (kind === 'folder') throw errno('EISDIR');
  if (kind === 'link') throw leadsAway(name);
  // SECURITY: a second name may stand outside the volume, where its file is none of ours.
  if (kind === 'other' || names > 1) {
    throw new SallyportError('PathOutsideBoundary', {
      message:
        kind === 'other' ? `\`${name}\` is not a plain file` : `\`${name}\` is a file with several names`,
      hint: 'only plain files with one name can be used here',
    });
  }
}

function nameOf(bytes: string): EntryName {
  const name = Buffer.from(bytes, 'latin1');
  const text = name.toString();
  return name.equals(Buffer.from(text)) ? text : name;
}

function toFacts(stats: Stats): EntryFacts {
  const kind = stats.isFile()
    ? 'file'
    : stats.isDirectory()
      ? 'folder'
      : stats.isSymbolicLink()
        ? 'link'
        : 'other';
  return {
    kind,
    size: kind === 'file' ? stats.size : 0,
    names: stats.nlink,
    mode: stats.mode & 0o777,
    changedAt: stats.mtimeMs,
  };
}

function errno(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}
