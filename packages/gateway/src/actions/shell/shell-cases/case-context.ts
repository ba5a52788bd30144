import { posix } from 'node:path';
import type { Confinement } from '@sallyport/protocol';
import { workspaceOf } from '../../places/index.ts';
import type { ShellContext } from '../words/cwd-scope.ts';

/** One line of the tables. `commands` are the texts that a rule is matched with, in order. */
export interface ShellCase {
  readonly line: string;
  readonly commands: readonly string[];
  /** the line or one of its commands cannot be known */
  readonly unknown: boolean;
  readonly why: string;
}

/** Paths by text alone: no file is touched. */
export function caseContext(
  confinement: Confinement = 'unconfined',
  over: Partial<ShellContext> = {},
): ShellContext {
  return {
    cwd: '/repo/app',
    home: '/home/ana',
    confinement,
    workspace: workspaceOf('/repo/app', '/home/ana'),
    resolvePath: (given, cwd) => posix.resolve(cwd, given),
    classifyCli: () => undefined,
    ...over,
  };
}
