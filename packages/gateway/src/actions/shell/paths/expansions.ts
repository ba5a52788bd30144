import type { Folders } from '../words/cwd-scope.ts';
import type { SyntaxNode } from '../words/syntax-tree.ts';
import { readWord, type Word } from '../words/word.ts';
import { ANY, BRACKET_OPEN, GLOB } from './marks.ts';
import type { Variables } from './variables.ts';

/** What is known where a word stands. */
export interface Known {
  readonly home: string;
  readonly folders: Folders;
  readonly variables: Variables;
  /** values that may still be made for this line; below zero: some are missing */
  readonly budget: { left: number };
  /** everything that a word may become */
  readonly valuesOf: (word: Word, known: Known) => readonly string[];
  /** how many variables deep this is */
  readonly depth: number;
}

const UNKNOWN: readonly string[] = [ANY];
const DEEPEST = 6;
const BRACED = /^\$\{([A-Za-z_]\w*|\d+|[@*?$!#-])(?:\[[^\]]*\])?([\s\S]*)\}$/;

/** What an expansion may become, as far as the line says so. */
export function expansionValues(node: SyntaxNode, source: string, known: Known): readonly string[] {
  if (known.depth > DEEPEST) return UNKNOWN;
  const text = source.slice(node.start, node.end);
  switch (node.type) {
    case 'simple_expansion':
      return variableValues(text.slice(1), known);
    case 'expansion':
      return bracedValues(text, known);
    case 'command_substitution':
      return substitutionValues(node, source, known);
    // open: any node of the shell's grammar
    default:
      return UNKNOWN;
  }
}

function variableValues(name: string, known: Known): readonly string[] {
  if (name === 'HOME') return homes(known);
  const assigned = known.variables.assigned(name);
  if (assigned.length === 0) return name === 'PWD' ? (known.folders ?? UNKNOWN) : UNKNOWN;
  const deeper = { ...known, depth: known.depth + 1 };
  let values: string[] = [];
  for (const { word, append } of assigned) {
    const own = word === undefined ? UNKNOWN : known.valuesOf(word, deeper);
    const before = append ? values : [];
    values = [
      ...values,
      ...(before.length === 0 ? own : before.flatMap((text) => own.map((end) => text + end))),
    ];
    known.budget.left -= values.length;
    if (known.budget.left < 0) return UNKNOWN;
  }
  // The shell looks for wildcards in a value too, unless the expansion is quoted.
  return [...new Set(values.map((value) => value.replaceAll(/[*?]/g, GLOB).replaceAll('[', BRACKET_OPEN)))];
}

/** What `~` and `$HOME` may be: what the line makes of it, and what it was. */
export function homes(known: Known): readonly string[] {
  // A client that did not say where its home is.
  const own = known.home === '/' ? ['', ANY] : [known.home];
  const assigned = known.variables.assigned('HOME');
  if (assigned.length === 0 || known.depth > 4) return own;
  const deeper = { ...known, depth: known.depth + 1 };
  const values = assigned.flatMap(({ word }) => (word === undefined ? [ANY] : known.valuesOf(word, deeper)));
  return [...own, ...values];
}

/** `${x}` and its forms. What cuts a value leaves the whole value as one that may come out. */
function bracedValues(text: string, known: Known): readonly string[] {
  const match = BRACED.exec(text);
  const [, name, rest = ''] = match ?? [];
  if (name === undefined) return UNKNOWN;
  const values = variableValues(name, known);
  if (rest === '') return values;
  const other = /^:?[-=+]([\s\S]*)$/.exec(rest)?.[1];
  if (other !== undefined) return [...values, ...plainValues(other, known)];
  const swap = /^\/\/?([^/\\*?[$`]+)(?:\/([^$`]*))?$/.exec(rest);
  const [, from, to = ''] = swap ?? [];
  if (from !== undefined) return [...values, ...values.map((value) => value.replaceAll(from, to))];
  return /^[%#/^,:]/.test(rest) ? [...values, ANY] : UNKNOWN;
}

/** A default that stands in the expansion, when it is plain text. */
function plainValues(text: string, known: Known): readonly string[] {
  const bare = text.replaceAll(/["']/g, '');
  if (/[$`\\]/.test(bare)) return UNKNOWN;
  return /^~(?:\/|$)/.test(bare) ? homes(known).map((home) => home + bare.slice(1)) : [bare];
}

/** `$(pwd)`, `$(echo a)`, `$(printf %s a)`: what a person reads at once. */
function substitutionValues(node: SyntaxNode, source: string, known: Known): readonly string[] {
  const inside = node.children.filter(
    (child) => child.end > child.start && !/^(?:\$\(|`|\))$/.test(child.type),
  );
  const [command, ...more] = inside;
  if (command?.type !== 'command' || more.length > 0) return UNKNOWN;
  const [first, ...rest] = command.children.map((child) => readWord(child, source));
  const args = rest.filter((word) => !/^-[neEPL]+$/.test(word.text));
  switch (first?.text) {
    case 'pwd':
      return known.folders ?? UNKNOWN;
    case 'echo':
      return joined(args, ' ');
    case 'printf': {
      const [format, ...values] = args;
      if (format?.literal !== true) return UNKNOWN;
      if (!format.text.includes('%')) return [format.text];
      return /^(?:%s|\\n)+$/.test(format.text) ? joined(values, '') : UNKNOWN;
    }
    // open: any command
    default:
      return UNKNOWN;
  }

  function joined(words: typeof args, separator: string): readonly string[] {
    const deeper = { ...known, depth: known.depth + 1 };
    let texts: readonly string[] = [''];
    for (const [index, word] of words.entries()) {
      const values = known.valuesOf(word, deeper);
      if (texts.length * values.length > Math.max(1, known.budget.left)) return UNKNOWN;
      texts = texts.flatMap((text) =>
        values.map((value) => (index === 0 ? value : text + separator + value)),
      );
    }
    return texts;
  }
}
