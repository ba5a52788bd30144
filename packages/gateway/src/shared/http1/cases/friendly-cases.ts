import type { RequestSide } from '../request-line.ts';

export interface FriendlyRequest {
  readonly why: string;
  readonly bytes: string;
  readonly side?: RequestSide;
  /** `METHOD host:port target version`, then the body */
  readonly read: readonly string[];
}

const H = 'Host: a.example\r\n';

/** What clients really send. */
export const FRIENDLY_REQUESTS: readonly FriendlyRequest[] = [
  {
    why: 'a plain GET',
    bytes: `GET /a?b=c HTTP/1.1\r\n${H}Accept: */*\r\n\r\n`,
    read: ['GET a.example /a?b=c 11', ''],
  },
  {
    why: 'a value without blank after the colon',
    bytes: 'GET / HTTP/1.1\r\nHost:a.example\r\n\r\n',
    read: ['GET a.example / 11', ''],
  },
  {
    why: 'blanks and tabs around a value',
    bytes: 'GET / HTTP/1.1\r\nHost:   a.example  \r\nX: \t 1 \t\r\n\r\n',
    read: ['GET a.example / 11', ''],
  },
  {
    why: 'a Host in upper case with a dot',
    bytes: 'GET / HTTP/1.1\r\nHost: A.Example.\r\n\r\n',
    read: ['GET a.example / 11', ''],
  },
  {
    why: 'an IPv6 host',
    bytes: 'GET / HTTP/1.1\r\nHost: [2001:DB8::1]:8443\r\n\r\n',
    read: ['GET 2001:db8::1:8443 / 11', ''],
  },
  {
    why: 'an IPv4 address in decimal',
    bytes: 'GET / HTTP/1.1\r\nHost: 2130706433\r\n\r\n',
    read: ['GET 127.0.0.1 / 11', ''],
  },
  {
    why: 'a body with a length',
    bytes: `POST / HTTP/1.1\r\n${H}Content-Length: 5\r\n\r\nhello`,
    read: ['POST a.example / 11', 'hello'],
  },
  {
    why: 'an empty body',
    bytes: `POST / HTTP/1.1\r\n${H}Content-Length: 0\r\n\r\n`,
    read: ['POST a.example / 11', ''],
  },
  {
    why: 'a body in chunks with extension and trailer',
    bytes: `POST / HTTP/1.1\r\n${H}Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\nA\r\n0123456789\r\n0\r\nX-Sum: 1\r\n\r\n`,
    read: ['POST a.example / 11', 'hello0123456789'],
  },
  {
    why: 'three pipelined requests',
    bytes: `GET /1 HTTP/1.1\r\n${H}\r\nPOST /2 HTTP/1.1\r\n${H}Content-Length: 2\r\n\r\nhiGET /3 HTTP/1.1\r\n${H}\r\n`,
    read: ['GET a.example /1 11', '', 'POST a.example /2 11', 'hi', 'GET a.example /3 11', ''],
  },
  { why: 'version 1.0 with a Host', bytes: `GET / HTTP/1.0\r\n${H}\r\n`, read: ['GET a.example / 10', ''] },
  { why: 'OPTIONS *', bytes: `OPTIONS * HTTP/1.1\r\n${H}\r\n`, read: ['OPTIONS a.example * 11', ''] },
  {
    why: 'a value in latin1',
    bytes: `GET / HTTP/1.1\r\n${H}X: \xe4\r\n\r\n`,
    read: ['GET a.example / 11', ''],
  },
  {
    why: 'a WebSocket',
    bytes: `GET /ws HTTP/1.1\r\n${H}Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    read: ['GET a.example /ws 11', ''],
  },
  {
    why: 'absolute form',
    side: 'proxy',
    bytes: `GET http://a.example/x HTTP/1.1\r\n${H}Proxy-Connection: Keep-Alive\r\n\r\n`,
    read: ['GET a.example /x 11', ''],
  },
  {
    why: 'absolute form with the usual port in one place',
    side: 'proxy',
    bytes: `GET http://a.example:80/x HTTP/1.1\r\n${H}\r\n`,
    read: ['GET a.example:80 /x 11', ''],
  },
  {
    why: 'CONNECT of curl',
    side: 'proxy',
    bytes: 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n',
    read: ['CONNECT a.example:443  11', ''],
  },
  {
    why: 'CONNECT of Python',
    side: 'proxy',
    bytes: 'CONNECT a.example:443 HTTP/1.0\r\n\r\n',
    read: ['CONNECT a.example:443  10', ''],
  },
  {
    why: 'exactly 200 fields',
    bytes: `GET / HTTP/1.1\r\n${H}${'X: 1\r\n'.repeat(199)}\r\n`,
    read: ['GET a.example / 11', ''],
  },
];
