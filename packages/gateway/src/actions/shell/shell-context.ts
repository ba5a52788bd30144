import type { ActionType, Confinement, Effect, Reach, RepositoryFact, Risk } from '@sallyport/protocol';

/** What a CLI classifier says about one argv. */
export interface ClassifiedCommand {
  readonly effect: Effect;
  readonly reach: Reach;
  readonly type: ActionType;
  readonly risk: Risk;
  readonly operation?: string;
  readonly host?: string;
  readonly repo?: RepositoryFact;
  readonly request?: { readonly method: string; readonly url: string };
  /** files that the command will write, as given */
  readonly writes?: readonly { readonly given: string }[];
  /** why this call cannot be known, though the program is */
  readonly unknown?: string;
}

/** `undefined`: the classifier does not know the program. */
export type ClassifyCli = (
  argv: readonly string[],
  context: { readonly cwd: string; readonly home: string },
) => ClassifiedCommand | undefined;

/** What the line is read against. Both functions may look things up; neither runs anything. */
export interface ShellContext {
  /** absolute */
  readonly cwd: string;
  /** absolute */
  readonly home: string;
  readonly confinement: Confinement;
  /** absolute path with `.`/`..` and every existing symlink resolved; a throw makes the path unknown */
  readonly resolvePath: (given: string, cwd: string) => string;
  readonly classifyCli: ClassifyCli;
}
