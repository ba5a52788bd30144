import { factsOfDoor } from '@sallyport/protocol';
import type { Approval } from '../approval/approval.ts';
import { MENU, mayBeChanged } from '../approval/menu.ts';
import { describeEnd } from './ended-text.ts';
import { type Fact, type QuestionView, viewQuestion } from './question-view.ts';
import { count, firstCharacters, oneLine } from './visible.ts';

/** Characters of what a standing answer is about that a line of the menu has; `2 covers` has all of it. */
const WHAT_AT_MOST = 60;

/**
 * The menu, one line for each answer, the same on every channel. The approval API's is fixed. At the other doors `2` and `6`
 * name what they are about, and are left out where no standing answer can hold; `5` is, where nothing can be changed.
 */
export function menuLines(
  approval: Pick<Approval, 'door' | 'covers' | 'listed' | 'isFixed'>,
): readonly string[] {
  const { door, covers, listed } = approval;
  const lines = MENU.map(({ code, text }) => ({ code, text }));
  if (factsOfDoor(door).selfDeclared) return lines.map(({ code, text }) => `${code}. ${text}`);
  const what = shortWhat(covers.what ?? 'exactly this');
  const own: Readonly<Record<string, string | undefined>> = {
    ...(listed === undefined ? {} : { '1': `Allow these ${listed.length}, once` }),
    ...(mayBeChanged(approval) ? {} : { '5': undefined }),
    '2': covers.session === undefined ? undefined : `Allow for this session: ${what}`,
    '6': covers.always === undefined ? undefined : `Always allow (until revoked): ${what}`,
  };
  return lines.flatMap(({ code, text }) => {
    const said = code in own ? own[code] : text;
    return said === undefined ? [] : [`${code}. ${said}`];
  });
}

/** SECURITY: words of an agent inside a line of ours: one short line, without room to look like the next. */
function shortWhat(text: string): string {
  const line = oneLine(text).replaceAll(/\s+/g, ' ');
  return line.length <= WHAT_AT_MOST ? line : `${firstCharacters(line, WHAT_AT_MOST - 1)}…`;
}

/** What is said under the menu, because people answer "ok" and wait. */
export const MENU_RULE = 'Begin with the number. Anything else decides nothing.';

const WIDTH = 96;

export interface PlainTextOptions {
  /** characters of the preview that are shown; the rest is in a file that goes along. Absent: all */
  readonly previewLimit?: number;
  /** what the person does with the menu on this channel */
  readonly howToAnswer: string;
}

/** A whole question as plain text: mail, attachments, a terminal that is read like a page. */
export function plainQuestion(approval: Approval, options: PlainTextOptions): string {
  const view = viewQuestion(approval);
  return [
    `Sallyport asks: may this happen? (risk: ${view.risk})`,
    '',
    ...factLines([{ label: 'What', value: view.title }, ...view.facts]),
    ...(view.warning === undefined ? [] : [`! ${view.warning}`]),
    '',
    ...previewLines(view, options.previewLimit),
    '',
    options.howToAnswer,
    ...menuLines(approval),
    MENU_RULE,
    '',
    ...factLines([...view.covers, { label: 'Expires', value: view.expiry }, { label: 'Id', value: view.id }]),
    '',
  ].join('\n');
}

/** How a question ended, as plain text. */
export function plainEnd(approval: Approval): string {
  const { title, id } = viewQuestion(approval);
  return [
    describeEnd(approval),
    '',
    ...factLines([
      { label: 'What', value: title },
      { label: 'Id', value: id },
    ]),
    '',
  ].join('\n');
}

function factLines(facts: readonly Fact[]): string[] {
  const width = Math.max(...facts.map(({ label }) => label.length)) + 2;
  return facts.flatMap(({ label, value }) => {
    // SECURITY: a value that goes on is marked, too: padded with blanks it could look like a line of ours.
    const [first = '', ...rest] = wrap(value, WIDTH - width, ' ');
    return [`${label.padEnd(width)}${first}`, ...rest.map((line) => `${' '.repeat(width - 2)}┆ ${line}`)];
  });
}

function previewLines(view: QuestionView, limit: number | undefined): string[] {
  const shown = limit === undefined ? view.preview : firstCharacters(view.preview, limit);
  const mark = cutMark(view.preview.length, shown.length, view.id);
  return [
    'Preview (each line begins with │, and with ┆ where it goes on):',
    ...quoted(shown),
    ...(mark === undefined ? [] : [mark]),
  ];
}

/**
 * A block that an agent wrote, with a mark before each line.
 *
 * SECURITY: long lines are broken here, not by the reader's window: a line padded with blanks would otherwise
 * seem to begin a line of its own, without the mark.
 */
export function quoted(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => wrap(line, WIDTH - 2).map((part, index) => `${index === 0 ? '│' : '┆'} ${part}`));
}

/** Says that a preview is not all here, and where the rest is; undefined when it is all here. */
export function cutMark(whole: number, shown: number, id: string): string | undefined {
  if (shown >= whole) return undefined;
  return `✂ Cut: ${count(shown)} of ${count(whole)} characters are shown. All of it is in the attached file ${fileName(id)}.`;
}

/** Name of the file that holds a whole question. */
export function fileName(id: string): string {
  return `question-${id}.txt`;
}

/** Parts of at most `width` characters, broken after `at` where there is one in the second half of a part. */
function wrap(line: string, width: number, at?: string): string[] {
  const characters = [...line];
  const parts: string[] = [];
  let start = 0;
  while (characters.length - start > width) {
    const gap = at === undefined ? -1 : characters.lastIndexOf(at, start + width - 1);
    const end = gap > start + width / 2 ? gap + 1 : start + width;
    parts.push(characters.slice(start, end).join(''));
    start = end;
  }
  return [...parts, characters.slice(start).join('')];
}
