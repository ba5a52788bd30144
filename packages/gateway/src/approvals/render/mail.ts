import { escapeHtml } from '../../shared/visible-text.ts';
import type { Approval } from '../approval/approval.ts';
import { cutMark, MENU_RULE, menuLines, plainQuestion, quoted } from './plain-text.ts';
import { type Fact, viewQuestion } from './question-view.ts';
import { firstCharacters } from './visible.ts';

/** Characters of a preview that a mail shows; a longer one is attached. */
export const MAIL_PREVIEW_LIMIT = 20_000;
const SUBJECT_TITLE = 80;

export interface MailQuestion {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** the whole question, when the mail does not show all of it */
  readonly attachment: string | undefined;
}

/** A question as a mail. `token` proves that a reply comes from someone who got it. */
export function mailQuestion(approval: Approval, token: string): MailQuestion {
  const howToAnswer = 'Reply to this mail; the first line of your reply is your answer:';
  const cut = viewQuestion(approval).preview.length > MAIL_PREVIEW_LIMIT;
  return {
    subject: mailSubject(approval, token),
    text: plainQuestion(approval, { howToAnswer, previewLimit: MAIL_PREVIEW_LIMIT }),
    html: mailHtml(approval, howToAnswer),
    attachment: cut ? plainQuestion(approval, { howToAnswer }) : undefined,
  };
}

/**
 * Title, id and token. The title is shortened here (the body has all of it) and cannot hold a second id or
 * token: `[`, `]` and `appr_` are written differently in it.
 */
export function mailSubject(approval: Approval, token: string): string {
  const { title } = viewQuestion(approval);
  const safe = title
    .replace(/\[/g, '(')
    .replace(/\]/g, ')')
    .replace(/appr_/gi, 'appr-')
    .replace(/key-/gi, 'key_');
  const short = safe.length > SUBJECT_TITLE ? `${firstCharacters(safe, SUBJECT_TITLE)}…` : safe;
  return `Allow? ${short} [${approval.id}] [key-${token}]`;
}

/** A page of the same content; also what a decision link shows, with a form after it. */
export function questionHtml(approval: Approval, limit?: number): string {
  const view = viewQuestion(approval);
  const shown = limit === undefined ? view.preview : firstCharacters(view.preview, limit);
  const mark = cutMark(view.preview.length, shown.length, view.id);
  return [
    `<h2>Sallyport asks: may this happen?</h2><p>Risk: <b>${view.risk}</b></p>`,
    rows([{ label: 'What', value: view.title }, ...view.facts]),
    view.warning === undefined ? '' : `<p><b>⚠ ${escapeHtml(view.warning)}</b></p>`,
    `<pre style="border-left:4px solid #888;padding:8px;background:#f4f4f4;white-space:pre-wrap;overflow-wrap:anywhere">${escapeHtml(quoted(shown).join('\n'))}</pre>`,
    mark === undefined ? '' : `<p><b>${escapeHtml(mark)}</b></p>`,
    rows([...view.covers, { label: 'Expires', value: view.expiry }, { label: 'Id', value: view.id }]),
  ].join('\n');
}

function mailHtml(approval: Approval, howToAnswer: string): string {
  const menu = menuLines(approval)
    .map((line) => `${escapeHtml(line)}<br>`)
    .join('\n');
  return `<!doctype html><html><body style="font-family:sans-serif">
${questionHtml(approval, MAIL_PREVIEW_LIMIT)}
<p>${escapeHtml(howToAnswer)}</p>
<p>${menu}</p>
<p>${escapeHtml(MENU_RULE)}</p>
</body></html>
`;
}

function rows(facts: readonly Fact[]): string {
  const cells = facts.map(
    ({ label, value }) =>
      `<tr><th align="left" valign="top">${escapeHtml(label)}</th><td style="overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`,
  );
  return `<table cellpadding="4">${cells.join('')}</table>`;
}
