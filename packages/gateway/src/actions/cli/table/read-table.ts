import type { HostFact } from '@sallyport/protocol';
import { type ParsedArgv, parseArgv } from '../argv-parser.ts';
import {
  asUnknown,
  type CliClassifier,
  type CliContext,
  type CliIntent,
  unknownVerb,
} from '../cli-intent.ts';
import { repositoryOfFolder, shownWord } from '../cli-object.ts';
import { hostFact, withHosts } from '../host-text.ts';
import { hostsInWords } from '../named-hosts.ts';
import type { CliTable, Row } from './cli-table.ts';
import { type CompiledTable, compileTable, type TableReading } from './compiled-table.ts';
import { findRow } from './find-row.ts';
import { operationOf, wordsOf } from './operation-text.ts';
import { intentOf, type RowKind } from './row-kinds.ts';
import { isOn, leadsAway, mayBeOn, outputReason, trapReason } from './table-traps.ts';

/** Reads the command line of another program; undefined when nobody knows that program. */
export type ReadInner = (argv: readonly string[], context: CliContext) => CliIntent | undefined;

/** Looks at one reading more closely than the table can: which kind it is, or why it cannot be known. */
export type Refine = (reading: TableReading, kind: RowKind) => RowKind | { readonly unknown: string };

/** A classifier from a table. The table is compiled when the program is first seen. */
export function tableClassifier(
  program: string,
  definition: CliTable,
  inner: ReadInner,
  refine?: Refine,
): CliClassifier {
  let compiled: CompiledTable | undefined;
  return (argv, context) => {
    compiled ??= compileTable(program, definition);
    return readTable(compiled, argv, context, inner, refine);
  };
}

function readTable(
  table: CompiledTable,
  argv: readonly string[],
  context: CliContext,
  inner: ReadInner,
  refine: Refine | undefined,
): CliIntent {
  const { before, row, path, words } = findRow(table, argv);
  if (row === undefined) return withoutRow(table, before, path, words);
  if (row.unknowable !== undefined) {
    const base = intentOf('critical', row.path);
    return asUnknown(base, row.unknowable);
  }
  if (row.path === table.table.nests) {
    const nested = inner([`${table.program}-${row.path}`, ...words], context);
    return nest(table, row, before, nested);
  }
  if (table.runs.has(row.path)) return readInner(table, row, before, words, context, inner);
  const stopAtPositional = table.passes.has(row.path);
  const after = parseArgv(words, table.optionsOf(row.path), { ...table.table.style, stopAtPositional });
  const parsed: ParsedArgv = {
    options: [...before.options, ...after.options],
    // What a script is given counts as an operand, and is not read.
    positionals: stopAtPositional ? after.rest : after.positionals,
    ...(after.afterDashes === undefined ? {} : { afterDashes: after.afterDashes }),
    rest: [],
    doubts: [...before.doubts, ...after.doubts],
  };
  return judge({ table, row, parsed, words, context }, before.doubts[0], refine);
}

function judge(reading: TableReading, early: string | undefined, refine: Refine | undefined): CliIntent {
  const { table, row, parsed } = reading;
  if (onlyShows(table, row, parsed)) return intentOf('look', `${row.path} --help`.trim());
  const plain = kindOf(reading);
  const refined = refine === undefined ? plain : refine(reading, plain);
  const kind = typeof refined === 'string' ? refined : plain;
  const intent = describe(reading, kind);
  const reason =
    early ??
    (typeof refined === 'string' ? undefined : refined.unknown) ??
    doubtOf(parsed, intent, kind) ??
    trapReason(table, parsed, reading.words) ??
    outputReason(reading) ??
    leadsAway(reading, kind);
  if (reason !== undefined) return asUnknown(intent, reason);
  if (intent.reach !== 'remote') return intent;
  const words = hostsInWords([table.program, ...wordsOf(reading)]);
  return withHosts(
    intent,
    table.table.images === true ? [...words, ...parsed.positionals.flatMap(registryOf)] : words,
  );
}

/** `ghcr.io/acme/app:1`: a first part with a dot or a port is a host. */
function registryOf(image: string): readonly HostFact[] {
  const [, host = '', port] =
    /^(localhost|[^/:]*\.[^/:]*|[^/:]+(?=:\d+\/))(?::(\d{1,5}))?\//.exec(image) ?? [];
  return hostFact(host, port === undefined ? 443 : Number(port));
}

/** `--help`, and without a subcommand `--version`. */
function onlyShows({ shows }: CompiledTable, { path }: Row, parsed: ParsedArgv): boolean {
  if (parsed.doubts.length > 0) return false;
  return parsed.options.some(
    ({ name }) => (shows.has(name) || (path === '' && VERSION.has(name))) && isOn(parsed, name),
  );
}

/** SECURITY: what reads must be understood to the last word; a doubt about it is a doubt about all of it. */
function doubtOf(parsed: ParsedArgv, intent: CliIntent, kind: RowKind): string | undefined {
  return intent.effect === 'read' || kind === 'edit' ? parsed.doubts[0] : undefined;
}

function kindOf({ table, row, parsed }: TableReading): RowKind {
  // The rows without a kind were answered before.
  let kind = row.kind ?? 'critical';
  const looks = table.table.looksStay === true && (kind === 'look' || kind === 'ask');
  for (const [name, raised] of table.raises)
    if (mayBeOn(parsed, name) && !(looks && raised === 'host')) kind = raised;
  const { dry } = table.table;
  return dry !== undefined && isOn(parsed, dry.option) && parsed.doubts.length === 0 ? dry.as : kind;
}

function describe(reading: TableReading, kind: RowKind): CliIntent {
  const { operation, object } = operationOf(reading, kind);
  const intent = intentOf(kind, placeOf(reading, operation));
  return object === undefined ? intent : { ...intent, object };
}

/** The operation with what the program goes by where its words do not say: a repository, a context. */
function placeOf({ table, parsed, context }: TableReading, operation: string): string {
  const { repository, setting } = table.table;
  const found = [
    { option: repository, value: () => repositoryOfFolder(context) },
    { option: setting, value: () => context.settingOf?.(table.program) },
  ].flatMap(({ option, value }) => {
    if (option === undefined || parsed.options.some(({ name }) => name === option)) return [];
    const current = value();
    return current === undefined ? [] : [`${option}=${shownWord(current)}`];
  });
  return [operation, ...found].join(' ');
}

/** The command that follows, judged as it stands. */
function readInner(
  table: CompiledTable,
  row: Row,
  before: ParsedArgv,
  words: readonly string[],
  context: CliContext,
  inner: ReadInner,
): CliIntent {
  const parsed = parseArgv(words, table.optionsOf(row.path), {
    ...table.table.style,
    stopAtPositional: true,
  });
  const [program, ...rest] = parsed.rest;
  const reading = {
    table,
    row,
    words: words.slice(0, words.length - parsed.rest.length),
    context,
    parsed: { ...parsed, options: [...before.options, ...parsed.options] },
  };
  if (onlyShows(table, row, reading.parsed)) return intentOf('look', `${row.path} --help`.trim());
  const known = program === undefined ? undefined : inner([program, ...rest], context);
  const path = row.path === '' ? table.program : row.path;
  // A program without subcommands has its own name for an operation.
  const own = known?.operation === program?.replace(/(?<=.)@[^/]*$/, '') ? undefined : known?.operation;
  const intent: CliIntent =
    known === undefined
      ? { ...intentOf('code', path), object: parsed.rest.map(shownWord).join(' ') }
      : { ...known, operation: [path, program, own].filter(Boolean).join(' ') };
  const reason =
    before.doubts[0] ??
    parsed.doubts[0] ??
    trapReason(table, reading.parsed, reading.words) ??
    leadsAway(reading, 'work');
  return reason === undefined ? intent : asUnknown(intent, reason);
}

/** A subcommand that is a program of its own. */
function nest(table: CompiledTable, row: Row, before: ParsedArgv, nested: CliIntent | undefined): CliIntent {
  const where = before.options
    .filter(({ name }) => table.where.has(name))
    .map(({ name, value }) => `${name}=${value}`);
  const known = nested ?? unknownVerb(table.program, row.path);
  const operation = [...where, row.path, known.operation].filter(Boolean).join(' ');
  const reason = before.doubts[0] ?? trapReason(table, before, []);
  return reason === undefined ? { ...known, operation } : asUnknown({ ...known, operation }, reason);
}

function withoutRow(
  table: CompiledTable,
  before: ParsedArgv,
  path: readonly string[],
  words: readonly string[],
): CliIntent {
  const only = words.length === 0 && before.doubts.length === 0 && before.options.length > 0;
  const shows = before.options.every(({ name }) => table.shows.has(name) || VERSION.has(name));
  // `docker --version`, `docker image --help`
  if (only && shows && before.options.some(({ name }) => isOn(before, name)))
    return intentOf('look', path.length === 0 ? 'version' : `${path.join(' ')} --help`);
  const verb = [...path, ...words.slice(0, 1)].join(' ');
  return unknownVerb(table.program, verb === '' ? undefined : verb);
}

const VERSION: ReadonlySet<string> = new Set(['--version', '-version', '-v', '-V']);
