import type { Position } from '@sallyport/protocol';
import type { Config } from '../sections/schema.ts';

/** Path of a value inside the config: `['tenants', 'default', 'mode']`. */
export type ConfigPath = readonly (string | number)[];

/** Something wrong (or doubtful) at one place of the config. */
export interface ConfigProblem {
  readonly severity: 'error' | 'warning';
  readonly path: ConfigPath;
  /** lower case, no final period, user input in backticks */
  readonly message: string;
  /** `did you mean …`, or what to do */
  readonly hint?: string;
}

/**
 * A check that a module adds to loading: rules, action types, tools, names that must exist.
 *
 * `main.ts` hands the list to the loader, so that `config/` knows none of the modules that check.
 * A check never throws and never does I/O.
 */
export type ConfigCheck = (config: Config) => readonly ConfigProblem[];

/** A config that was valid when it was read. Frozen. */
export interface LoadedConfig {
  readonly config: Config;
  /** short hash of all source bytes: what approvals and events call the policy revision */
  readonly revision: string;
  /** every file that was read, the main one first */
  readonly files: readonly string[];
  readonly warnings: readonly ConfigProblem[];
  /** where a value stands in the sources; undefined for defaults */
  at(path: ConfigPath): Position | undefined;
}
