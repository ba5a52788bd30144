import type { ConfigProblem } from '../config-check.ts';
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
}

/** Collects problems, at most 50 of each severity; further ones are only counted. */
export class ProblemList {
  readonly #kept: LocatedProblem[] = [];
  readonly #counts = { error: 0, warning: 0 };

  add(place: Place, problem: ConfigProblem): void {
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
    });
  }

  error(place: Place, message: string, hint?: string): void {
    this.add(place, { severity: 'error', path: [], message, ...(hint === undefined ? {} : { hint }) });
  }

  get errorCount(): number {
    return this.#counts.error;
  }

  of(severity: ConfigProblem['severity']): readonly LocatedProblem[] {
    return this.#kept.filter((problem) => problem.severity === severity);
  }
}

/** One line of bounded length without control characters: a key of a hostile file ends up in messages. */
function oneLine(text: string): string {
  const clean = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
  return clean.length <= 500 ? clean : `${clean.slice(0, 499)}…`;
}
