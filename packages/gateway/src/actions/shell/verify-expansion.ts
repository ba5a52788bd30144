import { isLocalVariable } from './variable-names.ts';

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
