/** A small generator of numbers that are the same for the same seed. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

const H = 'Host: a.example\r\n';

/** Valid messages that mutations start from. */
export const VALID_MESSAGES: readonly string[] = [
  `GET /a?b=c HTTP/1.1\r\n${H}Accept: */*\r\n\r\n`,
  `POST /x HTTP/1.1\r\n${H}Content-Length: 5\r\n\r\nhello`,
  `POST /x HTTP/1.1\r\n${H}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
  `PUT /x HTTP/1.1\r\n${H}Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n5;a=b\r\nhello\r\n3\r\nabc\r\n0\r\nX: 1\r\n\r\n`,
  `GET / HTTP/1.1\r\n${H}Connection: keep-alive\r\n\r\nGET /2 HTTP/1.1\r\n${H}\r\n`,
  `GET / HTTP/1.0\r\n${H}Connection: close\r\n\r\n`,
  `OPTIONS * HTTP/1.1\r\n${H}\r\n`,
  `POST /y HTTP/1.1\r\n${H}Content-Length: 2\r\n\r\nhiGET /z HTTP/1.1\r\n${H}\r\n`,
  `DELETE /q HTTP/1.1\r\nHost: [::1]:8080\r\nX-Y: z\r\n\r\n`,
];

/** What attacks are made of. */
const PIECES: readonly string[] = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  '\t',
  ':',
  ';',
  ',',
  '0\r\n\r\n',
  '0',
  '5',
  'f',
  '+',
  '-',
  '0x',
  '\v',
  '\x7f',
  '\xff',
  '#',
  '@',
  '//',
  '\\',
  'Content-Length: 5\r\n',
  'Content-Length: 0\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: identity\r\n',
  'Content-Length : 3\r\n',
  ' chunked',
  'chunked',
  'Host: b.example\r\n',
  'Upgrade: h2c\r\n',
  'Connection: upgrade\r\n',
  'Expect: 100-continue\r\n',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/2.0',
  'GET / HTTP/1.1\r\n',
  'GET http://b.example/ HTTP/1.1\r\n',
  '\r\n ',
  '\r\n\t',
  'X: y\r\n',
  ';a=b',
  'Transfer-Encoding:\r\n',
];

/** One message with one to four changes: a byte or a piece put in, taken out, overwritten, doubled or swapped. */
export function mutate(random: (below: number) => number): string {
  let text = VALID_MESSAGES[random(VALID_MESSAGES.length)] ?? '';
  for (let changes = 1 + random(4); changes > 0; changes--) {
    const at = random(text.length + 1);
    const piece = random(3) === 0 ? String.fromCharCode(random(256)) : (PIECES[random(PIECES.length)] ?? '');
    const to = Math.min(text.length, at + 1 + random(6));
    switch (random(5)) {
      case 0:
        text = text.slice(0, at) + piece + text.slice(at);
        break;
      case 1:
        text = text.slice(0, at) + text.slice(to);
        break;
      case 2:
        text = text.slice(0, at) + piece + text.slice(at + piece.length);
        break;
      case 3:
        text = text.slice(0, to) + text.slice(at, to) + text.slice(to);
        break;
      default: {
        // A piece at the start of a line: where a field would stand.
        const line = text.indexOf('\r\n', at);
        if (line !== -1) text = `${text.slice(0, line + 2)}${piece}${text.slice(line + 2)}`;
      }
    }
  }
  return text;
}
