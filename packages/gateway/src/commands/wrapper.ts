import type { CliContext, CliIntent } from '../actions/index.ts';
import type { CommandName, CredentialKindName } from '../config/index.ts';
import type { CredentialPut } from '../credentials/index.ts';

/**
 * Where a command will run. `cwd` is what the agent calls its folder: the workspace for a shim, `/work` otherwise. The
 * process sees its carried files there and nothing else of this machine.
 */
export interface CommandPlace extends CliContext {
  /** the host that the agent believes to talk to, where it came by `CONNECT host:22`; git then leaves it out of its path */
  readonly host?: string;
  /**
   * What code of the workspace can do while the command runs is no more than reading: a sandbox, no way out but the proxy,
   * and no credential but one that only reads. Then `terraform plan` is a read.
   */
  readonly codeOnlyReads?: true;
}

/** What a command would do, and what people are shown of it: complete, never cut. */
export interface CommandIntent extends CliIntent {
  readonly operation: string;
  readonly preview: string;
}

/** Files of the working folder that the words name, as written. What is outside of it is a trap. */
export interface CommandFiles {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** it reads and writes files that no word names: all of the folder is carried */
  readonly folder?: true;
}

/** `refuse`: nobody can allow it; `ask`: a person, each time [SS-4]. */
export type TrapAnswer = 'refuse' | 'ask';

/** A use of a program that reaches files, programs or hosts which its operation does not show [SS-4]. */
export interface Trap {
  /** for the table in docs/ssh.md: the words that spring it */
  readonly words: string;
  readonly answer: TrapAnswer;
  /** one sentence: what would happen, and for a refusal what to do instead */
  readonly sentence: string;
  springs(argv: readonly string[], place: CommandPlace): boolean;
}

/** A credential of these kinds says itself how it is put: the config names its variable or file. */
export const BY_ITS_CONFIG = 'by its config';

/**
 * One program that agents may run at the SSH door.
 *
 * Contract:
 * - Everything is pure and never throws: words in, facts out.
 * - `intent` comes from the tables of `actions/cli`; there is no second classifier.
 * - What cannot be known is a remote write of the highest risk; a trap only tightens.
 */
export interface WrapperDefinition {
  readonly name: CommandName;
  /** what agents may call it, the usual name first; the program of that name is looked up on the host's PATH */
  readonly programs: readonly [string, ...string[]];
  /** one line for docs and `doctor` */
  readonly about: string;
  /** Debian package, or where it comes from */
  readonly install: string;
  intent(argv: readonly string[], place: CommandPlace): CliIntent;
  readonly traps: readonly Trap[];
  files(argv: readonly string[], place: CommandPlace): CommandFiles;
  /** kinds that it takes, and how each is put; an absent kind is refused */
  readonly credentials: Readonly<Partial<Record<CredentialKindName, CredentialPut | typeof BY_ITS_CONFIG>>>;
  /** what every run of it gets besides PATH, HOME, LANG and the proxy */
  readonly environment: Readonly<Record<string, string>>;
}
