import { unusable } from './settings-file.ts';

/** As much of a TOML file as it takes to add tables at its end without breaking it. */
export interface TomlShape {
  /** names in brackets, as written */
  readonly tables: ReadonlySet<string>;
  /** `table.key` → value, for values on one line */
  readonly values: ReadonlyMap<string, string>;
}

const KEY = `(?:[A-Za-z0-9_-]+|"(?:[^"\\\\]|\\\\.)*"|'[^']*')`;
const DOTTED = new RegExp(`^${KEY}(?:\\s*\\.\\s*${KEY})*$`);
const HEADER = /^\[\[?\s*(.+?)\s*\]\]?\s*(?:#.*)?$/;
const PAIR = new RegExp(`^(${KEY}(?:\\s*\\.\\s*${KEY})*)\\s*=\\s*(.+)$`);

/** Throws `SettingsUnusable` for a line that no TOML file has, and for a value that never ends. */
export function readTomlShape(path: string, text: string): TomlShape {
  const tables = new Set<string>();
  const values = new Map<string, string>();
  let table = '';
  let rest: Open = { quote: undefined, depth: 0 };
  for (const [index, whole] of text.split('\n').entries()) {
    const line = whole.trim();
    const isInside = rest.quote !== undefined || rest.depth > 0;
    if (isInside) {
      rest = scan(line, rest);
      continue;
    }
    if (line === '' || line.startsWith('#')) continue;
    const bad = () => unusable(path, `is not valid TOML in line ${index + 1}`, 'mend it first');
    const header = HEADER.exec(line)?.[1];
    const pair = PAIR.exec(line);
    if (header !== undefined && DOTTED.test(header)) {
      table = header;
      tables.add(header);
    } else if (pair?.[1] !== undefined && pair[2] !== undefined) {
      values.set(table === '' ? pair[1] : `${table}.${pair[1]}`, pair[2].replace(/\s*#.*$/, ''));
      rest = scan(pair[2], rest);
      if (rest.isBroken === true) throw bad();
    } else throw bad();
  }
  if (rest.quote !== undefined || rest.depth > 0)
    throw unusable(path, 'has a value that never ends', 'mend it first');
  return { tables, values };
}

interface Open {
  /** of a text of several lines */
  readonly quote: '"""' | "'''" | undefined;
  /** brackets that are open */
  readonly depth: number;
  /** a text that ends with its line and was not closed */
  readonly isBroken?: boolean;
}

/** What is still open behind a line. */
function scan(line: string, { quote: open, depth: deep }: Open): Open {
  let [quote, depth] = [open, deep];
  for (let at = 0; at < line.length; ) {
    const three = line.slice(at, at + 3);
    if (quote !== undefined) {
      if (three === quote) {
        quote = undefined;
        at += 3;
      } else at += quote === '"""' && line[at] === '\\' ? 2 : 1;
    } else if (three === '"""' || three === "'''") {
      quote = three;
      at += 3;
    } else if (line[at] === '"' || line[at] === "'") {
      const text = (line[at] === '"' ? /"(?:[^"\\]|\\.)*"/y : /'[^']*'/y) satisfies RegExp;
      text.lastIndex = at;
      const match = text.exec(line);
      if (match === null) return { quote: undefined, depth: 0, isBroken: true };
      at += match[0].length;
    } else {
      if (line[at] === '#') break;
      if (line[at] === '[' || line[at] === '{') depth += 1;
      if (line[at] === ']' || line[at] === '}') depth -= 1;
      at += 1;
    }
  }
  return { quote, depth: Math.max(0, depth) };
}
