import {
  type ConfigCheck,
  type LocatedProblem,
  loadConfig,
  problemsOf,
  type Variables,
} from '../config/index.ts';

/** What is wrong with a config file, and what is doubtful. `ok`: the gateway would take it. */
export interface CheckedConfig {
  readonly ok: boolean;
  readonly problems: readonly LocatedProblem[];
}

/** Judges a file as the gateway would, and changes nothing. */
export function checkConfigFile(file: string, env: Variables, checks: readonly ConfigCheck[]): CheckedConfig {
  try {
    const loaded = loadConfig({ file, env, checks });
    // What stands in no file (a default) is shown at the top of the main one.
    const top = { file, line: 1, column: 1 };
    return {
      ok: true,
      problems: loaded.warnings.map((warning) => ({ ...warning, ...(loaded.at(warning.path) ?? top) })),
    };
  } catch (error) {
    const problems = problemsOf(error);
    if (problems.length === 0) throw error;
    return { ok: false, problems };
  }
}
