import type { Approval } from '../../approval/approval.ts';
import { describeEnd, escapeHtml, menuLines, OFFERED_MINUTES, questionHtml } from '../../render/index.ts';

/** What the route answers with. */
export interface DecisionPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * SECURITY: no script, no frame, no referrer (the address holds the key), nothing kept by a cache.
 */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
} as const;

/** A page that says one thing. */
export function messagePage(status: number, text: string): DecisionPage {
  return page(status, `<p style="white-space:pre-wrap">${escapeHtml(text)}</p>`);
}

/** The question with its menu as a form; without the form once it ended. `action` is the page's own address. */
export function questionPage(approval: Approval, action: string): DecisionPage {
  if (approval.status !== 'pending') {
    return page(200, `<p><b>${escapeHtml(describeEnd(approval))}</b></p>\n${questionHtml(approval)}`);
  }
  return page(200, `${questionHtml(approval)}\n${form(approval, action)}`);
}

function form(approval: Approval, action: string): string {
  const { covers } = approval;
  const buttons = menuLines(approval)
    .map((line) => `<p><button name="code" value="${line.charAt(0)}">${escapeHtml(line)}</button></p>`)
    .join('\n');
  const timed =
    covers.minutes === undefined
      ? ''
      : `<p><button name="code" value="1m">Allow ${OFFERED_MINUTES} min</button></p>`;
  return `<form method="post" action="${escapeHtml(action)}">
<p><label>Text of 4 or 5: <input name="text" size="60" autocomplete="off"></label></p>
${buttons}
${timed}
</form>`;
}

function page(status: number, content: string): DecisionPage {
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sallyport</title></head>
<body style="font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em">
${content}
</body></html>
`;
  return { status, headers: HEADERS, body };
}
