/** One line as an agent sends it, and what must be read from it. The folder is `/work`. */
export interface CommandCase {
  readonly line: string;
  /** `critical`: a write of the highest risk that is known; `unknown`: one that is not */
  readonly effect: 'read' | 'write' | 'critical' | 'unknown';
  readonly trap: '-' | 'ask' | 'refuse';
  readonly type: string;
  readonly operation: string;
  readonly object: string;
}

/** The everyday lines stay clean; what is hostile never looks like them. */
export interface CommandCases {
  readonly friendly: readonly CommandCase[];
  readonly hostile: readonly CommandCase[];
}

const ROW = /^(read|write|critical|unknown) +(-|ask|refuse) +(\S+) +\| (.*?) \| (.*?) \| (.*)$/;

/** Rows of a table: `effect trap type | operation | object | line`. */
export function rowsOf(table: string): readonly CommandCase[] {
  return table
    .split('\n')
    .map((row) => row.trim())
    .filter((row) => row !== '')
    .map((row) => {
      const [, effect, trap, type = '', operation = '', object = '', line = ''] = ROW.exec(row) ?? [];
      if (effect === undefined || trap === undefined) throw new Error(`no row of the table: ${row}`);
      return {
        effect: effect as CommandCase['effect'],
        trap: trap as CommandCase['trap'],
        type,
        operation,
        object,
        line,
      };
    });
}
