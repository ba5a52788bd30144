import { describe, expect, test } from 'vitest';
import { optionTable } from '../argv-parser.ts';
import { compileRows, rowsOf } from '../table/cli-table.ts';
import { compileTable } from '../table/compiled-table.ts';
import { KNOWN_PROGRAMS } from './registry.ts';

describe.each(KNOWN_PROGRAMS.map(({ names, table }) => [names[0] ?? '', table] as const))(
  '%s',
  (name, table) => {
    test('has no path twice, and names in its lists only options that it has', () => {
      const compiled = compileTable(name, table);
      const all = optionTable(table.globals ?? {}, table.options ?? {}, ...Object.values(table.own ?? {}));
      const known = new Set([...all.values()].map((option) => option.name));
      const named = [
        ...compiled.where,
        ...compiled.places,
        ...compiled.outputs,
        ...compiled.texts,
        ...compiled.raises.keys(),
        ...(table.dry === undefined ? [] : [table.dry.option]),
      ];
      expect(named.filter((option) => !known.has(option))).toEqual([]);
      // A trap may be the opposite of an option, or, where options are not listed, one that only words show.
      const traps = [...compiled.traps.keys()].filter(
        (option) => !known.has(option) && !option.startsWith('--no-'),
      );
      if (table.bare === undefined) expect(traps).toEqual([]);
    });

    test('names in its lists only rows that it has', () => {
      const rows = new Set(rowsOf(compileRows(table)).map(({ path }) => path));
      const { passes, runs } = compileTable(name, table);
      const own = Object.keys(table.own ?? {}).flatMap((paths) =>
        paths.split(',').map((path) => path.trim()),
      );
      expect([...passes, ...runs, ...own].filter((path) => !rows.has(path.replaceAll(/\|\S+/g, '')))).toEqual(
        [],
      );
    });
  },
);
