import {
  closeSync,
  constants,
  type Dirent,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { SallyportError } from '@sallyport/protocol/error';
import { isInside } from '../../../shared/is-inside.ts';
import { LOOKED_AT_BYTES, showsSecret } from './secret-contents.ts';
import { type Look, type Place, placeBelow, suspectName } from './suspect-names.ts';

/** Half a minute's search on a good disk: what is larger is no project. */
const FOLDERS_AT_MOST = 1_000_000;
/** Each is a mount, which costs the more the more there are: two seconds for these. */
const MASKED_AT_MOST = 1_000;

export interface MaskSearch {
  /** whether files that look like secrets are masked; sockets always are */
  readonly secrets: boolean;
  /** roots whose folders are walked; in the others only sockets that somebody has open are found */
  readonly walked: readonly string[];
  /** real paths that are not masked, nor is what lies below them */
  readonly shown?: readonly string[];
  /** told of each folder that is walked, parents first: who else has to know spares a walk */
  readonly visit?: (folder: string, entries: readonly Dirent[]) => void;
}

export interface Masked {
  /** real paths that read as empty */
  readonly files: readonly string[];
  /** real paths of folders that could not be looked into: they are empty inside */
  readonly folders: readonly string[];
}

/**
 * Files below the bound paths that must not be seen: unix sockets of the host, and secrets by name and content.
 *
 * SECURITY: a unix socket in a bound folder leads out of the jail past the gateway, whatever its network.
 * SECURITY: every folder is walked, those that are rebuilt and git's own too: an agent can move a folder with a masked
 * file in it to wherever the next search would not look.
 * Throws `SandboxRefused` when it cannot be sure: too many folders, a disk that does not answer, a name that is no UTF-8.
 */
export function findMaskedFiles(roots: readonly string[], search: MaskSearch): Masked {
  const found = new Set<string>();
  const folders = new Set<string>();
  const isBound = (real: string): boolean => roots.some((root) => isInside(real, root));
  const isShown = (real: string): boolean => (search.shown ?? []).some((path) => isInside(real, path));
  const queue: Folder[] = search.walked.map((path) => ({ path, place: 'plain' }));
  for (let seen = 0; ; seen += 1) {
    const folder = queue.pop();
    if (folder === undefined) break;
    if (seen > FOLDERS_AT_MOST) throw tooManyFolders(roots);
    const entries = list(folder.path);
    if (entries === 'closed') {
      if (search.walked.includes(folder.path)) throw notSearched(folder.path, 'EACCES');
      if (search.secrets && !isShown(folder.path)) folders.add(folder.path);
      continue;
    }
    search.visit?.(folder.path, entries);
    const own = folder.path.slice(folder.path.lastIndexOf('/') + 1);
    for (const entry of entries) {
      const path = `${folder.path}/${entry.name}`;
      if (entry.isDirectory()) {
        queue.push({ path, place: placeBelow(folder.place, folder.path, entry.name) });
        checkName(entry.name, path);
      } else if (entry.isSocket()) found.add(path);
      else if (search.secrets) {
        const suspicion = suspectName(entry.name, own, folder.place);
        if (suspicion === undefined) continue;
        checkName(entry.name, path);
        // A link is masked at what it leads to: a mount over a link would follow it.
        const real = entry.isSymbolicLink() ? realOf(path) : path;
        if (real === undefined || !isBound(real) || isShown(real) || found.has(real)) continue;
        const target = entry.isSymbolicLink() ? statSync(real, { throwIfNoEntry: false }) : entry;
        if (target === undefined || target.isDirectory()) continue;
        // Whoever reads a pipe to look takes from whom it is for.
        if (suspicion === 'masked' || !target.isFile() || holdsSecret(real, suspicion)) found.add(real);
      }
    }
  }
  for (const path of listeningSockets()) {
    const real = realOf(path);
    if (real !== undefined && isBound(real)) found.add(real);
  }
  for (const other of otherNames(found, search.walked)) if (!isShown(other)) found.add(other);
  if (found.size > MASKED_AT_MOST) throw tooManyFiles(found);
  return { files: [...found].sort(), folders: [...folders].sort() };
}

interface Folder {
  readonly path: string;
  readonly place: Place;
}

const buffer = Buffer.alloc(LOOKED_AT_BYTES);

function holdsSecret(path: string, look: Look): boolean {
  try {
    // Without waiting: a pipe may have taken its place.
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const length = readSync(descriptor, buffer, 0, LOOKED_AT_BYTES, 0);
      return showsSecret(look, buffer.subarray(0, length));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return !isGone(error) && (!isDenied(error) || isOwn(path));
  }
}

/** SECURITY: the agent is the same user: what is its own it makes readable, whatever its mode is now. */
function isOwn(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

/**
 * A file may have a second name, under which it is just as readable. Rare, so that only then every file is looked at;
 * not so in `node_modules`, where package managers link each file to a store of theirs.
 */
function otherNames(found: ReadonlySet<string>, walked: readonly string[]): readonly string[] {
  const wanted = new Set<string>();
  for (const path of found) {
    const stats = path.includes('/node_modules/') ? undefined : lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() === true && stats.nlink > 1) wanted.add(identityOf(stats));
  }
  if (wanted.size === 0) return [];
  const names: string[] = [];
  for (const queue = [...walked]; ; ) {
    const folder = queue.pop();
    if (folder === undefined) return names;
    const entries = list(folder);
    for (const entry of entries === 'closed' ? [] : entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) queue.push(path);
      else if (entry.isFile()) {
        const stats = lstatSync(path, { throwIfNoEntry: false });
        if (stats !== undefined && stats.nlink > 1 && wanted.has(identityOf(stats))) names.push(path);
      }
    }
  }
}

function identityOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

/** Paths of the unix sockets that somebody has open: also those in folders that are not walked. */
function listeningSockets(): readonly string[] {
  // macOS has no such list: there the profile denies every connection to a unix socket.
  if (process.platform !== 'linux') return [];
  const lines = readFileSync('/proc/net/unix', 'utf8').split('\n');
  return lines
    .map((line) => /^\S+(?: \S+){5} +\d+ (\/.*)$/.exec(line)?.[1] ?? '')
    .filter((path) => path !== '');
}

/** `closed`: not readable now, and the agent's to open. */
function list(folder: string): Dirent[] | 'closed' {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    if (isGone(cause)) return [];
    // Not readable for this user, and not to be made so: then not for the agent either.
    if (isDenied(cause)) return isOwn(folder) ? 'closed' : [];
    // SECURITY: a disk that fails now, as one over a network may, can answer again once the agent looks.
    throw notSearched(folder, codeOf(cause), cause);
  }
}

function notSearched(folder: string, code: string, cause?: unknown): SallyportError {
  return new SallyportError('SandboxRefused', {
    message: `\`${folder}\` cannot be searched for secrets (${code})`,
    hint: 'see that you may read it and that its disk answers (`ls`), then try again',
    cause,
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

function isDenied(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(codeOf(error));
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error));
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** SECURITY: Node writes the bytes that are no UTF-8 otherwise, so that what is looked at and masked does not exist. */
function checkName(name: string, path: string): void {
  if (!name.includes('\ufffd') || lstatSync(path, { throwIfNoEntry: false }) !== undefined) return;
  throw new SallyportError('SandboxRefused', {
    message: `\`${path}\` has a name that is no UTF-8, so that it cannot be searched for secrets or masked`,
    hint: 'rename it, or start in another folder',
  });
}

function tooManyFolders(roots: readonly string[]): SallyportError {
  return new SallyportError('SandboxRefused', {
    message: `there are more than ${FOLDERS_AT_MOST} folders below \`${roots.join('`, `')}\` to search for secrets`,
    hint: 'start in a smaller folder',
  });
}

function tooManyFiles(found: ReadonlySet<string>): SallyportError {
  const [first = ''] = found;
  return new SallyportError('SandboxRefused', {
    message: `${found.size} files look like secrets, \`${first}\` for one, and ${MASKED_AT_MOST} can be masked`,
    hint: 'name folders whose files are no secrets with `--show FOLDER`, or start in a smaller folder',
  });
}
