import { escapeHtml } from '../../shared/visible-text.ts';
import type { Approval } from '../approval/approval.ts';
import { describeEnd } from './ended-text.ts';
import { cutMark, MENU_RULE, menuLines } from './plain-text.ts';
import { viewQuestion } from './question-view.ts';
import { count, firstCharacters } from './visible.ts';

/** Telegram's limit for a message, in characters after its markup is taken away. */
export const TELEGRAM_LIMIT = 4_096;
/** Longest field beside the preview: so many of them always leave room for a preview and the menu. */
const LONGEST_FIELD = 220;

export interface TelegramQuestion {
  readonly html: string;
  /** whether something did not fit: then the whole question goes along as a file */
  readonly cut: boolean;
}

/** A question as one Telegram message. What does not fit is cut with a mark, and `cut` says so. */
export function telegramQuestion(approval: Approval): TelegramQuestion {
  const view = viewQuestion(approval);
  const field = (label: string, value: string): Piece => {
    const short = shorten(value);
    return {
      html: `<b>${escapeHtml(label)}:</b> <code>${escapeHtml(short)}</code>`,
      text: `${label}: ${short}`,
    };
  };
  const head: Piece[] = [
    heading(view.risk),
    field('What', view.title),
    ...view.facts.map(({ label, value }) => field(label, value)),
    ...(view.warning === undefined ? [] : [ours(`⚠️ ${view.warning}`)]),
  ];
  const tail: Piece[] = [
    ...menuLines(approval).map(ours),
    ours(`Press a button, or reply to this message. ${MENU_RULE}`),
    ...view.covers.map(({ label, value }) => field(label, value)),
    field('Expires', view.expiry),
    ours(idLine(view.id)),
  ];
  const used = [...head, ...tail].reduce((sum, { text }) => sum + text.length + 1, 0);
  // Room for the mark, the blank lines and the bar before each line of the preview.
  const { shown, html } = previewBlock(view.preview, TELEGRAM_LIMIT - used - 200);
  const mark = cutMark(view.preview.length, shown, view.id);
  const lines = [...head, { html, text: '' }, ...(mark === undefined ? [] : [ours(mark)]), ours(''), ...tail];
  const shortened = [view.title, ...[...view.facts, ...view.covers].map(({ value }) => value)];
  return {
    html: lines.map((piece) => piece.html).join('\n'),
    cut: mark !== undefined || shortened.some((value) => value.length > LONGEST_FIELD),
  };
}

/** What the message becomes once the question ended: the end first, no menu. */
export function telegramEnd(approval: Approval): string {
  const { title, facts, id } = viewQuestion(approval);
  const who = facts.find(({ label }) => label === 'Who')?.value ?? '';
  return [
    `<b>${escapeHtml(shorten(describeEnd(approval), 1_500))}</b>`,
    `<b>What:</b> <code>${escapeHtml(shorten(title))}</code>`,
    `<b>Who:</b> <code>${escapeHtml(shorten(who))}</code>`,
    idLine(id),
  ].join('\n');
}

/**
 * INVARIANT: the last line of every message about an approval. Nothing that an agent wrote comes after it, so
 * a reply is matched to its question by this line and by no other text of the message.
 */
export function idLine(id: string): string {
  return `Id: ${id}`;
}

/** The approval that a message of ours is about. */
export function idOfMessage(text: string): string | undefined {
  return /(?:^|\n)Id: (appr_[0-9a-z]{1,64})$/.exec(text)?.[1];
}

interface Piece {
  readonly html: string;
  /** what is counted against the limit */
  readonly text: string;
}

function heading(risk: string): Piece {
  const text = 'Sallyport asks: may this happen?';
  return { html: `<b>${text}</b> (risk: ${risk})`, text: `${text} (risk: ${risk})` };
}

function ours(text: string): Piece {
  return { html: escapeHtml(text), text };
}

function previewBlock(preview: string, room: number): { shown: number; html: string } {
  const lines: string[] = [];
  let left = room;
  let shown = 0;
  for (const line of preview.split('\n')) {
    const part = firstCharacters(line, left - 3);
    if (left < 4 || (part === '' && line !== '')) break;
    lines.push(`│ ${part}`);
    left -= part.length + 3;
    shown += part.length + (part === line ? 1 : 0);
    if (part !== line) break;
  }
  return { shown: Math.min(shown, preview.length), html: `<pre>${escapeHtml(lines.join('\n'))}</pre>` };
}

function shorten(value: string, most: number = LONGEST_FIELD): string {
  if (value.length <= most) return value;
  return `${firstCharacters(value, most)}… ✂ ${count(value.length)} characters in all`;
}
