/** One part of a mail, decoded. */
export interface MailPart {
  readonly type: string;
  readonly filename: string | undefined;
  readonly text: string;
}

export interface ReadMessage {
  /** unfolded, as sent; names in lower case */
  readonly headers: readonly (readonly [string, string])[];
  readonly subject: string;
  readonly parts: readonly MailPart[];
}

/** Takes a message apart as a mail program does: headers, parts, transfer encodings, encoded words. */
export function readMessage(raw: string): ReadMessage {
  const { headers, body } = split(raw);
  return { headers, subject: decodeWords(headerValue(headers, 'subject')), parts: readParts(headers, body) };
}

type Headers = ReadMessage['headers'];

function split(raw: string): { headers: Headers; body: string } {
  const border = raw.indexOf('\r\n\r\n');
  const head = border === -1 ? raw : raw.slice(0, border);
  const headers = head
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    });
  return { headers, body: border === -1 ? '' : raw.slice(border + 4) };
}

function readParts(headers: Headers, body: string): readonly MailPart[] {
  const type = headerValue(headers, 'content-type') || 'text/plain';
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1];
  if (type.toLowerCase().startsWith('multipart/') && boundary !== undefined) {
    const pieces = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1, -1);
    return pieces.flatMap((piece) => {
      const part = split(piece.replace(/^\r\n/, ''));
      return readParts(part.headers, part.body);
    });
  }
  const filename = /filename="?([^";]+)"?/i.exec(headerValue(headers, 'content-disposition'))?.[1];
  const encoding = headerValue(headers, 'content-transfer-encoding').toLowerCase();
  return [{ type: type.split(';')[0] ?? '', filename, text: decode(body, encoding) }];
}

function decode(body: string, encoding: string): string {
  const text =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString('utf8')
      : encoding === 'quoted-printable'
        ? decodeQuoted(body.replace(/=\r\n/g, ''))
        : Buffer.from(body, 'latin1').toString('utf8');
  return text.replace(/\r\n/g, '\n');
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decodeQuoted(word.replace(/_/g, ' ')),
    );
}

function headerValue(headers: Headers, name: string): string {
  return headers.find(([key]) => key === name)?.[1] ?? '';
}
