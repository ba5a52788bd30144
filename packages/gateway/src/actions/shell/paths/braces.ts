import { BRACE_CLOSE, BRACE_COMMA, BRACE_OPEN, GLOB } from './marks.ts';

/**
 * Every text that brace expansion makes of a marked one. A range (`{1..9}`, `{a..f}`) stays one text with a
 * wildcard. Undefined: more than `most`.
 */
export function expandBraces(marked: string, most: number): readonly string[] | undefined {
  if (!marked.includes(BRACE_OPEN)) return [plain(marked)];
  const done: string[] = [];
  const open: string[] = [marked];
  let made = 0;
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    const next = expandFirst(text);
    if (next === undefined) {
      done.push(plain(text));
      continue;
    }
    made += next.length;
    if (made > most) return undefined;
    open.push(...next.toReversed());
  }
  return done;
}

/** The texts of the first brace; undefined when there is none left. */
function expandFirst(text: string): readonly string[] | undefined {
  const start = text.indexOf(BRACE_OPEN);
  if (start === -1) return undefined;
  const commas: number[] = [];
  let depth = 0;
  let end = -1;
  for (let at = start; at < text.length && end === -1; at += 1) {
    const char = text.charAt(at);
    if (char === BRACE_OPEN) depth += 1;
    else if (char === BRACE_CLOSE) {
      depth -= 1;
      if (depth === 0) end = at;
    } else if (char === BRACE_COMMA && depth === 1) commas.push(at);
  }
  const before = text.slice(0, start);
  if (end === -1) return [`${before}{${text.slice(start + 1)}`];
  const after = text.slice(end + 1);
  const inside = text.slice(start + 1, end);
  if (commas.length === 0) {
    const isRange = inside.indexOf('..') > 0 && !inside.includes(BRACE_OPEN);
    return [isRange ? `${before}${GLOB}${after}` : `${before}{${inside}}${after}`];
  }
  const borders = [start, ...commas, end];
  return commas
    .concat(end)
    .map((border, index) => `${before}${text.slice((borders[index] ?? 0) + 1, border)}${after}`);
}

function plain(text: string): string {
  return text.replaceAll(BRACE_COMMA, ',').replaceAll(BRACE_OPEN, '{').replaceAll(BRACE_CLOSE, '}');
}
