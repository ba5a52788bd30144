import type { PathFact } from '@sallyport/protocol';
import type { NamedWord } from './paths/command-paths.ts';
import type { Setting } from './reading.ts';
import type { Where } from './words/cwd-scope.ts';
import type { Word } from './words/word.ts';

/** A command with its wrappers taken off, not yet judged. */
export interface CommandParts {
  readonly program: string;
  readonly words: readonly Word[];
  /** what it names beside its words */
  readonly named: readonly NamedWord[];
  readonly writes: readonly PathFact[];
  readonly where: Where;
  readonly unknown: string | undefined;
  readonly via: readonly string[];
  /** variables that are set for it */
  readonly values: readonly Setting[];
  /** targets of redirections that may be network connections */
  readonly opened: readonly Word[];
}
