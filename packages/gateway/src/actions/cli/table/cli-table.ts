import type { ArgvStyle, OptionRows } from '../argv-parser.ts';
import type { RowKind } from './row-kinds.ts';

/**
 * What is known of a program, as plain data.
 *
 * Rows are paths of subcommands by kind, separated by commas; a word may have aliases, the name that people see first:
 * `image|images ls|list, pull`. Lists of options are separated by blanks and give the name that `OptionRows` ends with.
 */
export interface CliTable {
  readonly style?: ArgvStyle;
  /** options that may stand anywhere: before, between and after the words of a subcommand */
  readonly globals?: OptionRows;
  /** options after the subcommand */
  readonly options?: OptionRows;
  /** options that mean something else for some rows */
  readonly own?: Readonly<Record<string, OptionRows>>;
  readonly rows: Readonly<Partial<Record<RowKind, string>>>;
  /** rows whose effect nobody can tell, each with the reason */
  readonly unknowable?: Readonly<Record<string, string>>;
  /** rows whose words after the first operand belong to another program, or to a script */
  readonly passes?: string;
  /** rows whose words are the command line of another program that is judged in their place */
  readonly runs?: string;
  /** the row that is a program of its own, of that name behind a dash: `docker compose` */
  readonly nests?: string;
  /** rows of which only so many operands are the object; otherwise all are */
  readonly objects?: Readonly<Record<string, number>>;
  /** what the program does without a subcommand; in a table without rows, with whatever it is given */
  readonly bare?: RowKind;
  /** the program's options for help, where they are not `-h` and `--help` */
  readonly help?: string;
  /** options with which a row is of another kind: `--fix` */
  readonly raises?: Readonly<Record<string, RowKind>>;
  /** what only looks stays so, whichever part of the machine is looked at: `npm ls --global` */
  readonly looksStay?: true;
  /** the option with which a write only shows what it would do */
  readonly dry?: { readonly option: string; readonly as: RowKind };
  /** options that choose where: context, profile, project, namespace, registry */
  readonly where?: string;
  /** the option that names a context: without it, the current one is meant */
  readonly setting?: string;
  /** the option that names a repository: without it, that of the folder is meant */
  readonly repository?: string;
  /** options whose value is a file or folder that it works on */
  readonly places?: string;
  /** options whose value is a file that it writes */
  readonly outputs?: string;
  /** options whose value is a text for people: addresses in it are not dialled */
  readonly texts?: string;
  /** options that run other code, or lead elsewhere, each with the reason */
  readonly traps?: Readonly<Record<string, string>>;
  /** a first word that says which version of the program runs: `cargo +nightly` */
  readonly version?: RegExp;
  /** operands are container images, which may begin with a host */
  readonly images?: true;
  /** a word that begins with `@` names a file with more words */
  readonly responseFiles?: true;
}

/** One row, ready to be read. */
export interface Row {
  /** the words of the subcommand, aliases replaced: `image ls` */
  readonly path: string;
  readonly kind: RowKind | undefined;
  /** why its effect cannot be told */
  readonly unknowable?: string;
}

/** The words of subcommands as a tree. */
export interface RowNode {
  readonly kids: Map<string, RowNode>;
  row?: Row;
}

/** Compiles the rows of a table. The root is the program without a subcommand. A path that is there twice is a mistake in the table. */
export function compileRows({ rows, bare, runs = '', unknowable = {} }: CliTable): RowNode {
  const root: RowNode = { kids: new Map() };
  if (bare !== undefined) root.row = { path: '', kind: bare };
  for (const [kind, text] of Object.entries(rows)) {
    // The keys of `rows` are kinds: its type says so.
    for (const path of pathsIn(text)) addRow(root, path, kind as RowKind, undefined);
  }
  for (const path of pathsIn(runs)) if (path[0] !== '.') addRow(root, path, 'code', undefined);
  for (const [paths, reason] of Object.entries(unknowable))
    for (const path of pathsIn(paths)) addRow(root, path, undefined, reason);
  return root;
}

/** Paths of a list, each word with its aliases. */
export function pathsIn(text: string): readonly (readonly string[])[] {
  return text
    .split(',')
    .map((path) => path.trim().split(/\s+/))
    .filter((path) => path[0] !== '');
}

/** A path as it is named in an operation. `.` stands for the program without a subcommand. */
export function pathName(path: readonly string[]): string {
  return path[0] === '.' ? '' : path.map((word) => word.split('|')[0]).join(' ');
}

function addRow(
  root: RowNode,
  path: readonly string[],
  kind: RowKind | undefined,
  reason: string | undefined,
): void {
  const row: Row = {
    path: pathName(path),
    kind,
    ...(reason === undefined ? {} : { unknowable: reason }),
  };
  let ends: RowNode[] = [root];
  for (const word of path) ends = ends.flatMap((end) => word.split('|').map((name) => kidOf(end, name)));
  for (const end of ends) {
    if (end.row !== undefined) throw new Error(`\`${row.path}\` is in the table twice`);
    end.row = row;
  }
}

function kidOf(node: RowNode, name: string): RowNode {
  const known = node.kids.get(name);
  if (known !== undefined) return known;
  const kid: RowNode = { kids: new Map() };
  node.kids.set(name, kid);
  return kid;
}

/** Every row of a tree once, whatever its aliases. */
export function rowsOf(root: RowNode): readonly Row[] {
  const found = new Set<Row>();
  const visit = ({ row, kids }: RowNode): void => {
    if (row !== undefined) found.add(row);
    for (const kid of kids.values()) visit(kid);
  };
  visit(root);
  return [...found];
}
