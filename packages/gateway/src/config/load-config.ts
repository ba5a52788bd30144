import { SallyportError } from '@sallyport/protocol';
import type { ConfigCheck, ConfigPath, ConfigProblem, LoadedConfig } from './checks/config-check.ts';
import { builtInChecks } from './checks/index.ts';
import { explainIssue, type IssueProblem } from './explain-issue.ts';
import { findLiteralSecrets } from './literal-secrets.ts';
import { type Config, ConfigSchema } from './sections/schema.ts';
import type { Variables } from './source/expand-variables.ts';
import { type EditedTexts, loadSources, type Sources } from './source/load-sources.ts';
import type { LocatedProblem } from './source/problem-list.ts';
import { keyPlaceOf, type MapNode, nodeAt, type Place, placeOf, plainValue } from './source/source-node.ts';

export interface LoadConfigOptions {
  /** the main file; a relative path is taken from the working folder */
  readonly file: string;
  /** variables for `${NAME}`, most often `process.env` */
  readonly env: Variables;
  /** checks of the modules, run after the built-in ones, on a config that fits the schema */
  readonly checks?: readonly ConfigCheck[];
  /** to try an edit before it is written */
  readonly texts?: EditedTexts;
}

/**
 * Reads, expands, merges and checks a config with all that it includes.
 *
 * Refuses with `ConfigInvalid`, whose `details.problems` lists every problem with its place (at most 50).
 * Throws nothing else, whatever the bytes of the files are.
 */
export function loadConfig(options: LoadConfigOptions): LoadedConfig {
  return checkSources(loadSources(options.file, options.env, options.texts), options.checks ?? []);
}

/** The second half of loading: from a tree of sources to a config in force. */
export function checkSources(sources: Sources, checks: readonly ConfigCheck[]): LoadedConfig {
  const { root, problems } = sources;
  if (root === undefined) throw invalid(sources);

  const report = (found: readonly IssueProblem[]) => {
    for (const { at, ...problem } of found) {
      const place = at === 'key' ? keyPlaceOf(root, problem.path) : undefined;
      problems.add(place ?? nearestPlace(root, problem.path, sources), problem);
    }
  };
  report(findLiteralSecrets(root));
  const parsed = ConfigSchema.safeParse(plainValue(root));
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      report(explainIssue(ConfigSchema, root, issue).filter((found) => !isBroken(root, found.path)));
    }
  }
  if (!parsed.success || problems.errorCount > 0) throw invalid(sources);

  const config = freezePlain(parsed.data);
  for (const check of [...builtInChecks, ...checks]) report(runCheck(check, config));
  if (problems.errorCount > 0) throw invalid(sources);

  return Object.freeze({
    config,
    revision: sources.digest.slice(0, 12),
    files: Object.freeze([...sources.files]),
    warnings: Object.freeze(problems.sorted('warning', sources.main.shown)),
    at: (path: ConfigPath) => {
      const place = placeOf(root, path);
      return place && { file: place.source.name, line: place.line, column: place.column };
    },
  });
}

/** A check that breaks, against its contract, refuses the config: what it was to find is unknown. */
function runCheck(check: ConfigCheck, config: Config): readonly ConfigProblem[] {
  try {
    return check(config);
  } catch {
    return [{ severity: 'error', path: [], message: `the check \`${check.name}\` broke on this config` }];
  }
}

function isBroken(root: MapNode, path: ConfigPath): boolean {
  const node = nodeAt(root, path);
  return node?.kind === 'scalar' && node.broken;
}

/** The place of a path, or of the nearest thing above it that the sources have. */
function nearestPlace(root: MapNode, path: ConfigPath, sources: Sources): Place {
  const place = placeOf(root, path);
  if (place !== undefined) return place;
  if (path.length > 0) return nearestPlace(root, path.slice(0, -1), sources);
  return { source: sources.main, line: 1, column: 1 };
}

function invalid(sources: Sources): SallyportError {
  const problems = sources.problems.sorted('error', sources.main.shown);
  const [first] = problems;
  const count = sources.problems.errorCount;
  return new SallyportError('ConfigInvalid', {
    message:
      first === undefined
        ? 'the configuration is not valid'
        : `${first.file}:${first.line}:${first.column}: ${first.message}${count > 1 ? ` (and ${count - 1} more)` : ''}`,
    hint: first?.hint ?? 'run `sallyport config check` to see every problem',
    details: { problems },
  });
}

/** The problems that a `ConfigInvalid` carries; empty for any other error. */
export function problemsOf(error: unknown): readonly LocatedProblem[] {
  if (!(error instanceof SallyportError) || error.code !== 'ConfigInvalid') return [];
  const problems: unknown = error.details?.problems;
  // `invalid` above is the only place that fills this in.
  return Array.isArray(problems) ? (problems as readonly LocatedProblem[]) : [];
}

/**
 * A deep copy of plain data that nothing can change.
 *
 * SECURITY: the copy's maps have no prototype, so that looking up a name that came from outside
 * (`config.tenants[name]` with `constructor`) finds nothing.
 */
export function freezePlain<Value>(value: Value): Value {
  // The copy has the same keys and values, so it has the same type.
  return copy(value) as Value;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(copy));
  if (value === null || typeof value !== 'object') return value;
  const result: Record<string, unknown> = Object.create(null);
  for (const [key, inner] of Object.entries(value)) result[key] = copy(inner);
  return Object.freeze(result);
}

/** What is wrong with a config file, and what is doubtful. `ok`: the gateway would take it. */
export interface CheckedConfig {
  readonly ok: boolean;
  readonly problems: readonly LocatedProblem[];
}

/** The files of a config that can be read, the main one first, whatever is in them. */
export function configFiles(file: string, env: Variables): readonly string[] {
  return loadSources(file, env).files;
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
