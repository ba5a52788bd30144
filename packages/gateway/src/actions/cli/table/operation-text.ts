import { shownWord } from '../cli-object.ts';
import type { TableReading } from './compiled-table.ts';
import { isFreeKind, isWorkspaceKind, type RowKind } from './row-kinds.ts';

/** Options of any program that change what is seen, not what is done. */
const DISPLAY: ReadonlySet<string> = new Set(
  `--verbose --quiet --silent --yes --assume-yes --no-interaction --no-input --json --format --no-color --color --progress
  --debug --interactive --tty --rm --detach --wait --timeout --no-pager --loglevel --log-level --help --no-wait --fill -d
  -q -v -t -i -it`.split(/\s+/),
);

/**
 * What is done, and to what: the subcommand with the options that choose where, and its operands.
 *
 * SECURITY: what is asked about is shown with every option that is not known to be for the eyes alone, so that a yes
 * covers no other value of it. With options that nobody knows, all words are the operation: one of those may have chosen
 * another place, or taken an operand for its value.
 */
export function operationOf(
  { table, row, parsed, words }: TableReading,
  kind: RowKind,
): { readonly operation: string; readonly object?: string } {
  if (parsed.doubts.length > 0 && !isWorkspaceKind(kind))
    return { operation: [row.path, ...words].map(shownWord).join(' ') };
  const where = new Set<string>();
  // Of what only reads, or runs code of the workspace, no yes is asked for: there the place is enough.
  const isAsked = !isFreeKind(kind);
  for (const { name, value } of parsed.options) {
    const chooses = table.where.has(name) || name === table.table.dry?.option;
    if (!chooses && (!isAsked || table.texts.has(name) || DISPLAY.has(name))) continue;
    where.add(value === undefined ? name : `${name}=${shownWord(value)}`);
  }
  const operation = [...(row.path === '' ? [] : [row.path]), ...[...where].sort()].join(' ');
  const count = table.table.objects?.[row.path] ?? parsed.positionals.length;
  const operands = parsed.positionals.slice(0, count);
  const named = operation === '' ? table.program : operation;
  if (parsed.doubts.length > 0) return { operation: named };
  // Without operands, and with every option known, the repository is what it is done to: texts are no part of it.
  return operands.length > 0
    ? { operation: named, object: operands.map(shownWord).join(' ') }
    : { operation: named, ...(isAsked && table.table.repository !== undefined ? { object: '' } : {}) };
}

/** The words that may name a host: operands, and values of options that are no texts for people. */
export function wordsOf({ table, parsed, words }: TableReading): readonly string[] {
  if (parsed.doubts.length > 0) return words;
  return [
    ...parsed.options.flatMap(({ name, value }) =>
      value === undefined || table.texts.has(name) ? [] : [name, value],
    ),
    ...parsed.positionals,
  ];
}
