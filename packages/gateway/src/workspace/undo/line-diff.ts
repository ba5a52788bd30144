/** Changes that a comparison looks for before it gives up and calls everything in between different. */
const MOST_CHANGES = 1_000;
const CONTEXT = 3;

/** A line that stays, goes or comes. */
export type LineChange = readonly ['=' | '-' | '+', string];

/** Lines of a text, without their ends; undefined for what is no text. */
export function linesOf(bytes: Buffer): readonly string[] | undefined {
  if (bytes.includes(0)) return undefined;
  const text = bytes.toString();
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** What makes `b` of `a`, in the fewest lines, or, where the two are very different, in more. */
export function diffLines(a: readonly string[], b: readonly string[]): readonly LineChange[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  const rest = Math.min(a.length, b.length) - start;
  while (end < rest && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const same = (lines: readonly string[]): readonly LineChange[] => lines.map((line) => ['=', line]);
  const middle = shortest(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...same(a.slice(0, start)), ...middle, ...same(a.slice(a.length - end))];
}

/** How far each number of changes leads, until one leads to the end (Myers, 1986). */
function shortest(a: readonly string[], b: readonly string[]): readonly LineChange[] {
  const most = Math.min(a.length + b.length, MOST_CHANGES);
  // By the line of the table that is followed: how far it goes in `a` is known for each.
  const reach = new Int32Array(2 * most + 3);
  const zero = most + 1;
  const before: Int32Array[] = [];
  for (let changes = 0; changes <= most; changes += 1) {
    before.push(reach.slice(zero - changes - 1, zero + changes + 2));
    for (let line = -changes; line <= changes; line += 2) {
      const [left, right] = [reach[zero + line - 1] ?? 0, reach[zero + line + 1] ?? 0];
      let x = comes(line, changes, left, right) ? right : left + 1;
      while (x < a.length && x - line < b.length && a[x] === b[x - line]) x += 1;
      reach[zero + line] = x;
      if (x >= a.length && x - line >= b.length) return wayBack(a, b, before);
    }
  }
  return [...a.map((line): LineChange => ['-', line]), ...b.map((line): LineChange => ['+', line])];
}

/** Whether the best last change on this line of the table was one that comes, not one that goes. */
function comes(line: number, changes: number, left: number, right: number): boolean {
  return line === -changes || (line !== changes && left < right);
}

function wayBack(
  a: readonly string[],
  b: readonly string[],
  before: readonly Int32Array[],
): readonly LineChange[] {
  const found: LineChange[] = [];
  let [x, y] = [a.length, b.length];
  for (let changes = before.length - 1; ; changes -= 1) {
    const reach = before[changes] ?? new Int32Array();
    const line = x - y;
    const [left, right] = [reach[line + changes] ?? 0, reach[line + changes + 2] ?? 0];
    const isNew = comes(line, changes, left, right);
    const [fromX, fromY] = isNew ? [right, right - line - 1] : [left, left - line + 1];
    for (; x > fromX && y > fromY; x -= 1, y -= 1) found.push(['=', a[x - 1] ?? '']);
    if (changes === 0) return found.reverse();
    found.push(isNew ? ['+', b[y - 1] ?? ''] : ['-', a[x - 1] ?? '']);
    if (isNew) y -= 1;
    else x -= 1;
  }
}

/** The changes as people read them, with a few lines around each. */
export function* hunksOf(changes: readonly LineChange[]): Generator<string> {
  const isNear = changes.map(() => false);
  changes.forEach(([kind], index) => {
    if (kind === '=') return;
    for (let near = index - CONTEXT; near <= index + CONTEXT; near += 1)
      if (near >= 0 && near < isNear.length) isNear[near] = true;
  });
  let [oldLine, newLine] = [1, 1];
  for (const [index, [kind, text]] of changes.entries()) {
    if (isNear[index] === true) {
      if (index === 0 || isNear[index - 1] !== true) yield `@@ -${oldLine} +${newLine} @@`;
      yield `${kind === '=' ? ' ' : kind}${text}`;
    }
    if (kind !== '+') oldLine += 1;
    if (kind !== '-') newLine += 1;
  }
}
