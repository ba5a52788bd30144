import type { Header } from '../http-message.ts';
import { BadMessage } from './bad-message.ts';
import { FIELD, type FieldName, readFieldName } from './field-names.ts';

/** Told about each field in order; may refuse. */
export type FieldVisitor = (name: FieldName, value: string) => void;

const SPACE = 32;
const TAB = 9;

/**
 * Reads the fields of a head that `HeadScanner` has let through, from `at` on.
 *
 * Refuses continuation lines, a line without colon, blanks before the colon, a name that is no token, and more
 * than `most` fields. Values lose the blanks around them and nothing else.
 */
export function readFields(text: string, at: number, most: number, visit: FieldVisitor): Header[] {
  const headers: Header[] = [];
  let start = at;
  while (start < text.length) {
    const end = text.indexOf('\r\n', start);
    const first = text.charCodeAt(start);
    if (first === SPACE || first === TAB) throw new BadMessage('obs-fold');
    const colon = text.indexOf(':', start);
    if (colon === -1 || colon > end) throw new BadMessage('no-colon');
    if (headers.length === most) throw new BadMessage('too-many-fields');
    const name = readFieldName(text.slice(start, colon));
    if (name === undefined) throw new BadMessage(nameProblem(text, colon));
    const value = trimmed(text, colon + 1, end);
    // SECURITY: `chunked<TAB>` is chunked to one reader and unknown to another.
    if (name.field !== FIELD.other && text.lastIndexOf('\t', end) > colon)
      throw new BadMessage('tab-in-framing-field');
    visit(name, value);
    headers.push([name.name, value]);
    start = end + 2;
  }
  return headers;
}

function nameProblem(text: string, colon: number): 'space-before-colon' | 'malformed-field-name' {
  const before = text.charCodeAt(colon - 1);
  return before === SPACE || before === TAB ? 'space-before-colon' : 'malformed-field-name';
}

function trimmed(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}
