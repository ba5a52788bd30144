/** longer words are never compared: the table below grows with the square of the length */
const LONGEST_WORD = 64;

/**
 * The candidate that `word` most likely stands for, or undefined when none is near.
 *
 * Near means: the same but for case and `-`/`_`, or few slips (a letter added, left out, changed, or two
 * swapped). Of two that are equally near the first in order of the list wins.
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length === 0 || word.length > LONGEST_WORD) return undefined;
  const wanted = plain(word);
  let best: string | undefined;
  let bestSlips = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (candidate === word || candidate.length > LONGEST_WORD) continue;
    const slips = countSlips(wanted, plain(candidate));
    if (slips < bestSlips) {
      best = candidate;
      bestSlips = slips;
    }
  }
  return best;
}

/** ``did you mean `x`?``, or undefined when nothing is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const best = suggest(word, candidates);
  return best === undefined ? undefined : `did you mean \`${best}\`?`;
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll('-', '_');
}

/** Damerau-Levenshtein distance (optimal string alignment). */
function countSlips(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let slips = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        slips = Math.min(slips, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(slips);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
