import { isLocalVariable } from './variable-names.ts';

const PLAIN_WORD = /^(?:\\[^\n]|[^\s'"`$|&;()<>\\])+$/;
const ANSI_C_STRING = /^\$'(?:[^'\\]|\\[\s\S])*'$/;
const HIDDEN = /`|\$[A-Za-z0-9_({[@*#?$!'"-]/;

/** Whether a shell reads the text as one unquoted word, or a part of one. */
export function isPlainWord(text: string): boolean {
  return PLAIN_WORD.test(text);
}

/** Whether `$'…'` ends where the grammar says: it takes `$'a\\'` for unfinished. */
export function isAnsiCString(text: string): boolean {
  return ANSI_C_STRING.test(text);
}

/** Whether a text that the grammar calls literal has an expansion that a shell would run. */
export function hidesExpansion(text: string): boolean {
  if (!text.includes('$') && !text.includes('`')) return false;
  return HIDDEN.test(text.replace(/\\[\s\S]/g, ''));
}

/** Whether a pattern is only pattern: no quotes, expansions or substitutions that the grammar did not split off. */
export function isUnquotedPattern(text: string): boolean {
  return !/['"`;\n]|[<>]\(|\$[A-Za-z0-9_({[@*#?$!'"-]/.test(text);
}

const NAME = String.raw`(?:[A-Za-z_][A-Za-z0-9_]*(?:\[(?:@|\*|[0-9]+)\])?|[0-9]+|[@*?$!#-])`;
const PLAIN = new RegExp(`^\\$\\{#?${NAME}\\}$`);
const SUBSTRING = new RegExp(`^\\$\\{${NAME}:(?: -)?[0-9]+(?::-?[0-9]+)?\\}$`);
const WITH_WORD = new RegExp(`^\\$\\{(${NAME})(:?[-+=?]|##?|%%?|/[/#%]?|\\^\\^?|,,?)`);

/**
 * Why a `${…}` is not one of the plain forms. Indirection (`${!x}`), prompt expansion (`${x@P}`) and computed
 * subscripts run what a variable holds.
 */
export function verifyExpansion(text: string): string | undefined {
  if (PLAIN.test(text) || SUBSTRING.test(text)) return undefined;
  const match = WITH_WORD.exec(text);
  const name = match?.[1];
  const operator = match?.[2];
  if (name === undefined || operator === undefined) return 'an expansion is not one of the plain forms';
  if (operator.endsWith('=') && !isLocalVariable(name)) return `an expansion sets \`${name}\``;
  return undefined;
}
