import { type ParsedArgv, type ParsedOption, parseArgv } from '../argv-parser.ts';
import type { Row } from './cli-table.ts';
import type { CompiledTable } from './compiled-table.ts';

interface FoundRow {
  readonly row: Row | undefined;
  /** the words of subcommands that were understood */
  readonly path: readonly string[];
  /** options that stand before and between them */
  readonly before: ParsedArgv;
  /** what follows */
  readonly words: readonly string[];
}

/** Goes down the tree of subcommands as far as the words name one. */
export function findRow(compiled: CompiledTable, argv: readonly string[]): FoundRow {
  const { root, globals, table } = compiled;
  const options: ParsedOption[] = [];
  const doubts: string[] = [];
  const path: string[] = [];
  let node = root;
  let words: readonly string[] = argv.slice(table.version?.test(argv[1] ?? '') === true ? 2 : 1);
  while (node.kids.size > 0) {
    const parsed = parseArgv(words, globals, { ...table.style, stopAtPositional: true });
    const kid = parsed.afterDashes === undefined ? node.kids.get(parsed.rest[0] ?? '') : undefined;
    // An option that only this row has: it begins what the row is given.
    if (node !== root && node.row !== undefined && (kid === undefined || parsed.doubts.length > 0)) break;
    if (node === root && kid === undefined && isBare(compiled, words)) break;
    options.push(...parsed.options);
    doubts.push(...parsed.doubts);
    words = parsed.rest;
    if (kid === undefined) break;
    path.push(words[0] ?? '');
    words = words.slice(1);
    node = kid;
  }
  const isLost = node === root && root.kids.size > 0 && words.length > 0 && !isBare(compiled, words);
  return {
    row: isLost ? undefined : node.row,
    path,
    before: { options, positionals: [], rest: [], doubts },
    words,
  };
}

/** SECURITY: a first word that is no subcommand is an unknown one, never an operand of the program alone. */
function isBare({ root, table, optionsOf }: CompiledTable, words: readonly string[]): boolean {
  return root.row !== undefined && parseArgv(words, optionsOf(''), table.style).positionals.length === 0;
}
