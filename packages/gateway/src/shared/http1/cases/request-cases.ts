import type { BadMessageReason } from '../bad-message.ts';
import type { RequestSide } from '../request-line.ts';

export interface HostileRequest {
  /** what the attack is called, or what it is after */
  readonly attack: string;
  readonly bytes: string;
  readonly reason: BadMessageReason;
  /** `server` when absent: inside a tunnel */
  readonly side?: RequestSide;
}

const H = 'Host: a.example\r\n';
const post = (fields: string, body = ''): string => `POST / HTTP/1.1\r\n${H}${fields}\r\n${body}`;
const get = (fields: string): string => `GET / HTTP/1.1\r\n${fields}\r\n`;
const line = (text: string): string => `${text}\r\n${H}\r\n`;
const chunked = (body: string): string => post('Transfer-Encoding: chunked\r\n', body);

/** Two readers, two bodies: where one message ends and the next begins. */
export const FRAMING_ATTACKS: readonly HostileRequest[] = [
  {
    attack: 'CL.TE smuggling',
    bytes: post('Content-Length: 6\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\nG'),
    reason: 'length-and-encoding',
  },
  {
    attack: 'TE.CL smuggling',
    bytes: post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', '5c\r\n'),
    reason: 'length-and-encoding',
  },
  {
    attack: 'CL.CL with two lengths',
    bytes: post('Content-Length: 5\r\nContent-Length: 6\r\n', 'abcdef'),
    reason: 'second-length',
  },
  {
    attack: 'CL.CL with two equal lengths',
    bytes: post('Content-Length: 5\r\nContent-Length: 5\r\n', 'abcde'),
    reason: 'second-length',
  },
  {
    attack: 'CL.CL in other case',
    bytes: post('Content-Length: 0\r\ncontent-length: 30\r\n'),
    reason: 'second-length',
  },
  {
    attack: 'a list of lengths',
    bytes: post('Content-Length: 5,5\r\n', 'abcde'),
    reason: 'malformed-length',
  },
  { attack: 'a signed length', bytes: post('Content-Length: +5\r\n', 'abcde'), reason: 'malformed-length' },
  { attack: 'a negative length', bytes: post('Content-Length: -1\r\n'), reason: 'malformed-length' },
  {
    attack: 'a hexadecimal length',
    bytes: post('Content-Length: 0x5\r\n', 'abcde'),
    reason: 'malformed-length',
  },
  {
    attack: 'an octal length',
    bytes: post('Content-Length: 010\r\n', 'abcdefgh'),
    reason: 'malformed-length',
  },
  {
    attack: 'a length with a fraction',
    bytes: post('Content-Length: 5.0\r\n', 'abcde'),
    reason: 'malformed-length',
  },
  {
    attack: 'a length with an exponent',
    bytes: post('Content-Length: 1e1\r\n', 'abcde'),
    reason: 'malformed-length',
  },
  { attack: 'an empty length', bytes: post('Content-Length: \r\n'), reason: 'malformed-length' },
  {
    attack: 'a length that overflows 64 bits',
    bytes: post('Content-Length: 18446744073709551617\r\n', 'x'),
    reason: 'malformed-length',
  },
  {
    attack: 'a length that loses digits',
    bytes: post('Content-Length: 9007199254740993\r\n', 'x'),
    reason: 'malformed-length',
  },
  {
    attack: 'a length with a blank inside',
    bytes: post('Content-Length: 1 0\r\n', 'x'),
    reason: 'malformed-length',
  },
  {
    attack: 'TE.TE with gzip',
    bytes: post('Transfer-Encoding: gzip, chunked\r\n'),
    reason: 'unsupported-encoding',
  },
  {
    attack: 'TE.TE with chunked first',
    bytes: post('Transfer-Encoding: chunked, identity\r\n'),
    reason: 'unsupported-encoding',
  },
  {
    attack: 'TE.TE with two fields',
    bytes: post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n'),
    reason: 'second-encoding',
  },
  {
    attack: 'TE.TE with a second unknown field',
    bytes: post('Transfer-Encoding: chunked\r\nTransfer-encoding: cow\r\n'),
    reason: 'second-encoding',
  },
  {
    attack: 'an encoding nobody knows',
    bytes: post('Transfer-Encoding: xchunked\r\n'),
    reason: 'unsupported-encoding',
  },
  {
    attack: 'identity, which 1.1 does not have',
    bytes: post('Transfer-Encoding: identity\r\n'),
    reason: 'unsupported-encoding',
  },
  {
    attack: 'an encoding in other case',
    bytes: post('Transfer-Encoding: Chunked\r\n', '0\r\n\r\n'),
    reason: 'unsupported-encoding',
  },
  {
    attack: 'an encoding with a parameter',
    bytes: post('Transfer-Encoding: chunked;q=1\r\n'),
    reason: 'unsupported-encoding',
  },
  {
    attack: 'a quoted encoding',
    bytes: post('Transfer-Encoding: "chunked"\r\n'),
    reason: 'unsupported-encoding',
  },
  {
    attack: 'an encoding with a vertical tab',
    bytes: post('Transfer-Encoding: \vchunked\r\n'),
    reason: 'control-byte',
  },
  {
    attack: 'an encoding with a tab after it',
    bytes: post('Transfer-Encoding: chunked\t\r\n'),
    reason: 'tab-in-framing-field',
  },
  {
    attack: 'a length with a tab before it',
    bytes: post('Content-Length:\t5\r\n', 'abcde'),
    reason: 'tab-in-framing-field',
  },
  { attack: 'an empty encoding', bytes: post('Transfer-Encoding:\r\n'), reason: 'unsupported-encoding' },
  {
    attack: 'an encoding folded onto the next line',
    bytes: post('Transfer-Encoding:\r\n chunked\r\n'),
    reason: 'unsupported-encoding',
  },
  {
    attack: 'an encoding with a blank before the colon',
    bytes: post('Transfer-Encoding : chunked\r\n'),
    reason: 'space-before-colon',
  },
  {
    attack: 'chunks on HTTP/1.0',
    bytes: `POST / HTTP/1.0\r\n${H}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    reason: 'encoding-on-1.0',
  },
];

/** Where a chunk ends. */
export const CHUNK_ATTACKS: readonly HostileRequest[] = [
  { attack: 'an empty chunk size', bytes: chunked('\r\n'), reason: 'malformed-chunk-size' },
  { attack: 'a chunk size with 0x', bytes: chunked('0x3\r\nabc\r\n'), reason: 'malformed-chunk-size' },
  { attack: 'a signed chunk size', bytes: chunked('+3\r\nabc\r\n'), reason: 'malformed-chunk-size' },
  { attack: 'a negative chunk size', bytes: chunked('-1\r\n'), reason: 'malformed-chunk-size' },
  {
    attack: 'a chunk size with a blank before',
    bytes: chunked(' 3\r\nabc\r\n'),
    reason: 'malformed-chunk-size',
  },
  {
    attack: 'a chunk size with a blank after',
    bytes: chunked('3 \r\nabc\r\n'),
    reason: 'malformed-chunk-size',
  },
  { attack: 'a chunk size with an underscore', bytes: chunked('1_0\r\n'), reason: 'malformed-chunk-size' },
  {
    attack: 'a chunk size that wraps around 64 bits',
    bytes: chunked('10000000000000003\r\nabc\r\n'),
    reason: 'chunk-size-too-large',
  },
  {
    attack: 'a chunk size of many zeros',
    bytes: chunked(`${'0'.repeat(20)}3\r\nabc\r\n`),
    reason: 'chunk-size-too-large',
  },
  { attack: 'a chunk size ended by a bare LF', bytes: chunked('3\nabc\r\n0\r\n\r\n'), reason: 'bare-lf' },
  { attack: 'a chunk size ended by a bare CR', bytes: chunked('3\rXabc\r\n'), reason: 'bare-cr' },
  {
    attack: 'an extension that hides a line end',
    bytes: chunked('3;x\nabc\r\n0\r\n\r\n'),
    reason: 'bare-lf',
  },
  {
    attack: 'an extension with a NUL',
    bytes: chunked('3;x\0\r\nabc\r\n'),
    reason: 'malformed-chunk-extension',
  },
  {
    attack: 'an extension in UTF-8',
    bytes: chunked('3;\xc3\xa4\r\nabc\r\n'),
    reason: 'malformed-chunk-extension',
  },
  {
    attack: 'an extension without name',
    bytes: chunked('3;\r\nabc\r\n'),
    reason: 'malformed-chunk-extension',
  },
  {
    attack: 'an extension without value',
    bytes: chunked('3;a=\r\nabc\r\n'),
    reason: 'malformed-chunk-extension',
  },
  {
    attack: 'an extension with a quoted line',
    bytes: chunked('3;a="b c"\r\nabc\r\n'),
    reason: 'malformed-chunk-extension',
  },
  {
    attack: 'one long extension',
    bytes: chunked(`3;${'x'.repeat(300)}\r\nabc\r\n`),
    reason: 'chunk-extension-too-long',
  },
  {
    attack: 'a flood of extensions',
    bytes: chunked(`1;${'x'.repeat(200)}\r\na\r\n`.repeat(30)),
    reason: 'chunk-extension-too-long',
  },
  {
    attack: 'a chunk longer than it said',
    bytes: chunked('3\r\nabcd\r\n0\r\n\r\n'),
    reason: 'malformed-chunk-end',
  },
  {
    attack: 'a chunk shorter than it said',
    bytes: chunked('4\r\nabc\r\n0\r\n\r\n'),
    reason: 'malformed-chunk-end',
  },
  {
    attack: 'a chunk ended by a bare LF',
    bytes: chunked('3\r\nabc\n0\r\n\r\n'),
    reason: 'malformed-chunk-end',
  },
  { attack: 'a chunk ended by two CRs', bytes: chunked('3\r\nabc\r\r\n'), reason: 'malformed-chunk-end' },
  {
    attack: 'a length in the trailers',
    bytes: chunked('0\r\nContent-Length: 5\r\n\r\n'),
    reason: 'forbidden-trailer',
  },
  {
    attack: 'an encoding in the trailers',
    bytes: chunked('0\r\nTransfer-Encoding: chunked\r\n\r\n'),
    reason: 'forbidden-trailer',
  },
  {
    attack: 'a host in the trailers',
    bytes: chunked('0\r\nHost: b.example\r\n\r\n'),
    reason: 'forbidden-trailer',
  },
  {
    attack: 'a credential in the trailers',
    bytes: chunked('0\r\nAuthorization: Bearer x\r\n\r\n'),
    reason: 'forbidden-trailer',
  },
  {
    attack: 'a credential choice in the trailers',
    bytes: chunked('0\r\nX-Creds: aws:prod\r\n\r\n'),
    reason: 'forbidden-trailer',
  },
  { attack: 'a folded trailer', bytes: chunked('0\r\nX: 1\r\n 2\r\n\r\n'), reason: 'obs-fold' },
  { attack: 'a trailer ended by a bare LF', bytes: chunked('0\r\nX: 1\n\r\n'), reason: 'bare-lf' },
  {
    attack: 'trailers without end',
    bytes: chunked(`0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
    reason: 'head-too-large',
  },
  {
    attack: 'a flood of trailers',
    bytes: chunked(`0\r\n${'X: 1\r\n'.repeat(100)}\r\n`),
    reason: 'too-many-fields',
  },
];

/** Lines and fields. */
export const HEAD_ATTACKS: readonly HostileRequest[] = [
  { attack: 'obs-fold with a blank', bytes: get(`${H}X: 1\r\n 2\r\n`), reason: 'obs-fold' },
  {
    attack: 'obs-fold with a tab',
    bytes: get(`${H}X: 1\r\n\tTransfer-Encoding: chunked\r\n`),
    reason: 'obs-fold',
  },
  { attack: 'a first field that is folded', bytes: get(` ${H}`), reason: 'obs-fold' },
  { attack: 'a head with bare LFs', bytes: 'GET / HTTP/1.1\nHost: a.example\n\n', reason: 'bare-lf' },
  { attack: 'one bare LF between fields', bytes: get(`${H}X: 1\nY: 2\r\n`), reason: 'bare-lf' },
  { attack: 'a bare CR between fields', bytes: get(`${H}X: 1\rY: 2\r\n`), reason: 'bare-cr' },
  {
    attack: 'a bare CR in the request line',
    bytes: 'GET /\r HTTP/1.1\r\nHost: a.example\r\n\r\n',
    reason: 'bare-cr',
  },
  { attack: 'two CRs before the LF', bytes: get(`${H}X: 1\r\r\n`), reason: 'bare-cr' },
  { attack: 'an end of head without CR', bytes: `GET / HTTP/1.1\r\n${H}\n`, reason: 'bare-lf' },
  { attack: 'a NUL in a value', bytes: get(`${H}X: a\0b\r\n`), reason: 'nul-byte' },
  { attack: 'a NUL in a name', bytes: get(`${H}X\0: a\r\n`), reason: 'nul-byte' },
  { attack: 'a NUL in the target', bytes: line('GET /\0 HTTP/1.1'), reason: 'nul-byte' },
  { attack: 'an escape character in a value', bytes: get(`${H}X: \x1b[2J\r\n`), reason: 'control-byte' },
  { attack: 'a DEL in a value', bytes: get(`${H}X: \x7f\r\n`), reason: 'control-byte' },
  { attack: 'a form feed before the colon', bytes: get(`${H}X\f: 1\r\n`), reason: 'control-byte' },
  {
    attack: 'a blank before the colon',
    bytes: get(`${H}Content-Length : 5\r\n`),
    reason: 'space-before-colon',
  },
  { attack: 'a tab before the colon', bytes: get(`${H}X\t: 5\r\n`), reason: 'space-before-colon' },
  { attack: 'a blank inside a name', bytes: get(`${H}X Y: 5\r\n`), reason: 'malformed-field-name' },
  { attack: 'a name with a slash', bytes: get(`${H}X/Y: 5\r\n`), reason: 'malformed-field-name' },
  { attack: 'a name with a bracket', bytes: get(`${H}X[0]: 5\r\n`), reason: 'malformed-field-name' },
  { attack: 'a name in UTF-8', bytes: get(`${H}X\xc3\xa4: 5\r\n`), reason: 'malformed-field-name' },
  { attack: 'an empty name', bytes: get(`${H}: 5\r\n`), reason: 'malformed-field-name' },
  {
    attack: 'an HTTP/2 pseudo field',
    bytes: get(`${H}:authority: b.example\r\n`),
    reason: 'malformed-field-name',
  },
  { attack: 'a line without colon', bytes: get(`${H}nonsense\r\n`), reason: 'no-colon' },
  { attack: '201 fields', bytes: get(`${H}${'X: 1\r\n'.repeat(200)}`), reason: 'too-many-fields' },
  { attack: 'a value of 70 KiB', bytes: get(`${H}X: ${'x'.repeat(70_000)}\r\n`), reason: 'head-too-large' },
  {
    attack: 'a head that never ends',
    bytes: `GET / HTTP/1.1\r\n${'X: yyyyyyyyyyyyyyyy\r\n'.repeat(4_000)}`,
    reason: 'head-too-large',
  },
];
