import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  futimesSync,
  linkSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  type Stats,
  statfsSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';

// INVARIANT: this is the only file of this folder in which a path of a workspace reaches the file system. Every path is
// `/proc/self/fd/N/name`: a folder that is held open, and one name in it. The kernel resolves nothing else, so that
// nothing that an agent renames or links meanwhile leads out of the workspace [WO-1].

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;
/** A descriptor of the place itself: opens nothing, so that a fifo cannot block and a device cannot react. */
const O_PATH = 0o10000000;
/** `-1` of chown(2): leave this one as it is. */
const KEEP = 0xffff_ffff;
const FLUSH_MS = 10_000;
const PLAIN = /^[\x20-\x7e]*$/;

/**
 * A name, a path or the target of a link as one character for each byte: what is not UTF-8 is not lost, and the order of
 * such texts is the order of their bytes.
 */
export type Bytes = string;

export function bytesOf(text: Bytes): Buffer {
  return Buffer.from(text, 'latin1');
}

/** A folder that is held open by its descriptor: it stays the same folder, whatever happens to its name. */
export class HeldFolder implements Disposable {
  readonly #fd: number;
  readonly #prefix: string;

  private constructor(fd: number) {
    this.#fd = fd;
    this.#prefix = `/proc/self/fd/${fd}/`;
  }

  /** The folder at a path without links. Throws `ELOOP` or `ENOTDIR` for a link on the way, `ENOENT` for nothing. */
  static open(path: string): HeldFolder {
    let fd = openSync('/', O_PATH);
    for (const part of path.split('/').filter((name) => name !== '')) {
      const above = fd;
      try {
        fd = openSync(`/proc/self/fd/${above}/${part}`, O_PATH | O_DIRECTORY | O_NOFOLLOW);
      } finally {
        closeSync(above);
      }
    }
    try {
      // `.`: of this very folder, and by no name that could have changed.
      return new HeldFolder(openSync(`/proc/self/fd/${fd}/.`, O_RDONLY | O_DIRECTORY));
    } finally {
      closeSync(fd);
    }
  }

  get own(): Stats {
    return fstatSync(this.#fd);
  }

  /** number of the kind of file system (`statfs(2)`) */
  get disk(): number {
    return statfsSync(`${this.#prefix}.`).type;
  }

  /** Names in it, in no order. */
  *names(): Generator<Bytes> {
    const folder = opendirSync(`${this.#prefix}.`, { bufferSize: 256, encoding: 'latin1' });
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) yield entry.name;
    } finally {
      folder.closeSync();
    }
  }

  /** What stands at the name, without following it. Undefined when there is nothing. */
  look(name: Bytes): Stats | undefined {
    return lstatSync(this.#at(name), { throwIfNoEntry: false });
  }

  /** The number of a file where the usual one is not exact. */
  inode(name: Bytes): bigint | undefined {
    return lstatSync(this.#at(name), { bigint: true, throwIfNoEntry: false })?.ino;
  }

  /** The folder of that name. Throws for a link, a file, or nothing. */
  enter(name: Bytes): HeldFolder {
    return new HeldFolder(openSync(this.#at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  }

  readLink(name: Bytes): Bytes {
    return readlinkSync(this.#at(name), { encoding: 'latin1' });
  }

  /** Opens a file to read. Throws for a link; whoever asks looks at what it is. */
  openFile(name: Bytes): HeldFile {
    return new HeldFile(openSync(this.#at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  }

  /** All of a small file; undefined when there is none, it is larger, or it cannot be read. */
  readSmall(name: Bytes, mostBytes: number): Buffer | undefined {
    try {
      using file = this.openFile(name);
      const { size } = file.stats;
      if (!file.stats.isFile() || size > mostBytes) return undefined;
      const room = Buffer.alloc(size);
      return room.subarray(0, file.read(room, 0));
    } catch {
      return undefined;
    }
  }

  /** A new file, for its owner alone. Throws when the name is taken. */
  makeFile(name: Bytes): HeldFile {
    return new HeldFile(openSync(this.#at(name), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_NOCTTY, 0o600));
  }

  makeFolder(name: Bytes): void {
    mkdirSync(this.#at(name), 0o700);
  }

  makeLink(name: Bytes, target: Bytes): void {
    symlinkSync(bytesOf(target), this.#at(name));
  }

  /** Node has no call for it; the program is the system's own, and nothing but a name of ours reaches it. */
  makeFifo(name: Bytes): void {
    const program = ['/usr/bin/mkfifo', '/bin/mkfifo'].find((path) => existsSync(path));
    if (program === undefined) throw Object.assign(new Error('there is no mkfifo'), { code: 'ENOSYS' });
    const place = `/proc/${process.pid}/fd/${this.#fd}/${name}`;
    const { status, stderr } = spawnSync(program, ['-m', '600', '--', place], { env: {}, encoding: 'utf8' });
    if (status !== 0) throw Object.assign(new Error(`mkfifo: ${stderr.trim()}`), { code: 'EIO' });
  }

  /** What was written here is on the disk, as far as the system's own program for that is there and done in time. */
  flushDisk(): void {
    const program = ['/usr/bin/sync', '/bin/sync'].find((path) => existsSync(path));
    if (program === undefined) return;
    spawnSync(program, ['-f', '--', `/proc/${process.pid}/fd/${this.#fd}`], { env: {}, timeout: FLUSH_MS });
  }

  /** Another name for a file of this or another folder. */
  linkFrom(folder: HeldFolder, existing: Bytes, name: Bytes): void {
    linkSync(folder.#at(existing), this.#at(name));
  }

  /** Gives it another name, in place of what has that. */
  rename(from: Bytes, to: Bytes): void {
    renameSync(this.#at(from), this.#at(to));
  }

  removeFile(name: Bytes): void {
    unlinkSync(this.#at(name));
  }

  removeFolder(name: Bytes): void {
    rmdirSync(this.#at(name));
  }

  /** Mode and owner of what is no link, by a descriptor of the place: it need not be readable. */
  setRights(name: Bytes, rights: Rights): void {
    const fd = openSync(this.#at(name), O_PATH | O_NOFOLLOW);
    try {
      const stats = fstatSync(fd);
      if (stats.isSymbolicLink()) throw Object.assign(new Error('a link'), { code: 'ELOOP' });
      give(stats, rights, (uid, gid) => chownSync(`/proc/self/fd/${fd}`, uid, gid));
      chmodSync(`/proc/self/fd/${fd}`, rights.mode);
    } finally {
      closeSync(fd);
    }
  }

  setOwnRights(rights: Rights): void {
    give(fstatSync(this.#fd), rights, (uid, gid) => fchownSync(this.#fd, uid, gid));
    fchmodSync(this.#fd, rights.mode);
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }

  #at(name: Bytes): string | Buffer {
    // SECURITY: the last line before the kernel: one name, never a way.
    if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes('\0'))
      throw new RangeError(`not a name: ${JSON.stringify(name)}`);
    // Most names are plain, and a text is quicker than bytes.
    return PLAIN.test(name) ? this.#prefix + name : Buffer.concat([Buffer.from(this.#prefix), bytesOf(name)]);
  }
}

/** Who may do what with a file or folder. */
export interface Rights {
  /** permission bits, with set-uid and its like */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** An open file. What is done to it is done to this file, whatever has its name now. */
export class HeldFile implements Disposable {
  readonly #fd: number;

  constructor(fd: number) {
    this.#fd = fd;
  }

  get stats(): Stats {
    return fstatSync(this.#fd);
  }

  /** Reads from `position` on; how many bytes came, 0 at the end. */
  read(room: Uint8Array, position: number): number {
    return readSync(this.#fd, room, 0, room.length, position);
  }

  write(bytes: Uint8Array, position: number): void {
    for (let at = 0; at < bytes.length; )
      at += writeSync(this.#fd, bytes, at, bytes.length - at, position + at);
  }

  setRights(rights: Rights): void {
    give(fstatSync(this.#fd), rights, (uid, gid) => fchownSync(this.#fd, uid, gid));
    // After the owner: the kernel takes set-uid and its like away when that changes.
    fchmodSync(this.#fd, rights.mode);
  }

  /** seconds since epoch */
  setTime(seconds: number): void {
    futimesSync(this.#fd, seconds, seconds);
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
}

/** As far as this process may give files away: an ordinary user may not, and owns what it makes. */
function give(has: Stats, { uid, gid }: Rights, change: (uid: number, gid: number) => void): void {
  if (has.uid === uid && has.gid === gid) return;
  try {
    change(has.uid === uid ? KEEP : uid, has.gid === gid ? KEEP : gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}
