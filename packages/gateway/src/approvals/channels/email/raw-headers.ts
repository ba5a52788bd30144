/** Beyond this nobody looks for the end of the headers. */
export const HEADER_BYTES = 65_536;

export type Header = readonly [name: string, value: string];

/** Which the standard allows once, and which change who speaks or what is read. */
const ONCE: ReadonlySet<string> = new Set([
  'from',
  'sender',
  'reply-to',
  'to',
  'subject',
  'date',
  'message-id',
  'in-reply-to',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
]);

/**
 * The headers of a message, unfolded, names in lower case. Undefined for a message that two programs could read in
 * two ways: bare line ends, lines that are no header, a header twice that may stand once, no end of the headers.
 *
 * SECURITY: a signature covers one `From` or `Subject`; a second one above it is covered by nothing [AP-2].
 */
export function readHeaders(message: Buffer): readonly Header[] | undefined {
  const text = message.subarray(0, HEADER_BYTES).toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = text.slice(0, end);
  if (/\r(?!\n)|(?<!\r)\n|\0/.test(head)) return undefined;
  const headers: Header[] = [];
  for (const line of head.replace(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const [, name, value] = /^([\x21-\x39\x3b-\x7e]+):(.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    headers.push([name.toLowerCase(), value.trim()]);
  }
  const seen = new Set<string>();
  for (const [name] of headers) {
    if (ONCE.has(name) && seen.has(name)) return undefined;
    seen.add(name);
  }
  return headers;
}

export function headerOf(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([key]) => key === name)?.[1];
}
