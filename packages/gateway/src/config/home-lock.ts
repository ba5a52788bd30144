import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SallyportError } from '@sallyport/protocol';
import { type FileProblem, HeldFile, isProblem } from '../shared/held-file.ts';
import { makeOwnFile } from '../shared/sqlite/sqlite-connection.ts';
import { writeFileAtomically } from './secret-file.ts';

/** This process is the only gateway on its home until `release`. */
export interface HomeLock {
  /** Why another gateway could take the home too: the file of the lock is not there any more. */
  problem(): FileProblem | undefined;
  release(): void;
}

const SQLITE_BUSY = 5;

/**
 * Takes the home for this process. Throws `HomeInUse`, with the pid of the holder, when another has it.
 *
 * The lock is one that the kernel keeps for the process (SQLite's exclusive lock on `gateway.lock`), so that
 * it ends with the process however that ends: there is no stale lock to take over after `kill -9`, and a
 * reused pid cannot be mistaken for a running gateway. `gateway.pid` only serves the message.
 *
 * INVARIANT: nothing else in this process opens `gateway.lock`; closing any descriptor of it would drop the
 * lock (POSIX).
 */
export function takeHomeLock(home: string): HomeLock {
  const pidFile = join(home, 'gateway.pid');
  const lockFile = join(home, 'gateway.lock');
  const db = openLockFile(lockFile);
  try {
    // In memory: nothing is ever written, so there is no journal to leave behind.
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (cause) {
    db.close();
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY) {
      throw inUse(home, pidFile);
    }
    throw unusable(home, cause);
  }
  writeFileAtomically(pidFile, `${process.pid}\n`);
  let held = true;
  const file = new HeldFile(lockFile);
  let lost: FileProblem | undefined;
  return {
    problem() {
      const found = lost ?? file.look();
      if (!isProblem(found)) return undefined;
      if (found.isFinal) lost = found;
      return found;
    },
    release() {
      if (!held) return;
      held = false;
      rmSync(pidFile, { force: true });
      db.close();
    },
  };
}

function openLockFile(file: string): DatabaseSync {
  try {
    makeOwnFile(file);
    return new DatabaseSync(file, { timeout: 0 });
  } catch (cause) {
    throw unusable(file, cause);
  }
}

function inUse(home: string, pidFile: string): SallyportError {
  const pid = readPid(pidFile);
  return new SallyportError('HomeInUse', {
    message: `another gateway${pid === undefined ? '' : ` (pid ${pid})`} uses the home \`${home}\``,
    hint: 'stop it with `sallyport stop`, or give this one another home with SALLYPORT_HOME',
    ...(pid === undefined ? {} : { details: { pid } }),
  });
}

function readPid(pidFile: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8').trim());
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function unusable(path: string, cause: unknown): SallyportError {
  return new SallyportError('HomeUnusable', {
    message: `the lock of the home cannot be taken in \`${path}\``,
    hint: 'check that the folder belongs to you and is on a local disk',
    cause,
  });
}
