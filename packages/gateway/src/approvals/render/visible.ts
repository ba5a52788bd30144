import { visibleText } from '../../shared/visible-text.ts';

/** Text of many lines in which nothing is hidden. Line breaks and tabs stay what they are. */
export function manyLines(text: string): string {
  return visibleText(text);
}

/**
 * Text of one line in which nothing is hidden.
 *
 * SECURITY: a line break in a field would let an agent begin a line of its own: a menu, a header, a question.
 */
export function oneLine(text: string): string {
  return manyLines(text).replace(/[\n\t]/g, escaped);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** The first `most` characters, never half of one. */
export function firstCharacters(text: string, most: number): string {
  const cut = text.slice(0, Math.max(0, most));
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** `1,048,576`, the same on every machine. */
export function count(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
