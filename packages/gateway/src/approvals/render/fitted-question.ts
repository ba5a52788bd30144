import type { Approval } from '../approval.ts';
import { describeEnd } from './ended-text.ts';
import { cutMark } from './plain-text.ts';
import { type Fact, viewQuestion } from './question-view.ts';
import { count, firstCharacters } from './visible.ts';

/** Kept free for the heading, the mark of a cut, blank lines and what the markup needs around them. */
const OVERHEAD = 320;
/** What the markup of one line needs. */
const LINE_OVERHEAD = 14;

export interface FitOptions {
  /** characters that the message has room for */
  readonly room: number;
  /** longest value beside the preview, in characters */
  readonly longestField: number;
  /** makes a text harmless in the channel's markup; its result is what is counted */
  readonly harmless?: (text: string) => string;
}

/** A question that fits into one message of a chat. Values are escaped already. */
export interface FittedQuestion {
  readonly heading: string;
  /** what, who, why */
  readonly facts: readonly Fact[];
  readonly warning: string | undefined;
  /** lines of the preview, each behind its mark */
  readonly preview: string;
  /** says that the preview is not all here */
  readonly mark: string | undefined;
  /** what standing answers cover, and until when it waits */
  readonly terms: readonly Fact[];
  readonly id: string;
  /** whether something did not fit: then the whole question goes along as a file */
  readonly cut: boolean;
}

/** Shortens a question, with a mark wherever something was left out, so that it fits. */
export function fitQuestion(approval: Approval, options: FitOptions): FittedQuestion {
  const view = viewQuestion(approval);
  const harmless = options.harmless ?? ((text) => text);
  let cut = false;
  const fit = ({ label, value }: Fact): Fact => {
    const short = shorten(harmless(value), options.longestField);
    if (short.isCut) cut = true;
    return { label, value: short.text };
  };
  const facts = [{ label: 'What', value: view.title }, ...view.facts].map(fit);
  const terms = [...view.covers, { label: 'Expires', value: view.expiry }].map(fit);
  const used = [...facts, ...terms].reduce(
    (sum, { label, value }) => sum + label.length + value.length + LINE_OVERHEAD,
    OVERHEAD + (view.warning?.length ?? 0) + view.id.length,
  );
  const whole = harmless(view.preview);
  const { lines, shown } = firstLines(whole, options.room - used);
  const mark = cutMark(whole.length, shown, view.id);
  return {
    heading: `Sallyport asks: may this happen? (risk: ${view.risk})`,
    facts,
    warning: view.warning,
    preview: lines.join('\n'),
    mark,
    terms,
    id: view.id,
    cut: cut || mark !== undefined,
  };
}

/** What a message becomes once its question ended: the end, what it was, and its id. */
export function fitEnd(
  approval: Approval,
  { longestField, harmless = (text) => text }: Omit<FitOptions, 'room'>,
): { readonly end: string; readonly title: string; readonly id: string } {
  const { title, id } = viewQuestion(approval);
  return {
    end: shorten(harmless(describeEnd(approval)), longestField * 4).text,
    title: shorten(harmless(title), longestField).text,
    id,
  };
}

/**
 * SECURITY: each line of an agent begins with a mark of ours, so that none can pass for a line of the question [AP-6].
 */
function firstLines(text: string, room: number): { lines: readonly string[]; shown: number } {
  const lines: string[] = [];
  let left = room;
  let shown = 0;
  for (const line of text.split('\n')) {
    const part = firstCharacters(line, left - 3);
    if (left < 4 || (part === '' && line !== '')) break;
    lines.push(`│ ${part}`);
    left -= part.length + 3;
    shown += part.length + (part === line ? 1 : 0);
    if (part !== line) break;
  }
  return { lines, shown: Math.min(shown, text.length) };
}

function shorten(text: string, most: number): { text: string; isCut: boolean } {
  if (text.length <= most) return { text, isCut: false };
  return { text: `${firstCharacters(text, most)}… ✂ ${count(text.length)} characters in all`, isCut: true };
}
