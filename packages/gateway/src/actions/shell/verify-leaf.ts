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
