const WINDOW = 8;
const BLOCK = 3;
const MASK = (1 << 18) - 1;
const MAX_SHIFT = WINDOW - BLOCK + 1;

/** Shortest text that can be searched for. */
export const SHORTEST = WINDOW;

/**
 * Finds many known texts in one pass (Wu and Manber): a table says how far the next place may be skipped, so
 * text without a hit costs about one look for every six characters, however many needles there are.
 */
export class ValueScanner {
  readonly #shift = new Uint8Array(MASK + 1).fill(MAX_SHIFT);
  /** needles by their first eight characters, the longest first */
  readonly #needles = new Map<string, string[]>();

  /** Refuses what is shorter than eight characters. */
  add(needle: string): void {
    if (needle.length < WINDOW) throw new RangeError('too short to be searched for');
    const start = needle.slice(0, WINDOW);
    const others = this.#needles.get(start) ?? [];
    if (others.includes(needle)) return;
    this.#needles.set(
      start,
      [...others, needle].sort((a, b) => b.length - a.length),
    );
    for (let end = BLOCK - 1; end < WINDOW; end += 1) {
      const block = blockAt(start, end);
      this.#shift[block] = Math.min(this.#shift[block] ?? 0, WINDOW - 1 - end);
    }
  }

  /** The skips stay as they are: smaller than needed is slower, never wrong. */
  remove(needle: string): void {
    const start = needle.slice(0, WINDOW);
    const rest = (this.#needles.get(start) ?? []).filter((other) => other !== needle);
    if (rest.length === 0) this.#needles.delete(start);
    else this.#needles.set(start, rest);
  }

  matches(text: string): boolean {
    return this.#find(text, 0) !== undefined;
  }

  replaceAll(text: string, replacement: string): string {
    let result = '';
    let from = 0;
    for (;;) {
      const hit = this.#find(text, from);
      if (hit === undefined) return from === 0 ? text : result + text.slice(from);
      result += text.slice(from, hit.start) + replacement;
      from = hit.end;
    }
  }

  #find(text: string, from: number): { readonly start: number; readonly end: number } | undefined {
    if (this.#needles.size === 0) return undefined;
    for (let end = from + WINDOW - 1; end < text.length; ) {
      const shift = this.#shift[blockAt(text, end)] ?? 0;
      if (shift > 0) {
        end += shift;
        continue;
      }
      const start = end - WINDOW + 1;
      const needles = this.#needles.get(text.slice(start, end + 1));
      const needle = needles?.find((candidate) => text.startsWith(candidate, start));
      if (needle !== undefined) return { start, end: start + needle.length };
      end += 1;
    }
    return undefined;
  }
}

function blockAt(text: string, end: number): number {
  return ((text.charCodeAt(end - 2) << 12) ^ (text.charCodeAt(end - 1) << 6) ^ text.charCodeAt(end)) & MASK;
}
