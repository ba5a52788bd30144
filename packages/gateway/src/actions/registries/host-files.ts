import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The host's files as discovery sees them: read-only, and anything that cannot be read is simply not there. */
export interface HostFiles {
  /** whole file, if it is one and not larger than `maxBytes` */
  readonly bytes: (path: string, maxBytes?: number) => Buffer | undefined;
  readonly text: (path: string) => string | undefined;
  /** names in a folder, sorted */
  readonly list: (path: string) => readonly string[];
  /** where a path leads after symbolic links */
  readonly real: (path: string) => string | undefined;
}

const MAX_CONFIG_BYTES = 4 * 1_048_576;

/** The files below `root`, addressed as if it were `/`. */
export function hostFiles(root = '/'): HostFiles {
  const at = (path: string): string => join(root, path);
  const bytes = (path: string, maxBytes = MAX_CONFIG_BYTES): Buffer | undefined =>
    attempt(() => {
      const stat = statSync(at(path));
      return stat.isFile() && stat.size <= maxBytes ? readFileSync(at(path)) : undefined;
    });
  return {
    bytes,
    text: (path) => bytes(path)?.toString('utf8'),
    list: (path) => attempt(() => readdirSync(at(path)).sort()) ?? [],
    real: (path) =>
      attempt(() => {
        if (!existsSync(at(path))) return undefined;
        const real = realpathSync(at(path));
        const base = realpathSync(root);
        return base === '/' ? real : real.startsWith(`${base}/`) ? real.slice(base.length) : undefined;
      }),
  };
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    // Missing, forbidden, a loop: a client that cannot be read is a client that is not there.
    return undefined;
  }
}
