/** A part of a form with parts, as far as it is a field. */
export interface FormField {
  readonly names: readonly string[];
  readonly value: string;
}

const DISPOSITION = /(?:^|[\r\n])[ \t]{0,8}content-disposition[ \t]{0,8}:/gi;
const HEAD_END = /\r?\n\r?\n|\r\r/g;
/** The rest of a header, with the lines that it is folded into. */
const LINES = /[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/y;
const VALUE_AT_MOST = 8_192;
/** Nobody gives a part more names; of more, servers take one from either end. */
const NAMES_AT_EACH_END = 16;

/**
 * The fields of a form with parts. Files are left out: parts with the name of one, and an empty name is none, because
 * servers do not agree on what that means [CR-9].
 *
 * Every name that a part is given counts, however long its head is, folded, encoded or written twice. Linear.
 */
export function* fieldsOf(text: string): Generator<FormField> {
  let at = nextAfter(DISPOSITION, text, 0);
  while (at !== undefined) {
    const head = nextAfter(HEAD_END, text, at.end) ?? { start: text.length, end: text.length };
    const names: string[] = [];
    let hasFile = false;
    while (at !== undefined && at.start < head.start) {
      const read = readParameters(headerAt(text, at.end));
      names.push(...read.names);
      hasFile ||= read.hasFile;
      at = nextAfter(DISPOSITION, text, at.end);
    }
    // One name is the usual thing: with two, nobody knows what a server makes of it.
    if (names.length === 0 || (hasFile && names.length === 1)) continue;
    yield { names: ends(names), value: valueBetween(text, head.end, at?.start) };
  }
}

function nextAfter(pattern: RegExp, text: string, from: number) {
  // A line end may be the end of one thing and the start of the next.
  pattern.lastIndex = Math.max(0, from - 1);
  const found = pattern.exec(text);
  return found === null ? undefined : { start: found.index, end: pattern.lastIndex };
}

function ends(names: readonly string[]): readonly string[] {
  if (names.length <= 2 * NAMES_AT_EACH_END) return names;
  return [...names.slice(0, NAMES_AT_EACH_END), ...names.slice(-NAMES_AT_EACH_END)];
}

/** One header from where its value begins, unfolded. */
function headerAt(text: string, start: number): string {
  LINES.lastIndex = start;
  return (LINES.exec(text)?.[0] ?? '').replaceAll(/\r?\n/g, ' ');
}

function valueBetween(text: string, from: number, next: number | undefined): string {
  const shown = text.slice(from, Math.min(from + VALUE_AT_MOST, Math.max(from, next ?? text.length)));
  const end = shown.indexOf('\n--');
  return (end === -1 ? shown : shown.slice(0, end)).trim();
}

/** Parameters of a header: quoted ones to their closing quote, so that nothing inside of one counts as another. */
function readParameters(head: string): { readonly names: readonly string[]; readonly hasFile: boolean } {
  const names: string[] = [];
  let inPieces = '';
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
    else if (/^name\*\d/.test(name)) inPieces += name.endsWith('*') ? decodedValue(value) : value;
    else if (name === 'filename' && value.trim() !== '') hasFile = true;
    else if (name === 'filename*' && decodedValue(value) !== '') hasFile = true;
    at = next;
  }
  if (inPieces !== '') names.push(inPieces);
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
