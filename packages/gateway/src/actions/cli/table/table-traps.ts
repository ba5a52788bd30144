import type { ParsedArgv } from '../argv-parser.ts';
import { awayReason, isInsideCwd } from '../output-file.ts';
import type { CompiledTable, TableReading } from './compiled-table.ts';
import { isWorkspaceKind, type RowKind } from './row-kinds.ts';

const OFF: ReadonlySet<string> = new Set(['false', '0', 'no', 'off', 'none', '']);
const ON: ReadonlySet<string> = new Set(['true', '1', 'yes', 'on', 'client', 'server', 'all']);

/** Whether an option is given, each time as something that is switched on. */
export function isOn(parsed: ParsedArgv, name: string): boolean {
  let found = false;
  const off = `--no-${name.slice(2)}`;
  for (const option of parsed.options) {
    if (option.name === off) return false;
    if (option.name !== name) continue;
    if (option.value !== undefined && !ON.has(option.value.toLowerCase())) return false;
    found = true;
  }
  return found;
}

/** Whether an option is given and nothing says that it is off. */
export function mayBeOn(parsed: ParsedArgv, name: string): boolean {
  return parsed.options.some(
    (option) => option.name === name && !(option.value !== undefined && OFF.has(option.value.toLowerCase())),
  );
}

/** Why an option makes the command more than its row says. */
export function trapReason(
  { traps, table: { style, responseFiles } }: CompiledTable,
  parsed: ParsedArgv,
  words: readonly string[],
): string | undefined {
  if (traps.size > 0) {
    for (const { name } of parsed.options) {
      const reason = traps.get(name);
      if (reason !== undefined) return `\`${name}\` ${reason}`;
    }
  }
  // SECURITY: behind an option that nobody knows, words may stand for something else than they were taken for.
  if (parsed.doubts.length > 0) {
    for (const word of words) {
      if (word === '--') break;
      const [name = ''] = word.split('=', 1);
      for (const [trap, reason] of traps) {
        const meant =
          name === trap ||
          (style?.abbreviations === true &&
            name.length > 3 &&
            trap.startsWith('--') &&
            trap.startsWith(name));
        if (meant) return `\`${trap}\` ${reason}`;
      }
    }
  }
  const file = responseFiles === true ? words.find((word) => word.startsWith('@')) : undefined;
  return file === undefined ? undefined : `\`${file}\` may be a file with more words`;
}

/** Why it writes a file where the agent has no business. */
export function outputReason({ table, parsed, context }: TableReading): string | undefined {
  for (const { name, value } of parsed.options)
    if (value !== undefined && table.outputs.has(name) && !staysHere(value, context))
      return `\`${name}\` writes outside the working folder`;
  return undefined;
}

function staysHere(given: string, context: TableReading['context']): boolean {
  return (
    given === '-' || given.startsWith('/dev/std') || given === '/dev/null' || isInsideCwd(given, context)
  );
}

/** Why it works on something that is not in the working folder. */
export function leadsAway(reading: TableReading, kind: RowKind): string | undefined {
  const { table, parsed, context } = reading;
  for (const { name, value } of parsed.options)
    if (value !== undefined && table.places.has(name) && !staysHere(value, context))
      return `\`${name}\` leads out of the working folder`;
  // What is installed from a folder runs its code as well.
  if (!isWorkspaceKind(kind) && kind !== 'fetch') return undefined;
  return awayReason(candidates(reading), context);
}

/** Words and values that may be paths. Of what is handed on to a script, only the script. */
function candidates({ table, row, parsed, words }: TableReading): readonly string[] {
  if (table.passes.has(row.path)) {
    const values = parsed.options.flatMap(({ name, value }) => (table.texts.has(name) ? [] : [value ?? '']));
    return [...values, ...parsed.positionals.slice(0, 1)];
  }
  if (parsed.doubts.length === 0) {
    const values = parsed.options.flatMap(({ name, value }) => (table.texts.has(name) ? [] : [value ?? '']));
    return [...values, ...parsed.positionals].map(valueIn);
  }
  return words.map(valueIn);
}

/** `--out=x` and `DIR=x` name `x`. */
function valueIn(word: string): string {
  const equals = word.indexOf('=');
  return equals < 0 ? word : word.slice(equals + 1);
}
