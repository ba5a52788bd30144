import EmailReplyParser from 'email-reply-parser';

/** An answer stands at the top of a reply: nothing below this many characters is read. */
const READ_CHARACTERS = 8_192;

/** Where somebody else's words or a signature begin, whatever the mail program. */
const BELOW: readonly RegExp[] = [
  /^\s*[>|│┆]/,
  /^\s*--\s*$/,
  /^\s*[-_=*]{3,}/,
  /^\s*(?:on|am|le|el|il|em|op|den)\s.{4,200}(?:wrote|schrieb|écrit|escribió|scritto|escreveu|schreef|skrev)/i,
  /^\s*on\s.{4,200}[<@]/i,
  /^\s*(?:from|von|de|da|van|sent|gesendet|to|an|subject|betreff|date|datum)\s?:/i,
  /^\s*(?:sent from|gesendet von|envoyé de|get outlook)/i,
];

export const NO_PLAIN_TEXT = 'the mail has no plain text; send your answer as plain text';

export type ReplyText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'invalid'; readonly message: string };

/**
 * The first block of text of a reply, without quotes and signatures. Refuses what could be read in two ways: a mail
 * of HTML only, and a replacement (`5 …`) of more than one line, of which a part would silently be lost.
 */
export function replyText(body: string): ReplyText {
  const text = body
    .slice(0, READ_CHARACTERS)
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n');
  if (/^\s*<(?:!doctype|html|head|body|div|p|table|span|br|meta)\b/i.test(text)) {
    return invalid(NO_PLAIN_TEXT);
  }
  const lines = text.split('\n');
  const end = lines.findIndex((line) => BELOW.some((pattern) => pattern.test(line)));
  const own = lines.slice(0, end === -1 ? lines.length : end).join('\n');
  const visible = new EmailReplyParser().parseReply(own).trim();
  const border = visible.search(/\n[ \t]*\n/);
  const block = (border === -1 ? visible : visible.slice(0, border)).trim();
  if (block === '') return invalid('write your answer above the quoted text, on the first line');
  if (/^5\s/.test(block) && visible.includes('\n')) {
    return invalid(
      'by mail a replacement is one line and nothing after it; use `sallyport approve ID --with` for more',
    );
  }
  return { kind: 'text', text: block };
}

function invalid(message: string): ReplyText {
  return { kind: 'invalid', message };
}
