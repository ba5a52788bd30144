import type { Confinement } from '@sallyport/protocol';
import type { CliIntent } from '../cli/index.ts';

/** `undefined`: the classifier does not know the program. */
export type ClassifyCli = (
  argv: readonly string[],
  context: { readonly cwd: string; readonly home: string },
) => CliIntent | undefined;

/** What the line is read against. Both functions may look things up; neither runs anything. */
export interface ShellContext {
  /** absolute */
  readonly cwd: string;
  /** `resolvePath` would give `cwd` itself: it was asked a moment ago */
  readonly isCwdReal?: true;
  /** absolute */
  readonly home: string;
  readonly confinement: Confinement;
  /** absolute path with `.`/`..` and every existing symlink resolved; a throw makes the path unknown */
  readonly resolvePath: (given: string, cwd: string) => string;
  readonly classifyCli: ClassifyCli;
}
