/** The words of a command line, or one sentence that says why it has none. */
export type SplitLine =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'refused'; readonly sentence: string };

/** Longest line in bytes of UTF-8: more is nobody's command. */
const LONGEST = 1_048_576;
/** Most words: what `execve` of Linux takes in any case. */
const MOST_WORDS = 32_768;

const BLANK = /[ \t\n]/;
/** What a backslash takes away its meaning from inside of double quotes, in POSIX. */
const ESCAPED_IN_QUOTES = /["\\$`\n]/;

/**
 * Splits a line as a POSIX shell does and expands nothing: quotes and backslashes are taken off, and `;`, `|`, `$( )`, `*`,
 * `~` and `#` are letters of a word like all others [SS-2]. Linear in the length of the line.
 */
export function splitLine(line: string): SplitLine {
  if (Buffer.byteLength(line) >= LONGEST) return refused('the command line has 1 MB or more');
  // SECURITY: what a program gets ends at a NUL: the rest would be shown and not run.
  if (line.includes('\0')) return refused('the command line holds a NUL byte');
  if (!line.isWellFormed()) return refused('the command line is not valid Unicode');
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at] ?? '';
    if (BLANK.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      if (words.length > MOST_WORDS) return refused(`the command line has more than ${MOST_WORDS} words`);
      continue;
    }
    word ??= '';
    if (letter === "'") {
      const end = line.indexOf("'", at + 1);
      if (end === -1) return refused('the command line has a single quote that nothing closes');
      word += line.slice(at + 1, end);
      at = end;
    } else if (letter === '"') {
      const quoted = doubleQuoted(line, at + 1);
      if (quoted === undefined) return refused('the command line has a double quote that nothing closes');
      word += quoted.text;
      at = quoted.end;
    } else if (letter === '\\') {
      const next = line[at + 1];
      if (next === undefined) return refused('the command line ends in a backslash');
      // A backslash before a line end joins two lines.
      if (next !== '\n') word += next;
      at += 1;
    } else word += letter;
  }
  if (word !== undefined) words.push(word);
  return words.length === 0 ? refused('the command line is empty') : { kind: 'words', words };
}

function doubleQuoted(line: string, start: number): { text: string; end: number } | undefined {
  const pieces: string[] = [];
  let from = start;
  for (let at = start; at < line.length; at += 1) {
    if (line[at] === '"') return { text: pieces.join('') + line.slice(from, at), end: at };
    if (line[at] !== '\\') continue;
    const next = line[at + 1];
    if (next !== undefined && ESCAPED_IN_QUOTES.test(next)) {
      pieces.push(line.slice(from, at), next === '\n' ? '' : next);
      from = at + 2;
    }
    at += 1;
  }
  return undefined;
}

function refused(sentence: string): SplitLine {
  return { kind: 'refused', sentence };
}
