const GAP = 2;
/** A column is never narrower than this, unless all of it is. */
const NARROWEST = 12;
/** The part of a line that the last column keeps before another column is left out. */
const LAST_KEEPS = 0.4;

/**
 * Rows as lines of at most `width` characters.
 *
 * The last column is what matters: the others are cut first, the widest of them first of all; then columns are left out
 * from the right, never the first, which holds what is typed back; the last is cut at the very end.
 */
export function fitTable(rows: readonly (readonly string[])[], width: number): readonly string[] {
  let cells = rows.map((row) => row.map((cell) => [...cell]));
  let widths = widthsOf(cells);
  const last = (): number => widths.length - 1;
  const spare = (): number => width - widths.reduce((sum, one) => sum + one + GAP, -GAP);
  const least = [Math.max(NARROWEST, toldApart(rows)), NARROWEST];
  while (spare() < 0) {
    const others = widths.slice(0, -1);
    const cuttable = others.map((one, column) => one - (least[Math.min(column, 1)] ?? 0));
    const widest = cuttable.indexOf(Math.max(...cuttable));
    const room = (widths[last()] ?? 0) + spare();
    const size = others[widest] ?? 0;
    const smallest = least[Math.min(widest, 1)] ?? 0;
    if (size > smallest) {
      widths[widest] = Math.max(smallest, size + spare());
    } else if (room < Math.min(widths[last()] ?? 0, width * LAST_KEEPS) && widths.length > 2) {
      const gone = last() - 1;
      cells = cells.map((row) => row.filter((_, column) => column !== gone));
      // What was cut before may have been cut for nothing.
      widths = widthsOf(cells);
    } else {
      widths[last()] = Math.max(1, room);
      break;
    }
  }
  return cells.map((row) =>
    row
      .map((cell, column) => {
        const text = cut(cell, widths[column] ?? 0);
        return column === row.length - 1 ? text : text.padEnd(widths[column] ?? 0);
      })
      .join(' '.repeat(GAP)),
  );
}

function widthsOf(cells: readonly (readonly string[][])[]): number[] {
  const widths: number[] = [];
  for (const row of cells) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return widths;
}

/** As much of the first column as it takes to tell its cells apart, with its `…`: ids of one minute begin alike. */
function toldApart(rows: readonly (readonly string[])[]): number {
  const cells = rows.map(([first = '']) => first).toSorted();
  const alike = cells.slice(1).map((cell, index) => {
    const before = cells[index] ?? '';
    if (before === cell) return 0;
    let at = 0;
    while (at < cell.length && cell[at] === before[at]) at += 1;
    return at + 2;
  });
  return Math.max(0, ...alike);
}

/** `…` stands for what is missing; a shortened id is taken as it is printed. */
function cut(cell: readonly string[], width: number): string {
  return cell.length <= width ? cell.join('') : `${cell.slice(0, Math.max(0, width - 1)).join('')}…`;
}
