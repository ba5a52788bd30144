/** A part of a form with parts, as far as it is a field. */
export interface FormField {
  readonly names: readonly string[];
  readonly value: string;
}

const DISPOSITION = /(?:^|\n)[ \t]{0,8}content-disposition[ \t]{0,8}:/gi;
const HEAD_END = /\r?\n\r?\n/g;
const FOLDED = /\r?\n[ \t]+/g;
const VALUE_AT_MOST = 8_192;

/**
 * The fields of a form with parts. Files are left out: parts with the name of one, and an empty name is none, because
 * servers do not agree on what that means [CR-9].
 *
 * Every name that a part is given counts, however long its head is, folded or encoded. Linear.
 */
export function* fieldsOf(text: string): Generator<FormField> {
  DISPOSITION.lastIndex = 0;
  for (let found = DISPOSITION.exec(text); found !== null; found = DISPOSITION.exec(text)) {
    const start = DISPOSITION.lastIndex;
    HEAD_END.lastIndex = start;
    const end = HEAD_END.exec(text);
    const head = headerAt(text, start, end?.index ?? text.length);
    const { names, hasFile } = readParameters(head);
    const from = end === null ? text.length : HEAD_END.lastIndex;
    // What follows is looked at again: nothing says where a value ends but a boundary that anyone may write.
    DISPOSITION.lastIndex = Math.max(from - 1, start);
    if (!hasFile && names.length > 0) yield { names, value: valueAt(text, from) };
  }
}

/** One header from where its value begins, unfolded. */
function headerAt(text: string, start: number, end: number): string {
  const rest = text.slice(start, end).replace(FOLDED, ' ');
  const line = rest.indexOf('\n');
  return line === -1 ? rest : rest.slice(0, line);
}

function valueAt(text: string, from: number): string {
  const shown = text.slice(from, from + VALUE_AT_MOST);
  const end = shown.indexOf('\n--');
  return (end === -1 ? shown : shown.slice(0, end)).trim();
}

/** Parameters of a header: quoted ones to their closing quote, so that nothing inside of one counts as another. */
function readParameters(head: string): { readonly names: readonly string[]; readonly hasFile: boolean } {
  const names: string[] = [];
  let hasFile = false;
  let at = head.indexOf(';');
  while (at !== -1 && at < head.length) {
    const equals = head.indexOf('=', at);
    if (equals === -1) break;
    // `;a;name=x`: only what stands right before the sign is its name.
    const name = head
      .slice(head.lastIndexOf(';', equals) + 1, equals)
      .trim()
      .toLowerCase();
    const { value, next } = parameterValue(head, equals + 1);
    if (name === 'name') names.push(value);
    else if (name === 'name*') names.push(decodedValue(value));
    else if (name === 'filename' && value !== '') hasFile = true;
    else if (name === 'filename*' && decodedValue(value) !== '') hasFile = true;
    at = next;
  }
  return { names, hasFile };
}

function parameterValue(head: string, from: number): { readonly value: string; readonly next: number } {
  let at = from;
  while (head[at] === ' ' || head[at] === '\t') at += 1;
  if (head[at] !== '"') {
    const end = head.indexOf(';', at);
    return {
      value: head.slice(at, end === -1 ? undefined : end).trim(),
      next: end === -1 ? head.length : end,
    };
  }
  let end = at + 1;
  while (end < head.length && head[end] !== '"') end += head[end] === '\\' ? 2 : 1;
  return { value: head.slice(at + 1, end).replaceAll(/\\(.)/g, '$1'), next: end + 1 };
}

/** `UTF-8''api%5Fkey` */
function decodedValue(value: string): string {
  const text = value.slice(value.lastIndexOf("'") + 1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
