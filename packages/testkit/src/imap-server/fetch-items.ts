import type { StoredMail } from './mailbox.ts';
import type { Token } from './tokens.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** What a FETCH asks of one mail, as it goes over the wire. Undefined for an item that is not known. */
export function fetchItems(mail: StoredMail, items: readonly Token[]): Buffer | undefined {
  const parts: Buffer[] = [];
  for (const item of items) {
    const part = fetchItem(mail, String(item).toUpperCase());
    if (part === undefined) return undefined;
    if (parts.length > 0) parts.push(Buffer.from(' '));
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function fetchItem(mail: StoredMail, item: string): Buffer | undefined {
  switch (item) {
    case 'UID':
      return Buffer.from(`UID ${mail.uid}`);
    case 'FLAGS':
      return Buffer.from(`FLAGS (${[...mail.flags].join(' ')})`);
    case 'RFC822.SIZE':
      return Buffer.from(`RFC822.SIZE ${mail.raw.length}`);
    case 'INTERNALDATE':
      return Buffer.from(`INTERNALDATE "${wireDate(mail.at)}"`);
  }
  const [, peek, start, length] = /^BODY(\.PEEK)?\[\](?:<(\d+)\.(\d+)>)?$/.exec(item) ?? [];
  if (!item.startsWith('BODY')) return undefined;
  if (peek === undefined) mail.flags.add('\\Seen');
  const from = Number(start ?? 0);
  const bytes = mail.raw.subarray(from, length === undefined ? undefined : from + Number(length));
  const name = start === undefined ? 'BODY[]' : `BODY[]<${from}>`;
  return Buffer.concat([Buffer.from(`${name} {${bytes.length}}\r\n`), bytes]);
}

function wireDate(at: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(two).join(':');
  return `${two(at.getUTCDate())}-${MONTHS[at.getUTCMonth()]}-${at.getUTCFullYear()} ${time} +0000`;
}
