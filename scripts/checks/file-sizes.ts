import { isTest, type SourceFile } from './source-files.ts';

/** Under so many lines a file is small: it belongs into its owner, where it has one. */
const SMALL_LINES = 30;
/** So many of a hundred files may be small. */
const SMALL_PERCENT = 8;

/** How long the source files of the packages are; tests and what only they use do not count. */
export interface FileSizes {
  readonly files: number;
  readonly medianLines: number;
  readonly small: number;
}

export function measureFiles(files: readonly SourceFile[]): FileSizes {
  const lines = files
    .filter(
      ({ path }) => /^packages\/[^/]+\/src\//.test(path) && !isTest(path) && !/\.fixture\.ts$/.test(path),
    )
    .map(({ text }) => text.split('\n').length - 1)
    .sort((a, b) => a - b);
  return {
    files: lines.length,
    medianLines: lines[lines.length >> 1] ?? 0,
    small: lines.filter((count) => count < SMALL_LINES).length,
  };
}

/** Refused above: a reader opens one file for one idea, not five. */
export function hasTooManySmall({ files, small }: FileSizes): boolean {
  return 100 * small >= SMALL_PERCENT * files;
}

/** One line for people: the goal is a median of 60 to 120 lines. */
export function describeSizes({ files, medianLines, small }: FileSizes): string {
  const share = ((100 * small) / Math.max(1, files)).toFixed(1);
  return `${files} source files, median ${medianLines} lines (60 to 120), ${small} under ${SMALL_LINES} lines: ${share} % (less than ${SMALL_PERCENT} %)`;
}
