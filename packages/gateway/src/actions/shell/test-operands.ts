import type { Word } from './words/word.ts';

const BINARY = /^(?:==?|!=|=~|[<>]|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/;
const UNARY = /^-[a-zA-Z]$/;
const EVALUATES = /^-[vR]$/;
const COUNT = /^\$[#?$!]$/;

/**
 * Why `[ … ]` or `test` cannot be known. `-v NAME` evaluates the subscript of the name, and an operator may come out
 * of a variable; so a variable is fine only where the words around it say that it is an operand.
 */
export function testReason(args: readonly Word[], numbers: ReadonlySet<string>): string | undefined {
  const operands = args.at(-1)?.text === ']' ? args.slice(0, -1) : args;
  for (const [index, word] of operands.entries()) {
    if (word.literal) {
      if (EVALUATES.test(word.text)) return 'a test evaluates a subscript';
      continue;
    }
    if (COUNT.test(word.text) || numbers.has(word.text.replace(/^\$\{?(\w+)\}?$/, '$1'))) continue;
    if (word.splits) return `\`${word.text}\` may become an operator of the test`;
    const before = operands[index - 1];
    const after = operands[index + 1];
    const operand =
      operands.length === 1 ||
      (before?.literal === true && (UNARY.test(before.text) || BINARY.test(before.text))) ||
      (after?.literal === true && BINARY.test(after.text));
    if (!operand && word.prefix === '') return `\`${word.text}\` may become an operator of the test`;
  }
  return undefined;
}
