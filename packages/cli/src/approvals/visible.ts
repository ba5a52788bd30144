const HIDDEN =
  // Control, format, surrogate, private use, unassigned, odd blanks, and marks that draw nothing.
  /(?:[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029\u00a0\u115f\u1160\u2000-\u200a\u202f\u205f\u3000\u3164\uffa0\u2800]|\u034f|\u17b4|\u17b5|\u180f|\p{Variation_Selector})/gu;

/**
 * One line in which nothing is hidden.
 *
 * SECURITY: an agent chose some of these words; an escape sequence in them would draw over the question.
 */
export function visibleLine(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The lines of a text; tabs become blanks, as wide as a person expects. */
export function visibleLines(text: string): readonly string[] {
  return text.split('\n').map((line) => visibleLine(line.replace(/\t/g, '    ')));
}

/** Parts of at most `width` characters. */
export function wrapLine(line: string, width: number): readonly string[] {
  const characters = [...line];
  const parts: string[] = [];
  for (let at = 0; at < characters.length; at += width) parts.push(characters.slice(at, at + width).join(''));
  return parts.length === 0 ? [''] : parts;
}
