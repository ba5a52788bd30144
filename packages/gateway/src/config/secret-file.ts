import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import { Secret } from '../shared/secret.ts';
import { isHeldBySqlite } from '../shared/sqlite/held-by-sqlite.ts';

const MOST_BYTES = 65_536;

/**
 * Reads a file that holds one secret; one line end at its end is not part of it.
 *
 * Refuses with `SecretExposed` when anyone but its owner may touch the file, or it belongs to another user;
 * with `SecretUnreadable` when it is missing, empty, too large or no regular file. No error holds the value.
 */
export function readSecretFile(path: string): Secret {
  if (isHeldBySqlite(path)) throw unreadable(path, 'is a file of the database');
  const fd = openForReading(path);
  try {
    // SECURITY: the open file is checked, not the path, which could lead elsewhere a moment later.
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw unreadable(path, 'is not a regular file');
    if ((stats.mode & 0o077) !== 0) {
      throw new SallyportError('SecretExposed', {
        message: `the secret file \`${path}\` can be read or changed by others`,
        hint: `run \`chmod 600 ${path}\`, and replace the secret if others saw it`,
      });
    }
    const me = process.getuid?.();
    if (me !== undefined && stats.uid !== me && stats.uid !== 0) {
      throw new SallyportError('SecretExposed', {
        message: `the secret file \`${path}\` belongs to another user (uid ${stats.uid})`,
        hint: 'make a copy that belongs to you, mode 600',
      });
    }
    const buffer = Buffer.alloc(MOST_BYTES + 1);
    let length = 0;
    for (let got = -1; got !== 0 && length < buffer.length; length += got) {
      got = readSync(fd, buffer, length, buffer.length - length, null);
    }
    if (length > MOST_BYTES) throw unreadable(path, 'is larger than 64 KiB');
    return new Secret(decode(path, buffer.subarray(0, length)));
  } catch (error) {
    throw error instanceof SallyportError ? error : unreadable(path, `cannot be read (${codeOf(error)})`);
  } finally {
    closeSync(fd);
  }
}

function openForReading(path: string): number {
  try {
    // Without blocking: a pipe in place of the file must not hang the gateway.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    const code = codeOf(error);
    throw unreadable(path, code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`);
  }
}

function decode(path: string, bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
  } catch {
    throw unreadable(path, 'is not UTF-8 text');
  }
  if (text.trim() === '') throw unreadable(path, 'is empty');
  if (text.includes('\0')) throw unreadable(path, 'holds a NUL byte');
  return text;
}

export interface WriteSecretOptions {
  /** refuse with `SecretUnreadable` when the file exists already, also when it came to be just now */
  readonly exclusive?: boolean;
}

/** Writes a secret with a line end, mode 0600, as a whole or not at all, on disk before it returns. */
export function writeSecretFile(path: string, value: Secret, options: WriteSecretOptions = {}): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const fd = openSync(temporary, 'wx', 0o600);
    try {
      // The mode of `open` is cut by the umask; this one is not.
      fchmodSync(fd, 0o600);
      writeFileSync(fd, `${value.reveal()}\n`);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    // A link fails when the name is taken, a rename replaces it; both happen at once.
    if (options.exclusive === true) linkSync(temporary, path);
    else renameSync(temporary, path);
    syncFolder(dirname(path));
  } catch (error) {
    const code = codeOf(error);
    throw new SallyportError('SecretUnreadable', {
      message: `the secret file \`${path}\` ${code === 'EEXIST' ? 'exists already' : `cannot be written (${code})`}`,
    });
  } finally {
    removeQuietly(temporary);
  }
}

/** After a rename there is nothing left to remove; after a failure its own error counts. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The name was random and the folder is private: what is left behind harms nobody.
  }
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function unreadable(path: string, what: string): SallyportError {
  return new SallyportError('SecretUnreadable', { message: `the secret file \`${path}\` ${what}` });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

/** Replaces a file as a whole, mode 0600: a reader sees the old text or the new one, never a part. */
export function writeFileAtomically(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  rmSync(temporary, { force: true });
  const descriptor = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, file);
}
