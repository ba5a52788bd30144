/** An atom, a string, or a list in brackets. A section like `BODY.PEEK[]<0.10>` is one atom. */
export type Token = string | readonly Token[];

/** Takes a command apart. Undefined for something that is none; literals are not taken. */
export function tokenize(line: string): readonly Token[] | undefined {
  const [tokens, end] = list(line, 0);
  return tokens === undefined || end !== line.length ? undefined : tokens;
}

const ATOM = /(?:[^\s()"[\]{}]|\[[^\]]*\])+/y;
const QUOTED = /"((?:[^"\\\r\n]|\\["\\])*)"/y;

function list(line: string, from: number): readonly [readonly Token[] | undefined, number] {
  const tokens: Token[] = [];
  let at = from;
  while (at < line.length) {
    const char = line[at];
    if (char === ' ') at += 1;
    else if (char === ')') return [tokens, at];
    else if (char === '(') {
      const [inner, end] = list(line, at + 1);
      if (inner === undefined || line[end] !== ')') return [undefined, end];
      tokens.push(inner);
      at = end + 1;
    } else {
      const pattern = char === '"' ? QUOTED : ATOM;
      pattern.lastIndex = at;
      const found = pattern.exec(line);
      if (found === null) return [undefined, at];
      tokens.push(char === '"' ? (found[1] ?? '').replace(/\\(["\\])/g, '$1') : found[0]);
      at = pattern.lastIndex;
    }
  }
  return [tokens, at];
}
