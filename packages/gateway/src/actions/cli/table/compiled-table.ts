import { type OptionTable, optionTable, type ParsedArgv } from '../argv-parser.ts';
import type { CliContext } from '../cli-intent.ts';
import { type CliTable, compileRows, pathName, pathsIn, type Row, type RowNode } from './cli-table.ts';
import type { RowKind } from './row-kinds.ts';

/** A table with everything looked up by name. */
export interface CompiledTable {
  readonly program: string;
  readonly table: CliTable;
  readonly root: RowNode;
  readonly globals: OptionTable;
  readonly shows: ReadonlySet<string>;
  readonly where: ReadonlySet<string>;
  readonly places: ReadonlySet<string>;
  readonly outputs: ReadonlySet<string>;
  readonly texts: ReadonlySet<string>;
  readonly traps: ReadonlyMap<string, string>;
  readonly raises: ReadonlyMap<string, RowKind>;
  readonly passes: ReadonlySet<string>;
  readonly runs: ReadonlySet<string>;
  /** the options of a row */
  optionsOf(path: string): OptionTable;
}

/** What a reader of a table may be asked to see beside the words. */
export interface TableReading {
  readonly table: CompiledTable;
  readonly row: Row;
  /** options before the subcommand, and everything after it */
  readonly parsed: ParsedArgv;
  /** the words after the subcommand */
  readonly words: readonly string[];
  readonly context: CliContext;
}

export function compileTable(program: string, table: CliTable): CompiledTable {
  const shared = optionTable(table.globals ?? {}, table.options ?? {});
  const own = new Map(
    Object.entries(table.own ?? {}).flatMap(([paths, rows]) => {
      const options = optionTable(table.globals ?? {}, table.options ?? {}, rows);
      return pathsIn(paths).map((path) => [pathName(path), options] as const);
    }),
  );
  return {
    program,
    table,
    root: compileRows(table),
    globals: optionTable(table.globals ?? {}),
    shows: namesIn(table.help ?? '-h --help'),
    where: namesIn(table.where),
    places: namesIn(table.places),
    outputs: namesIn(table.outputs),
    texts: namesIn(table.texts),
    traps: new Map(Object.entries(table.traps ?? {}).flatMap(([names, reason]) => each(names, reason))),
    raises: new Map(Object.entries(table.raises ?? {}).flatMap(([names, kind]) => each(names, kind))),
    passes: pathNames(table.passes),
    runs: pathNames(table.runs),
    optionsOf: (path) => own.get(path) ?? shared,
  };
}

function each<Value>(names: string, value: Value): readonly (readonly [string, Value])[] {
  return [...namesIn(names)].map((name) => [name, value] as const);
}

function namesIn(text = ''): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((name) => name !== ''));
}

function pathNames(text = ''): ReadonlySet<string> {
  return new Set(pathsIn(text).map(pathName));
}
