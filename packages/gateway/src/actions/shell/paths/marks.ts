/**
 * Values of words are texts in which a private character stands for what is not a letter. `input-check.ts` refuses
 * lines that contain such characters, so none of them comes from outside.
 */

/** any text at all, slashes included: what an expansion gives */
export const ANY = '\ue001';
/** any text inside one name: `*`, `?`, `[…]` */
export const GLOB = '\ue002';
/** nothing; but something may stand here when it runs */
export const MAYBE = '\ue003';

/** What only stands in a word until braces and tildes are expanded. */
export const BRACE_OPEN = '\ue010';
export const BRACE_CLOSE = '\ue011';
export const BRACE_COMMA = '\ue012';
export const TILDE = '\ue013';
export const BRACKET_OPEN = '\ue014';
export const GROUP_OPEN = '\ue015';

const FIRST_EXPANSION = 0xe100;
const EXPANSIONS_AT_MOST = 0x500;

/** The character that stands for a word's expansion of that number. */
export function expansionMark(number: number): string {
  return number < EXPANSIONS_AT_MOST ? String.fromCharCode(FIRST_EXPANSION + number) : ANY;
}

/** Undefined: the character is no expansion. */
export function expansionNumber(char: string): number | undefined {
  const number = char.charCodeAt(0) - FIRST_EXPANSION;
  return number >= 0 && number < EXPANSIONS_AT_MOST ? number : undefined;
}

/** Whether a value says less than the letters of a path. */
export const WILD = /[\ue001\ue002]/;

/** For people and rules: marks as the shell's own characters. */
export function readable(value: string): string {
  return value.replaceAll(MAYBE, '').replaceAll(ANY, '*').replaceAll(GLOB, '*');
}
