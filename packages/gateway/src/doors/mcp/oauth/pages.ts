import { escapeHtml } from '../../../shared/escape-html.ts';
import { visibleText } from '../../../shared/visible-text.ts';

const REFRESH_SECONDS = 2;

/** Shown while people are asked: no script, no form, nothing to press. SECURITY: an agent can open it, too. */
export function waitingPage(shortCode: string, clientName: string, next: string): string {
  return page(
    `<meta http-equiv="refresh" content="${REFRESH_SECONDS};url=${escapeHtml(next)}">`,
    `<h1>Waiting for a person</h1>
<p>The program <b>${escapeHtml(visibleText(clientName))}</b> wants to work through Sallyport.</p>
<p>The question carries this code: <b>${escapeHtml(shortCode)}</b></p>
<p>Answer it on your channel, or run <code>sallyport watch</code>. Say no to any other code.
This page goes on by itself.</p>`,
  );
}

/** The end of a request that has nowhere to go on. */
export function problemPage(problem: string): string {
  return page('', `<h1>This does not go on</h1>\n<p>${escapeHtml(problem)}</p>`);
}

function page(head: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sallyport</title>${head}</head>
<body>
${body}
</body></html>
`;
}
