import type { KeyObject } from 'node:crypto';
import { isReplyToken } from '../../render/index.ts';
import type { InboxMail } from '../inbox.ts';

/** Beyond this nobody looks for an id or a token. */
const SEARCHED_CHARACTERS = 65_536;
const HEADER_CHARACTERS = 65_536;

/** The one address in a `From` header, in lower case; undefined for none, several, or something odd. */
export function senderOf(from: string): string | undefined {
  if (from.length > 1_000 || /[\r\n\0]/.test(from)) return undefined;
  // A quoted name may hold anything, an address of somebody else included.
  const bare = from.replace(/"(?:[^"\\]|\\.)*"/g, '').trim();
  const [, angled] = /^[^<>@,;]*<([^<>]*)>$/.exec(bare) ?? [];
  const address = (angled ?? bare).trim().toLowerCase();
  return isAddress(address) ? address : undefined;
}

/** A plain address: no quotes, comments, routes or lists. */
export function isAddress(text: string): boolean {
  return text.length <= 320 && /^[^\s<>()[\]\\,;:@"\p{Cc}]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/iu.test(text);
}

/** Ids in the subject, else in the body; a reader needs exactly one. */
export function idsOf({ subject, body }: InboxMail): readonly string[] {
  const inSubject = allIds(subject);
  return inSubject.length > 0 ? inSubject : allIds(body.slice(0, SEARCHED_CHARACTERS));
}

function allIds(text: string): readonly string[] {
  return [...new Set(text.match(/(?<![A-Za-z0-9_])appr_[0-9a-z]{1,64}(?![A-Za-z0-9_])/g) ?? [])];
}

/** Whether the token that went to this person with this question came back. */
export function hasToken(mail: InboxMail, key: KeyObject, approvalId: string, identity: string): boolean {
  const text = `${mail.subject}\n${mail.body.slice(0, SEARCHED_CHARACTERS)}`;
  const subject = { channel: 'email', approvalId, identity: identity.toLowerCase() };
  return [...text.matchAll(/key-([0-9a-z]{26})(?![0-9a-z])/g)].some(([, token = '']) =>
    isReplyToken(token, key, subject),
  );
}

const AUTOMATIC_SUBJECT =
  /^\s*(?:auto(?:matic)?[ -]?(?:reply|response|antwort)?\s*:|automatische antwort|out of (?:the )?office|abwesen|réponse automatique|respuesta automática|undeliver|delivery (?:status|failure)|mail delivery|returned mail|failure notice|unzustellbar|read:|gelesen:)/i;
const AUTOMATIC_SENDER = /^(?:mailer-daemon|postmaster|no-?reply|donotreply|bounces?)(?:[+@.-]|$)/i;

/** Whether a machine wrote it: an absence note, a bounce, a receipt. */
export function isAutomatic(mail: InboxMail, sender: string | undefined): boolean {
  if (AUTOMATIC_SUBJECT.test(mail.subject)) return true;
  if (sender !== undefined && AUTOMATIC_SENDER.test(sender)) return true;
  const headers = headersOf(mail.raw);
  const value = (name: string): string => headers.find(([key]) => key === name)?.[1].toLowerCase() ?? '';
  const submitted = value('auto-submitted');
  return (
    (submitted !== '' && submitted !== 'no') ||
    /^(?:bulk|junk|list|auto_reply)/.test(value('precedence')) ||
    ['x-autoreply', 'x-autorespond', 'x-failed-recipients', 'list-id'].some((name) => value(name) !== '') ||
    value('return-path') === '<>' ||
    value('content-type').startsWith('multipart/report')
  );
}

/** Whether the message itself names the sender that the forwarder names; true where only the forwarder is heard. */
export function agreesWithRaw(mail: InboxMail, sender: string): boolean {
  if (mail.raw === undefined) return true;
  const from = headersOf(mail.raw).filter(([name]) => name === 'from');
  return from.length === 1 && senderOf(from[0]?.[1] ?? '') === sender;
}

function headersOf(raw: string | undefined): readonly (readonly [string, string])[] {
  if (raw === undefined) return [];
  const [head = ''] = raw.slice(0, HEADER_CHARACTERS).split(/\r?\n\r?\n/, 1);
  return head
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .map((line) => {
      const border = line.indexOf(':');
      return [
        line.slice(0, Math.max(0, border)).trim().toLowerCase(),
        line.slice(border + 1).trim(),
      ] as const;
    });
}
