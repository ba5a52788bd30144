import { type Output, visibleLine } from '../output.ts';
import { KEYS, questionLines, questionRow, SHORT_KEYS } from './describe-question.ts';
import type { WatchState } from './watch-state.ts';

export interface ScreenSize {
  readonly rows: number;
  readonly columns: number;
}

/** The whole screen as lines, exactly as many as there are rows. */
export function watchScreen(
  state: WatchState,
  size: ScreenSize,
  now: number,
  style: Output['style'],
): readonly string[] {
  const { columns } = size;
  const rows = Math.max(12, size.rows);
  const waiting = state.questions.length;
  const { listRows, eventRows } = shares(state, rows, columns, now);
  const list = listLines(state, listRows, now, columns, style);
  const room = rows - list.length - (eventRows === 0 ? 6 : eventRows + 7);
  const events = (eventRows === 0 ? [] : state.events.slice(-eventRows)).map((line) => fit(line, columns));
  return [
    style(
      'bold',
      fit(
        `Sallyport · ${waiting === 0 ? 'nothing waits for you' : `${waiting}${state.hasMore ? ' or more' : ''} waiting for you`}`,
        columns,
      ),
    ),
    ...list,
    rule('the question', columns, style),
    ...padded(questionPart(state, room, columns, now, style), room),
    ...(eventRows === 0 ? [] : [rule('what agents do now', columns, style), ...padded(events, eventRows)]),
    rule('', columns, style),
    fit(state.notice === '' ? ' ' : state.notice, columns),
    keyLine(state, columns, now, style),
    style('dim', fit('↑↓ choose   space more   b back   q quit', columns)),
  ];
}

/** The question comes first: on a small screen what agents do makes way for it, and then the list of the others. */
function shares(
  state: WatchState,
  rows: number,
  columns: number,
  now: number,
): { readonly listRows: number; readonly eventRows: number } {
  const question = state.questions.find(({ id }) => id === state.selected);
  const wanted = question === undefined ? 0 : questionLines(question, columns, now).length;
  const most = Math.floor(rows / 5);
  const listRows = Math.min(Math.max(1, state.questions.length), most);
  const left = rows - 7 - listRows - wanted;
  if (left >= 2) return { listRows, eventRows: Math.min(Math.max(2, most), left) };
  return { listRows: Math.max(1, Math.min(listRows, rows - 6 - wanted)), eventRows: 0 };
}

function listLines(
  state: WatchState,
  most: number,
  now: number,
  columns: number,
  style: Output['style'],
): readonly string[] {
  const at = Math.max(
    0,
    state.questions.findIndex(({ id }) => id === state.selected),
  );
  const first = Math.max(0, Math.min(at - most + 1, state.questions.length - most));
  return state.questions.slice(first, first + most).map((question) => {
    const isSelected = question.id === state.selected;
    const [, risk = '', who = '', until = '', title = ''] = questionRow(question, now);
    const line = fit(`${isSelected ? '▶' : ' '} ${risk.padEnd(8)} ${title}  ${who}  ${until}`, columns);
    return isSelected ? style('cyan', line) : line;
  });
}

/** The part of the question that fits; when there is more, the last line says so. */
function questionPart(
  state: WatchState,
  room: number,
  columns: number,
  now: number,
  style: Output['style'],
): readonly string[] {
  const question = state.questions.find(({ id }) => id === state.selected);
  if (question === undefined) return [];
  const lines = questionLines(question, columns, now);
  if (lines.length <= room) return lines.map((line) => fit(line, columns));
  const shown = room - 1;
  const start = Math.min(state.scroll, lines.length - shown);
  const mark = `✂ lines ${start + 1} to ${start + shown} of ${lines.length}; space and b show the rest`;
  return [
    ...lines.slice(start, start + shown).map((line) => fit(line, columns)),
    style('yellow', fit(mark, columns)),
  ];
}

/** While keys are held their line says so: it comes back when they count. */
function keyLine(state: WatchState, columns: number, now: number, style: Output['style']): string {
  if (now < state.heldUntil)
    return style('dim', fit('a question came up: read it; keys count in a moment', columns));
  return style('bold', fit(columns < KEYS.length ? SHORT_KEYS : KEYS, columns));
}

function rule(title: string, columns: number, style: Output['style']): string {
  return style('dim', `──${title === '' ? '' : ` ${title} `}`.padEnd(columns, '─').slice(0, columns));
}

function padded(lines: readonly string[], rows: number): readonly string[] {
  return [...lines, ...Array.from({ length: Math.max(0, rows - lines.length) }, () => '')].slice(
    0,
    Math.max(0, rows),
  );
}

function fit(line: string, columns: number): string {
  const characters = [...visibleLine(line)];
  return characters.length <= columns ? characters.join('') : `${characters.slice(0, columns - 1).join('')}…`;
}
