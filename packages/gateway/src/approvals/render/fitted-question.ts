import type { Approval } from '../approval/approval.ts';
import { describeEnd } from './ended-text.ts';
import { cutMark } from './plain-text.ts';
import { type Fact, viewQuestion } from './question-view.ts';
import { count, firstCharacters } from './visible.ts';

/** Kept free for the heading, the mark of a cut, blank lines and what the markup needs around them. */
const OVERHEAD = 320;
/** What the markup of one line needs. */
const LINE_OVERHEAD = 14;

const LEAST_PREVIEW = 200;
const SHORTEST_FIELD = 20;

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
  const fixed = OVERHEAD + (view.warning?.length ?? 0) + view.id.length;
  const whole = [{ label: 'What', value: view.title }, ...view.facts];
  const terms = [...view.covers, { label: 'Expires', value: view.expiry }];
  const fitted = fitFacts([...whole, ...terms], { ...options, harmless, room: options.room - fixed });
  const preview = harmless(view.preview);
  const { lines, shown } = firstLines(preview, fitted.left);
  const mark = cutMark(preview.length, shown, view.id);
  return {
    heading: `Sallyport asks: may this happen? (risk: ${view.risk})`,
    facts: fitted.facts.slice(0, whole.length),
    warning: view.warning,
    preview: lines.join('\n'),
    mark,
    terms: fitted.facts.slice(whole.length),
    id: view.id,
    cut: fitted.cut || mark !== undefined,
  };
}

/** Facts with values as long as they may be, and what room they leave for the preview. */
function fitFacts(
  facts: readonly Fact[],
  { room, longestField, harmless }: Required<FitOptions>,
): { readonly facts: readonly Fact[]; readonly left: number; readonly cut: boolean } {
  const short = facts.map(({ label, value }) => ({ label, ...shorten(harmless(value), longestField) }));
  const used = short.reduce((sum, { label, text }) => sum + label.length + text.length + LINE_OVERHEAD, 0);
  // Many long facts: each gets less, so that there is always room for the beginning of the preview.
  if (room - used < LEAST_PREVIEW && longestField > SHORTEST_FIELD)
    return fitFacts(facts, { room, longestField: Math.floor(longestField / 2), harmless });
  return {
    facts: short.map(({ label, text }) => ({ label, value: text })),
    left: room - used,
    cut: short.some(({ isCut }) => isCut),
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
  return { lines: lines.length === 0 ? ['│'] : lines, shown: Math.min(shown, text.length) };
}

function shorten(text: string, most: number): { text: string; isCut: boolean } {
  if (text.length <= most) return { text, isCut: false };
  return { text: `${firstCharacters(text, most)}… ✂ ${count(text.length)} characters in all`, isCut: true };
}
