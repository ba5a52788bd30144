const UNITS: ReadonlyMap<string, number> = new Map([
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
]);
const WHOLE = /^(?:\d{1,9}(?:ms|[dhms]))+$/;
const PART = /(\d{1,9})(ms|[dhms])/g;
/** ten years: longer is a typo, and would overflow timers and dates further on */
const LONGEST_MS = 3_650 * 86_400_000;

/**
 * Milliseconds of `30s`, `1h30m`, `7d`; undefined when the text is no duration.
 *
 * Units go from large to small, each at most once. Zero and more than ten years are no durations.
 */
export function parseDuration(text: string): number | undefined {
  // The length is bounded first, so that no text costs more than a glance.
  if (text.length > 64 || !WHOLE.test(text)) return undefined;
  let total = 0;
  let last = Number.POSITIVE_INFINITY;
  for (const [, digits, unit] of text.matchAll(PART)) {
    const size = UNITS.get(unit ?? '');
    if (size === undefined || size >= last) return undefined;
    last = size;
    total += Number(digits) * size;
  }
  return total > 0 && total <= LONGEST_MS ? total : undefined;
}

/** Milliseconds of a duration that was checked at load. Throws on anything else: that is a bug. */
export function durationMs(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new RangeError(`not a duration: ${JSON.stringify(text)}`);
  return ms;
}

/** `5400000` → `1h30m`: the shortest text that `parseDuration` reads back. `0ms` for zero. */
export function formatDuration(ms: number): string {
  let rest = Math.max(0, Math.round(ms));
  let text = '';
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text === '' ? '0ms' : text;
}
