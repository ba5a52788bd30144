/** One measured number. */
export interface BenchResult {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** What a result must reach: at least `floor`, or with `ceiling` at most. */
export interface BenchFloor {
  /** name of the result */
  readonly name: string;
  readonly floor: number;
  /** smaller is better: the value must not be above `floor` */
  readonly ceiling?: boolean;
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * Prints a table for people and, as the last line, the same as JSON. Sets exit code 1 when a floor is missed.
 *
 * A floor for a result that was not measured counts as missed.
 */
export function reportBench(
  bench: string,
  results: readonly BenchResult[],
  floors: readonly BenchFloor[],
): void {
  const checked = floors.map(({ name, floor, ceiling = false }) => {
    const value = results.find((result) => result.name === name)?.value ?? Number.NaN;
    return { name, value: round(value), floor, ok: ceiling ? value <= floor : value >= floor };
  });
  const width = Math.max(...results.map((result) => result.name.length), 4);
  console.log(`\n${'name'.padEnd(width)}  ${'value'.padStart(14)}  unit`);
  for (const { name, value, unit } of results) {
    const floor = checked.find((entry) => entry.name === name);
    const note = floor === undefined ? '' : `  ${floor.ok ? 'ok' : 'MISSED'} (floor ${format(floor.floor)})`;
    console.log(`${name.padEnd(width)}  ${format(value).padStart(14)}  ${unit}${note}`);
  }
  const rounded = results.map((result) => ({ ...result, value: round(result.value) }));
  console.log(JSON.stringify({ bench, results: rounded, floors: checked }));
  if (checked.some((floor) => !floor.ok)) process.exitCode = 1;
}

function round(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(4));
}

function format(value: number): string {
  return round(value).toLocaleString('en-US');
}
