/** A command line as it stands in the config, in words. */
export type SplitTemplate =
  | { readonly kind: 'words'; readonly argv: readonly string[] }
  | { readonly kind: 'wrong'; readonly why: string };

const SHELL = /[|&;<>()$`\\*?[\]#~!]/;
const PLACE = /\{[^}]*\}/g;

/**
 * Splits a command at blanks; words in quotes stay together. There is no shell: what only a shell would understand
 * (pipes, variables, globs) is refused unless it is quoted, so that nobody relies on it.
 */
export function splitTemplate(text: string): SplitTemplate {
  const argv: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (const character of text) {
    if (quote !== '') {
      if (character === quote) quote = '';
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) argv.push(word);
      word = undefined;
    } else if (SHELL.test(character)) {
      return {
        kind: 'wrong',
        why: `\`${character}\` means something to a shell, and there is none; quote it`,
      };
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== '') return { kind: 'wrong', why: 'a quote is not closed' };
  if (word !== undefined) argv.push(word);
  if (argv.length === 0 || argv[0] === '') return { kind: 'wrong', why: 'the command is empty' };
  if (argv[0]?.includes('{key}')) return { kind: 'wrong', why: 'the program itself cannot be a `{key}`' };
  const foreign = argv.flatMap((part) => part.match(PLACE) ?? []).find((place) => place !== '{key}');
  if (foreign !== undefined)
    return { kind: 'wrong', why: `\`${foreign}\` is not known here, only \`{key}\` is` };
  return { kind: 'words', argv };
}
