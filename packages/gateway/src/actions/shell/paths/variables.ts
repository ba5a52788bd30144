import type { SyntaxNode } from '../words/syntax-tree.ts';
import { readWord, type Word } from '../words/word.ts';

/** One place of a line that gives a variable a value. */
export interface Assignment {
  /** undefined: a value that is not in the line */
  readonly word: Word | undefined;
  /** `x+=…` */
  readonly append: boolean;
}

const NONE: readonly Assignment[] = [];
const ASSIGNS = /(?<![\w-])[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=|\b(?:for|select)\b/;

/**
 * What a line assigns to its variables, wherever it does so: order, branches and subshells play no part, so that a
 * value which a command may see is never missed. The line is walked when somebody first asks.
 */
export class Variables {
  readonly #root: SyntaxNode;
  readonly #source: string;
  /** those of the text that carries this one (`sh -c`) */
  readonly #outer: Variables | undefined;
  #found: Map<string, Assignment[]> | undefined;

  constructor(root: SyntaxNode, source: string, outer?: Variables) {
    this.#root = root;
    this.#source = source;
    this.#outer = outer;
  }

  assigned(name: string): readonly Assignment[] {
    const own = this.#source.includes(name) ? this.#all().get(name) : undefined;
    return own ?? this.#outer?.assigned(name) ?? NONE;
  }

  /** Every word that is assigned to something. */
  words(): readonly Word[] {
    return [...this.#all().values()].flat().flatMap(({ word }) => (word === undefined ? [] : [word]));
  }

  #all(): Map<string, Assignment[]> {
    if (this.#found === undefined) {
      this.#found = new Map();
      if (ASSIGNS.test(this.#source)) this.#collect(this.#root);
    }
    return this.#found;
  }

  #collect(node: SyntaxNode): void {
    if (node.type === 'variable_assignment') this.#collectAssignment(node);
    else if (node.type === 'for_statement') this.#collectLoop(node);
    for (const child of node.children) this.#collect(child);
  }

  #collectAssignment(node: SyntaxNode): void {
    const [name, operator, value] = node.children;
    if (name === undefined || operator === undefined) return;
    const text = /^\w*/.exec(this.#text(name))?.[0] ?? '';
    const append = operator.type === '+=';
    const values = value?.type === 'array' ? value.children : [value];
    for (const part of values) {
      if (part !== undefined && /^[()]$/.test(part.type)) continue;
      this.#add(text, part === undefined ? undefined : readWord(part, this.#source), append);
    }
  }

  #collectLoop(node: SyntaxNode): void {
    const name = node.children.find((child) => child.type === 'variable_name');
    if (name === undefined) return;
    const from = node.children.findIndex((child) => child.type === 'in');
    const values = from === -1 ? [] : node.children.slice(from + 1);
    for (const value of values) {
      if (value.type === 'do_group' || value.type === 'compound_statement') break;
      if (value.end > value.start && !/^[;\n]/.test(value.type))
        this.#add(this.#text(name), readWord(value, this.#source), false);
    }
    if (from === -1) this.#add(this.#text(name), undefined, false);
  }

  #add(name: string, word: Word | undefined, append: boolean): void {
    const list = this.#found?.get(name);
    if (list === undefined) this.#found?.set(name, [{ word, append }]);
    else list.push({ word, append });
  }

  #text(node: SyntaxNode): string {
    return this.#source.slice(node.start, node.end);
  }
}
