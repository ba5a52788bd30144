import type { BadMessageReason } from '../bad-message.ts';

export interface HostileResponse {
  readonly attack: string;
  readonly bytes: string;
  readonly reason: BadMessageReason;
  readonly method?: string;
}

const ok = (fields: string, body = ''): string => `HTTP/1.1 200 OK\r\n${fields}\r\n${body}`;

/** What a server that lies may send. */
export const HOSTILE_RESPONSES: readonly HostileResponse[] = [
  {
    attack: 'a length and chunks',
    bytes: ok('Content-Length: 3\r\nTransfer-Encoding: chunked\r\n', 'abc'),
    reason: 'length-and-encoding',
  },
  {
    attack: 'two lengths',
    bytes: ok('Content-Length: 3\r\nContent-Length: 4\r\n', 'abcd'),
    reason: 'second-length',
  },
  { attack: 'a list of lengths', bytes: ok('Content-Length: 3, 3\r\n', 'abc'), reason: 'malformed-length' },
  { attack: 'a body shorter than it said', bytes: ok('Content-Length: 30\r\n', 'abc'), reason: 'truncated' },
  {
    attack: 'chunks without the last one',
    bytes: ok('Transfer-Encoding: chunked\r\n', '3\r\nabc\r\n'),
    reason: 'truncated',
  },
  {
    attack: 'the last chunk without its end',
    bytes: ok('Transfer-Encoding: chunked\r\n', '3\r\nabc\r\n0\r\n'),
    reason: 'truncated',
  },
  { attack: 'half a head', bytes: 'HTTP/1.1 200 OK\r\nX: 1\r\n', reason: 'truncated' },
  { attack: 'nothing', bytes: '', reason: 'truncated' },
  {
    attack: 'a chunk size that is none',
    bytes: ok('Transfer-Encoding: chunked\r\n', 'zz\r\n'),
    reason: 'malformed-chunk-size',
  },
  {
    attack: 'a chunk longer than it said',
    bytes: ok('Transfer-Encoding: chunked\r\n', '3\r\nabcd\r\n'),
    reason: 'malformed-chunk-end',
  },
  {
    attack: 'gzip as transfer encoding',
    bytes: ok('Transfer-Encoding: gzip, chunked\r\n'),
    reason: 'unsupported-encoding',
  },
  {
    attack: 'chunks on 1.0',
    bytes: 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
    reason: 'encoding-on-1.0',
  },
  {
    attack: 'a flood of 100s',
    bytes: 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(20),
    reason: 'too-many-informational',
  },
  {
    attack: 'a 100 with a body',
    bytes: 'HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\nhello',
    reason: 'body-not-allowed',
  },
  {
    attack: 'a 204 with a body',
    bytes: 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello',
    reason: 'body-not-allowed',
  },
  {
    attack: 'a 204 with chunks',
    bytes: 'HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    reason: 'body-not-allowed',
  },
  {
    attack: 'a 101 that nobody asked for',
    bytes: 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n',
    reason: 'unexpected-switch',
  },
  { attack: 'no status line', bytes: 'hello world\r\n\r\n', reason: 'malformed-status-line' },
  { attack: 'another version', bytes: 'HTTP/2.0 200 OK\r\n\r\n', reason: 'malformed-status-line' },
  { attack: 'an ICY answer', bytes: 'ICY 200 OK\r\n\r\n', reason: 'malformed-status-line' },
  { attack: 'a status of two digits', bytes: 'HTTP/1.1 20 OK\r\n\r\n', reason: 'malformed-status-line' },
  { attack: 'a status of four digits', bytes: 'HTTP/1.1 2000 OK\r\n\r\n', reason: 'malformed-status-line' },
  { attack: 'a status of 999', bytes: 'HTTP/1.1 999 No\r\n\r\n', reason: 'unsupported-status' },
  { attack: 'a status of 099', bytes: 'HTTP/1.1 099 No\r\n\r\n', reason: 'unsupported-status' },
  { attack: 'an SSH greeting', bytes: 'SSH-2.0-OpenSSH_9.2\r\n\r\n', reason: 'malformed-status-line' },
  { attack: 'bare LFs', bytes: 'HTTP/1.1 200 OK\nContent-Length: 0\n\n', reason: 'bare-lf' },
  { attack: 'a bare CR in a value', bytes: ok('X: a\rSet-Cookie: b\r\n'), reason: 'bare-cr' },
  { attack: 'a NUL in a value', bytes: ok('X: a\0\r\n'), reason: 'nul-byte' },
  { attack: 'a folded field', bytes: ok('X: a\r\n b\r\n'), reason: 'obs-fold' },
  {
    attack: 'a blank before the colon',
    bytes: ok('Content-Length : 3\r\n', 'abc'),
    reason: 'space-before-colon',
  },
  { attack: 'a header bomb', bytes: ok(`X: ${'x'.repeat(70_000)}\r\n`), reason: 'head-too-large' },
  { attack: '201 fields', bytes: ok('X: 1\r\n'.repeat(201)), reason: 'too-many-fields' },
  {
    attack: 'a length in the trailers',
    bytes: ok('Transfer-Encoding: chunked\r\n', '0\r\nContent-Length: 1\r\n\r\n'),
    reason: 'forbidden-trailer',
  },
  {
    attack: 'a cookie in the trailers',
    bytes: ok('Transfer-Encoding: chunked\r\n', '0\r\nSet-Cookie: a=b\r\n\r\n'),
    reason: 'forbidden-trailer',
  },
];

export interface FriendlyResponse {
  readonly why: string;
  readonly bytes: string;
  readonly method?: string;
  readonly maySwitch?: boolean;
  /** the server closes */
  readonly ends?: boolean;
  /** `status body left keepAlive` */
  readonly read: string;
}

export const FRIENDLY_RESPONSES: readonly FriendlyResponse[] = [
  { why: 'a length', bytes: ok('Content-Length: 3\r\n', 'abc'), read: '200 abc 0 true' },
  {
    why: 'chunks',
    bytes: ok('Transfer-Encoding: chunked\r\n', '3\r\nabc\r\n0\r\n\r\n'),
    read: '200 abc 0 true',
  },
  {
    why: 'chunks in other case',
    bytes: ok('Transfer-Encoding: Chunked\r\n', '0\r\n\r\n'),
    read: '200  0 true',
  },
  { why: 'until the connection closes', bytes: ok('', 'abc'), ends: true, read: '200 abc 0 false' },
  {
    why: 'until the connection closes, 1.0',
    bytes: 'HTTP/1.0 200 OK\r\n\r\nabc',
    ends: true,
    read: '200 abc 0 false',
  },
  { why: 'no reason', bytes: 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n', read: '200  0 true' },
  { why: 'an empty reason', bytes: 'HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n', read: '200  0 true' },
  { why: 'HEAD with a length', method: 'HEAD', bytes: ok('Content-Length: 9\r\n'), read: '200  0 true' },
  {
    why: '304 with a length',
    bytes: 'HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n',
    read: '304  0 true',
  },
  {
    why: '204 with length 0',
    bytes: 'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n',
    read: '204  0 true',
  },
  {
    why: 'interim answers first',
    bytes: `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${ok('Content-Length: 1\r\n', 'a')}`,
    read: '200 a 0 true',
  },
  {
    why: 'a connection that closes',
    bytes: ok('Connection: close\r\nContent-Length: 1\r\n', 'a'),
    read: '200 a 0 false',
  },
  {
    why: 'bytes after the answer, which are left',
    bytes: ok('Content-Length: 1\r\n', 'aHTTP/1.1 200 OK\r\n\r\n'),
    read: '200 a 19 true',
  },
  {
    why: 'a switch that was asked for',
    maySwitch: true,
    bytes: 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\nframes',
    read: '101  6 true',
  },
];
