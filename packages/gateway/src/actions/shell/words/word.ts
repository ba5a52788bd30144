import { decodeAnsiC } from './ansi-c.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/** One word of a command line. */
export interface Word {
  /** the value after quote removal when `literal`, else the text as written */
  readonly text: string;
  readonly literal: boolean;
  /** an unquoted expansion: may become none or several words, of any content, when it runs */
  readonly splits: boolean;
  /** an unquoted glob or brace expansion: may become several words, each with this `prefix` */
  readonly patterns: boolean;
  /** what the value surely begins with */
  readonly prefix: string;
  /** begins with a `~` that the shell will not expand */
  readonly quotedTilde: boolean;
  /** begins with a `~` that the shell replaces by the home folder */
  readonly tilde: boolean;
  /** why the word makes the whole command unknown, for instance history expansion */
  readonly problem?: string;
  /** how it is put together, where it is not `literal` */
  readonly shape?: WordShape;
  readonly start: number;
}

/** A word that the shell will make something else of, for whoever asks what that may be. */
export interface WordShape {
  /** decoded; one `?` in the place of each expansion */
  readonly value: string;
  /** one character for each of `value`: itself when unquoted, else QUOTED; EXPANDED for an expansion */
  readonly skeleton: string;
  readonly expansions: readonly SyntaxNode[];
  /** the text that the expansions are places in */
  readonly source: string;
}

const SIMPLE = /^[A-Za-z0-9_.,:/@%+-][A-Za-z0-9_.,:/=@%+-]*$/;
// Private-use characters, which `input-check.ts` refuses, so no line can contain them.
export const QUOTED = '\ue000';
export const EXPANDED = '\ue001';
const ALL_QUOTED = /^\ue000+$/;
const REPLACED = 'a `!` that an interactive shell would replace';
const HISTORY = /![^\s=("'`]/;

interface Parts {
  /** decoded value; meaningless from the first expansion on */
  value: string;
  /** one character for each of `value`: itself when unquoted, else QUOTED; EXPANDED for an expansion */
  skeleton: string;
  splits: boolean;
  problem?: string;
  readonly expansions: SyntaxNode[];
}

/** Reads one word. Never throws; what it cannot read is not `literal`. */
export function readWord(node: SyntaxNode, source: string): Word {
  const written = source.slice(node.start, node.end);
  if (SIMPLE.test(written)) return literalWord(written, node.start);
  const parts: Parts = { value: '', skeleton: '', splits: false, expansions: [] };
  addPart(node, source, false, parts);
  return finish(parts, written, node.start, source);
}

/** A word whose value is known to the letter. */
export function literalWord(text: string, start: number): Word {
  return {
    text,
    literal: true,
    splits: false,
    patterns: false,
    prefix: text,
    quotedTilde: false,
    tilde: false,
    start,
  };
}

function finish(parts: Parts, written: string, start: number, source: string): Word {
  const { skeleton, value } = parts;
  // Quoted from end to end, as most texts are: nothing in it means anything.
  if (parts.problem === undefined && ALL_QUOTED.test(skeleton) && !value.startsWith('~'))
    return literalWord(value, start);
  const brace = hasBraceExpansion(skeleton);
  const glob = /[*?[]/.test(skeleton);
  const home = /^~(?:\/|$)/.test(skeleton);
  const otherTilde = !home && /^(?:~|[A-Za-z_][A-Za-z0-9_]*=(?:[\s\S]*:)?~)/.test(skeleton);
  // zsh replaces `=name` by the path of the program.
  const equals = /^=[A-Za-z]/.test(skeleton);
  const expanded = skeleton.includes(EXPANDED);
  const problem = parts.problem ?? (/![^\s=(]/.test(skeleton) ? REPLACED : undefined);
  const literal = !(brace || glob || otherTilde || equals || expanded);
  const firstSpecial = skeleton.search(/[*?[{\ue001]/);
  const prefix = otherTilde || equals ? '' : firstSpecial < 0 ? value : value.slice(0, firstSpecial);
  return {
    text: literal ? value : written,
    literal,
    splits: parts.splits,
    patterns: brace || glob,
    prefix,
    quotedTilde: value.startsWith('~') && skeleton[0] === QUOTED,
    tilde: home,
    ...(problem === undefined ? {} : { problem }),
    ...(literal ? {} : { shape: { value, skeleton, expansions: parts.expansions, source } }),
    start,
  };
}

function addPart(node: SyntaxNode, source: string, quoted: boolean, parts: Parts): void {
  const text = source.slice(node.start, node.end);
  switch (node.type) {
    case 'concatenation':
    case 'command_name':
      for (const child of node.children) addPart(child, source, quoted, parts);
      return;
    case 'translated_string':
      // Its text depends on a message catalogue.
      addExpansion(node, parts, true);
      return;
    case 'word':
    case 'variable_name':
    case 'test_operator':
    case 'regex':
    case 'extglob_pattern':
      addUnquoted(text, parts);
      return;
    case 'number':
      if (node.children.length > 0) addExpansion(node, parts, quoted);
      else addUnquoted(text, parts);
      return;
    case 'raw_string':
      addQuoted(text.slice(1, -1), parts);
      return;
    case 'ansi_c_string': {
      const decoded = decodeAnsiC(text.slice(2, -1));
      if (decoded === undefined) addExpansion(node, parts, true);
      else addQuoted(decoded, parts);
      return;
    }
    case 'string':
      addString(node, source, parts);
      return;
    case '$':
      addQuoted('$', parts);
      return;
    case 'brace_expression':
      addUnquoted(text, parts);
      return;
    case 'simple_expansion':
    case 'expansion':
    case 'command_substitution':
    case 'process_substitution':
    case 'arithmetic_expansion':
      addExpansion(node, parts, quoted || node.type === 'process_substitution');
      return;
    // open: any node of the shell's grammar
    default:
      if (node.children.length === 0) addUnquoted(text, parts);
      else addExpansion(node, parts, false);
  }
}

function addString(node: SyntaxNode, source: string, parts: Parts): void {
  let at = node.start + 1;
  for (const child of node.children.slice(1, -1)) {
    addDoubleQuoted(source.slice(at, child.start), parts);
    const literal = literalCat(child, source);
    if (child.type === 'string_content') addDoubleQuoted(source.slice(child.start, child.end), parts);
    else if (child.type === '$') addQuoted('$', parts);
    else if (literal !== undefined) addQuoted(literal, parts);
    else addExpansion(child, parts, !/^\$(?:@|\{[^}]*\[@\])/.test(source.slice(child.start, child.end)));
    at = child.end;
  }
  addDoubleQuoted(source.slice(at, node.end - 1), parts);
}

// `"$(cat <<'EOF' … EOF)"` is how agents pass a long literal: its value is the body, and `cat` is judged as well.
const LITERAL_CAT = /^\$\(cat <<\s?(['"])([A-Za-z0-9_]+)\1\n([\s\S]*?)\n\2\n?[ \t]*\)$/;
function literalCat(node: SyntaxNode, source: string): string | undefined {
  if (node.type !== 'command_substitution') return undefined;
  const match = LITERAL_CAT.exec(source.slice(node.start, node.end));
  const [delimiter = '', body] = match?.slice(2) ?? [];
  // SECURITY: an earlier line that is the delimiter ends the text there, and commands follow.
  if (body === undefined || body.split('\n').includes(delimiter)) return undefined;
  return body.replace(/\n+$/, '');
}

function addExpansion(node: SyntaxNode, parts: Parts, quoted: boolean): void {
  parts.expansions.push(node);
  parts.skeleton += EXPANDED;
  parts.value += '?';
  if (!quoted) parts.splits = true;
}

function addQuoted(text: string, parts: Parts): void {
  parts.value += text;
  parts.skeleton += QUOTED.repeat(text.length);
}

function addDoubleQuoted(text: string, parts: Parts): void {
  if (text === '') return;
  if (text.includes('!') && HISTORY.test(text)) parts.problem = REPLACED;
  if (!text.includes('\\')) {
    addQuoted(text, parts);
    return;
  }
  addQuoted(
    text.replace(/\\([$`"\\\n])/g, (_, char: string) => (char === '\n' ? '' : char)),
    parts,
  );
}

function addUnquoted(text: string, parts: Parts): void {
  if (text.includes('!') && HISTORY.test(text)) parts.problem = REPLACED;
  if (!text.includes('\\')) {
    parts.value += text;
    parts.skeleton += text;
    return;
  }
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charAt(i);
    if (char === '\\' && i + 1 < text.length) {
      i += 1;
      addQuoted(text.charAt(i), parts);
    } else {
      parts.value += char;
      parts.skeleton += char;
    }
  }
}

// By hand: a regular expression with two stars takes cubic time on `{,{,{,`.
function hasBraceExpansion(skeleton: string): boolean {
  const open = skeleton.indexOf('{');
  const close = skeleton.lastIndexOf('}');
  if (open < 0 || close < open) return false;
  const inside = skeleton.slice(open, close);
  return inside.includes(',') || inside.includes('..');
}
