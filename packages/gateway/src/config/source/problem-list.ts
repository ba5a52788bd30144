import type { ConfigProblem } from '../checks/config-check.ts';
import type { Place } from './source-node.ts';

/** more would bury the first ones, and a hostile file could make millions */
const MOST_PROBLEMS = 50;

/** A problem with the place in the sources that people should look at. */
export interface LocatedProblem extends ConfigProblem {
  readonly file: string;
  /** counts from 1 */
  readonly line: number;
  /** counts from 1 */
  readonly column: number;
  /** the line at this place may hold a pasted secret and is not to be shown */
  readonly confidential?: true;
}

/** Collects problems, at most 50 of each severity; further ones are only counted. */
export class ProblemList {
  readonly #kept: LocatedProblem[] = [];
  readonly #counts = { error: 0, warning: 0 };

  add(place: Place, problem: ConfigProblem & { readonly confidential?: true }): void {
    this.#counts[problem.severity] += 1;
    if (this.#counts[problem.severity] > MOST_PROBLEMS) return;
    this.#kept.push({
      file: place.source.shown,
      line: place.line,
      column: place.column,
      severity: problem.severity,
      path: problem.path,
      message: oneLine(problem.message),
      ...(problem.hint === undefined ? {} : { hint: oneLine(problem.hint) }),
      ...(problem.confidential === true ? { confidential: true } : {}),
    });
  }

  error(place: Place, message: string, hint?: string): void {
    this.add(place, { severity: 'error', path: [], message, ...(hint === undefined ? {} : { hint }) });
  }

  get errorCount(): number {
    return this.#counts.error;
  }

  /** In reading order: `firstFile`, then the others by name, each from top to bottom. */
  sorted(severity: ConfigProblem['severity'], firstFile: string): readonly LocatedProblem[] {
    const rank = (problem: LocatedProblem) => (problem.file === firstFile ? '' : problem.file);
    return this.#kept
      .filter((problem) => problem.severity === severity)
      .sort((a, b) => {
        if (rank(a) !== rank(b)) return rank(a) < rank(b) ? -1 : 1;
        return a.line - b.line || a.column - b.column;
      });
  }
}

/** One line of bounded length without control characters: a key of a hostile file ends up in messages. */
function oneLine(text: string): string {
  const clean = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
  return clean.length <= 500 ? clean : `${clean.slice(0, 499)}…`;
}
