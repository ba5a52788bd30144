import { REDACTED } from '../redaction/secret-patterns.ts';
import { isSensitiveKey } from '../redaction/sensitive-keys.ts';

/** A way in which texts name their values: what stands before one, its name in group 1, and where the value ends. */
interface Shape {
  readonly before: RegExp;
  /** a value that begins at `from`; what is put in its place keeps the quotes that it had */
  readonly value: (text: string, from: number) => { readonly end: number; readonly quotes: string };
}

// INVARIANT: linear time. What is before a value is of bounded length, and a value that goes is never looked at again.
const SHAPES: readonly Shape[] = [
  // JSON, whole or cut, also JSON inside of a string of JSON, where quotes are escaped: "name": "value", "name": 123
  { before: /["']([^"'\\\r\n]{1,128})\\{0,7}["']\s{0,8}:\s{0,8}/g, value: jsonValue },
  // forms, queries, variables
  { before: /([\w.$@%-]{1,128})=(?=[^=\s])/g, value: until(/[\s&;"'<>\\]/g) },
  // header lines, YAML
  { before: /(?:^|[\r\n])[ \t]{0,32}([\w.$@-]{1,128}):[ \t]{1,8}/g, value: until(/[\r\n]/g) },
  // XML
  { before: /<([\w:.-]{1,128})(?:\s[^<>]{0,256})?>/g, value: until(/</g) },
  // a part of a form with files: the value comes after an empty line
  {
    before: /\bname="([^"\r\n]{1,128})"[^\r\n]{0,256}(?:\r?\n[^\r\n]{1,256}){0,4}\r?\n\r?\n/g,
    value: until(/\r?\n--/g),
  },
];

/** The text without values that their names call secret, in the forms that bodies have. */
export function withoutNamedValues(text: string): string {
  let result = text;
  for (const shape of SHAPES) result = replaceNamed(result, shape);
  return result;
}

function replaceNamed(text: string, { before, value }: Shape): string {
  let result = '';
  let from = 0;
  before.lastIndex = 0;
  for (let match = before.exec(text); match !== null; match = before.exec(text)) {
    // What a harmless name stands before is looked at for names of its own: the search goes on right after it.
    if (!isSensitiveKey(match[1] ?? '')) continue;
    const start = before.lastIndex;
    const { end, quotes } = value(text, start);
    if (end === start) continue;
    result += `${text.slice(from, start)}${quotes}${REDACTED}${quotes}`;
    from = end;
    before.lastIndex = end;
  }
  return from === 0 ? text : result + text.slice(from);
}

function until(stop: RegExp): Shape['value'] {
  return (text, from) => {
    stop.lastIndex = from;
    return { end: stop.exec(text)?.index ?? text.length, quotes: '' };
  };
}

const OPENING = /(\\{0,7})(["'])/y;
const BARE = /[^\s,}\]"'\\]*/y;

/** A string with as many backslashes before its quotes as it is deep, or a number; a string without an end is all the rest. */
function jsonValue(text: string, from: number): { readonly end: number; readonly quotes: string } {
  OPENING.lastIndex = from;
  const opening = OPENING.exec(text);
  if (opening === null) {
    BARE.lastIndex = from;
    return { end: from + (BARE.exec(text)?.[0].length ?? 0), quotes: '' };
  }
  const [quotes, escapes = '', quote = '"'] = opening;
  const depth = escapes.length;
  let backslashes = 0;
  for (let index = from + quotes.length; index < text.length; index += 1) {
    const character = text[index];
    if (character === '\\') {
      backslashes += 1;
      continue;
    }
    const isEnd = depth === 0 ? backslashes % 2 === 0 : backslashes >= depth && backslashes <= 2 * depth;
    if (character === quote && isEnd) return { end: index + 1, quotes };
    backslashes = 0;
  }
  return { end: text.length, quotes };
}
