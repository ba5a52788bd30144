import { posix } from 'node:path';
import type { ShellContext } from './shell-context.ts';
import type { Word } from './word.ts';

/** Folders in which a command may run; `undefined` when they cannot be known. */
export type Folders = readonly string[] | undefined;

const MAX_FOLDERS = 4;

/**
 * Where the next command runs. `cd` can fail, so after `cd a; b` there are two candidates, and after `cd a && b` one:
 * `folders` holds whatever the last status was, `onSuccess` if it was zero.
 */
export class CwdScope {
  folders: Folders;
  onSuccess: Folders;

  constructor(folders: Folders, onSuccess: Folders = folders) {
    this.folders = folders;
    this.onSuccess = onSuccess;
  }

  /** A subshell: what happens there stays there. */
  fork(): CwdScope {
    return new CwdScope(this.folders);
  }

  lose(): void {
    this.folders = undefined;
    this.onSuccess = undefined;
  }

  /** A command that does not move ran in `folders`. */
  stay(): void {
    this.onSuccess = this.folders;
  }

  /** `cd` and `pushd`. */
  move(args: readonly Word[], context: ShellContext): void {
    const targets = this.#targets(args, context);
    this.onSuccess = targets;
    this.folders = unite(this.folders, targets);
  }

  #targets(args: readonly Word[], { home, resolvePath }: ShellContext): Folders {
    const [target, ...more] = args;
    if (target === undefined) return [home];
    if (more.length > 0 || !target.literal || target.text === '' || /^[-+]/.test(target.text))
      return undefined;
    const given = target.tilde ? home + target.text.slice(1) : target.text;
    if (given.startsWith('/')) return [...new Set([resolvePath(given, '/'), posix.resolve(given)])];
    // A shell resolves `..` by text, the system by folders: with symlinks these are two places.
    return limit(this.folders?.flatMap((cwd) => [resolvePath(given, cwd), posix.resolve(cwd, given)]));
  }
}

export function unite(left: Folders, right: Folders): Folders {
  return left === undefined || right === undefined ? undefined : limit([...left, ...right]);
}

function limit(folders: Folders): Folders {
  if (folders === undefined) return undefined;
  const unique = [...new Set(folders)];
  return unique.length > MAX_FOLDERS ? undefined : unique;
}
