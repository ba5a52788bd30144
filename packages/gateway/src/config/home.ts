import { accessSync, chmodSync, constants, existsSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { SallyportError } from '@sallyport/protocol/error';
import { checkSocketPath, operatorSocketPath } from './socket-folder.ts';
import type { Variables } from './source/expand-variables.ts';

/** Every file that the gateway keeps, as absolute paths. Names are fixed: people and scripts rely on them. */
export interface HomePaths {
  readonly home: string;
  /** the config in force: in the home, or where a flag or variable says */
  readonly config: string;
  readonly operatorToken: string;
  readonly apiKey: string;
  readonly enrollmentSecret: string;
  readonly inboxSecret: string;
  readonly caKey: string;
  readonly caCertificate: string;
  readonly sshHostKey: string;
  readonly auditKey: string;
  readonly auditJournal: string;
  readonly auditFolder: string;
  readonly database: string;
  readonly runtime: string;
  /** in the home, or in the runtime folder when the home's path is too long for a socket or its disk takes none */
  readonly operatorSocket: string;
}

export interface HomeFlags {
  readonly home?: string;
  readonly config?: string;
}

/** Where everything is: flags before variables (`SALLYPORT_HOME`, `SALLYPORT_CONFIG`) before `~/.sallyport`. */
export function resolveHome(env: Variables, flags: HomeFlags = {}): HomePaths {
  const home = resolve(flags.home ?? nonEmpty(env.SALLYPORT_HOME) ?? join(userHome(env), '.sallyport'));
  const inHome = (name: string) => join(home, name);
  return Object.freeze({
    home,
    config: resolve(flags.config ?? nonEmpty(env.SALLYPORT_CONFIG) ?? inHome('sallyport.yaml')),
    operatorToken: inHome('operator.token'),
    apiKey: inHome('api.key'),
    enrollmentSecret: inHome('enrollment.secret'),
    inboxSecret: inHome('inbox.secret'),
    caKey: inHome('ca.key'),
    caCertificate: inHome('ca.pem'),
    sshHostKey: inHome('ssh_host_ed25519_key'),
    auditKey: inHome('audit.key'),
    auditJournal: inHome('audit.journal'),
    auditFolder: inHome('audit'),
    database: inHome('sallyport.db'),
    runtime: inHome('runtime.json'),
    operatorSocket: operatorSocketPath(home, env),
  });
}

function userHome(env: Variables): string {
  return nonEmpty(env.HOME) ?? homedir();
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value;
}

/**
 * Makes the home and its folders, mode 0700. Refuses with `HomeUnusable` what cannot be made safe: a disk
 * that is read-only, something that is no folder, a folder of someone else, one that others may write to, a
 * path too long for the operator's socket.
 */
export function prepareHome(paths: HomePaths): void {
  checkSocketPath(paths.operatorSocket);
  for (const folder of new Set([paths.home, paths.auditFolder, dirname(paths.operatorSocket)])) {
    prepareFolder(folder);
  }
}

function prepareFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw homeFailure(folder, error);
  }
  const problem = inspectFolder(folder);
  if (problem !== undefined) throw problem;
  try {
    accessSync(folder, constants.W_OK);
    // SECURITY: the database and the logs are as private as this folder is.
    if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
  } catch (error) {
    throw homeFailure(folder, error);
  }
}

/** Makes a folder and those above it. Node's own `recursive` never ends where a parent takes no folders (`/proc`). */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || existsSync(dirname(folder))) throw error;
    makeFolder(dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  }
}

/** What forbids to keep secrets in a folder that exists; undefined when nothing does. Changes nothing. */
export function inspectFolder(folder: string): SallyportError | undefined {
  let stats: Stats;
  let parent: Stats;
  try {
    stats = statSync(folder);
    parent = statSync(dirname(folder));
  } catch (error) {
    return homeFailure(folder, error);
  }
  if (!stats.isDirectory()) return homeFailure(folder, { code: 'ENOTDIR' });
  const me = process.getuid?.();
  if (me !== undefined && stats.uid !== me) {
    return unusable(
      `\`${folder}\` belongs to another user (uid ${stats.uid})`,
      'run as that user, or choose another folder with SALLYPORT_HOME',
    );
  }
  if ((stats.mode & 0o022) !== 0) {
    return unusable(`others may write to \`${folder}\``, `run \`chmod 700 ${folder}\``);
  }
  // SECURITY: who may rename the folder may put another in its place; a sticky parent (`/tmp`) forbids that.
  if ((parent.mode & 0o002) !== 0 && (parent.mode & 0o1000) === 0) {
    return unusable(
      `everyone may replace \`${folder}\`, because its parent is open to all`,
      `run \`chmod o-w ${dirname(folder)}\`, or choose another folder with SALLYPORT_HOME`,
    );
  }
  return undefined;
}

/** Says why a folder cannot be used, from the code that the system gave. */
export function homeFailure(folder: string, error: unknown): SallyportError {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown';
  switch (code) {
    case 'EROFS':
      return unusable(`\`${folder}\` is on a read-only disk`, 'choose another folder with SALLYPORT_HOME');
    case 'ENOTDIR':
    case 'EEXIST':
      return unusable(
        `\`${folder}\` is not a folder, or part of its path is not`,
        'move the file away, or choose another folder with SALLYPORT_HOME',
      );
    case 'EACCES':
    case 'EPERM':
      return unusable(`\`${folder}\` may not be written to`, 'check who owns it and the folders above it');
    case 'ENOSPC':
    case 'EDQUOT':
      return unusable(`no space is left for \`${folder}\``, 'free some disk space');
    case 'ENOTCONN':
    case 'ESTALE':
    case 'EIO':
    case 'ETIMEDOUT':
    case 'EHOSTDOWN':
      return unusable(
        `the disk of \`${folder}\` does not answer (${code})`,
        'mount it again, or choose another folder with SALLYPORT_HOME',
      );
    // open: any error of the system
    default:
      return unusable(`\`${folder}\` cannot be used (${code})`, 'choose another folder with SALLYPORT_HOME');
  }
}

function unusable(message: string, hint: string): SallyportError {
  return new SallyportError('HomeUnusable', { message, hint });
}
