import { Language, Parser, type TreeCursor } from 'web-tree-sitter';
import { ownFile } from '../../../shared/own-files.ts';

/** One node of the syntax tree, copied out of the parser's memory. */
export interface SyntaxNode {
  readonly type: string;
  /** UTF-16 offsets into the source */
  readonly start: number;
  readonly end: number;
  readonly children: readonly SyntaxNode[];
}

export type ParseOutcome =
  | { readonly kind: 'tree'; readonly root: SyntaxNode; readonly nodes: number; readonly hasError: boolean }
  | { readonly kind: 'refused'; readonly reason: string };

export type ParseShell = (source: string) => ParseOutcome;

const MAX_NODES = 6_000;
const MAX_DEPTH = 200;
/** CPU time of this thread that one parse may take, in `µs` */
const MAX_PARSE_CPU_US = 12_000;
/** calls of the parser's progress callback, one for each 100 steps, before time is looked at: asking costs a system call */
const FREE_CALLS = 8;
const ERROR_SYMBOL = 0xffff;

/**
 * Loads the grammar once. The returned function never throws and never keeps parser memory; a tree that is too
 * large, too deep or takes too long is `refused`.
 */
export async function createShellParser(): Promise<ParseShell> {
  await Parser.init({ locateFile: () => ownFile('web-tree-sitter.wasm') });
  const language = await Language.load(ownFile('tree-sitter-bash.wasm'));
  const parser = new Parser();
  parser.setLanguage(language);
  const types = language.types;

  return (source) => {
    let calls = 0;
    let began: NodeJS.CpuUsage | undefined;
    // SECURITY: error recovery is quadratic for some inputs. CPU time, not the clock: a busy machine must not
    // change an answer. The library reads the returned boolean, though its type says void.
    const progressCallback = (): boolean => {
      calls += 1;
      if (calls < FREE_CALLS) return false;
      began ??= process.threadCpuUsage();
      const { user, system } = process.threadCpuUsage(began);
      return user + system > MAX_PARSE_CPU_US;
    };
    const tree = parser.parse(source, null, { progressCallback });
    if (tree === null) {
      parser.reset();
      return { kind: 'refused', reason: 'the line takes too long to parse' };
    }
    const cursor = tree.walk();
    try {
      const copy = copyTree(cursor, types);
      if (copy === undefined)
        return { kind: 'refused', reason: 'the line is nested too deeply or too large' };
      return { kind: 'tree', root: copy.root, nodes: copy.nodes, hasError: tree.rootNode.hasError };
    } finally {
      cursor.delete();
      tree.delete();
    }
  };
}

function copyTree(
  cursor: TreeCursor,
  types: readonly string[],
): { root: SyntaxNode; nodes: number } | undefined {
  let nodes = 0;
  const copy = (depth: number): SyntaxNode | undefined => {
    nodes += 1;
    if (nodes > MAX_NODES || depth > MAX_DEPTH) return undefined;
    const id = cursor.nodeTypeId;
    const type = id === ERROR_SYMBOL ? 'ERROR' : (types[id] ?? 'ERROR');
    const start = cursor.startIndex;
    const end = cursor.endIndex;
    if (!cursor.gotoFirstChild()) return { type, start, end, children: NO_CHILDREN };
    const children: SyntaxNode[] = [];
    do {
      const child = copy(depth + 1);
      if (child === undefined) return undefined;
      children.push(child);
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
    return { type, start, end, children };
  };
  const root = copy(0);
  return root === undefined ? undefined : { root, nodes };
}

const NO_CHILDREN: readonly SyntaxNode[] = [];
