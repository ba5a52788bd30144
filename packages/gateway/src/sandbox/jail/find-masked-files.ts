import { type Dirent, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { SallyportError } from '@sallyport/protocol/error';
import { contains } from './jail-paths.ts';
import { isEnvFile } from './well-known-secrets.ts';

/** Folders that hold other people's packages or a history, and no `.env` of this project. */
const PASSED_OVER = new Set([
  'node_modules',
  '.git',
  '.hg',
  '.venv',
  'venv',
  '__pycache__',
  'target',
  '.cache',
]);
/** Half a minute's search on a good disk: what is larger is no project. */
const FOLDERS_AT_MOST = 1_000_000;

interface Search {
  readonly envFiles: boolean;
  /** roots whose folders are walked; in the others only sockets that somebody has open are found */
  readonly walked: readonly string[];
}

/**
 * Files below the bound paths that must not be seen: unix sockets of the host, and `.env` files when masked.
 *
 * SECURITY: a unix socket in a bound folder leads out of the jail past the gateway, whatever its network.
 * Throws `SandboxRefused` when there are too many folders to be sure, or one that its disk does not give.
 */
export function findMaskedFiles(roots: readonly string[], search: Search): readonly string[] {
  const found = new Set<string>();
  const queue = [...search.walked];
  for (let seen = 0; ; seen += 1) {
    const folder = queue.pop();
    if (folder === undefined) break;
    if (seen > FOLDERS_AT_MOST) throw tooMany(roots);
    for (const entry of list(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!PASSED_OVER.has(entry.name)) queue.push(path);
      } else if (entry.isSocket() || (search.envFiles && isEnvFile(entry.name))) {
        // A link is masked at what it leads to: a mount over a link would follow it.
        const real = entry.isSymbolicLink() ? realOf(path) : path;
        if (real !== undefined && roots.some((root) => contains(root, real))) found.add(real);
      }
    }
  }
  for (const path of listeningSockets()) {
    const real = realOf(path);
    if (real !== undefined && roots.some((root) => contains(root, real))) found.add(real);
  }
  return [...found].sort();
}

/** Paths of the unix sockets that somebody has open: also those in the folders that are passed over. */
function listeningSockets(): readonly string[] {
  // macOS has no such list: there the profile denies every connection to a unix socket.
  if (process.platform !== 'linux') return [];
  const lines = readFileSync('/proc/net/unix', 'utf8').split('\n');
  return lines
    .map((line) => /^\S+(?: \S+){5} +\d+ (\/.*)$/.exec(line)?.[1] ?? '')
    .filter((path) => path !== '');
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    // Not readable for this user: then not for the agent either, who is the same user. Or gone in the meantime.
    if (['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'].includes(code)) return [];
    // SECURITY: a disk that fails now, as one over a network may, can answer again once the agent looks.
    throw new SallyportError('SandboxRefused', {
      message: `\`${folder}\` cannot be searched for \`.env\` files (${code})`,
      hint: 'see that its disk answers (`ls`), then try again',
      cause,
    });
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function tooMany(roots: readonly string[]): SallyportError {
  return new SallyportError('SandboxRefused', {
    message: `there are more than ${FOLDERS_AT_MOST} folders below \`${roots.join('`, `')}\` to search for \`.env\` files`,
    hint: 'start in a smaller folder',
  });
}
