import { STATUS_CODES } from 'node:http';
import type { Header } from '../http-message.ts';
import { BadMessage } from './bad-message.ts';
import { isToken, lowerFieldName, readFieldName } from './field-names.ts';

/** How the body that follows is framed. `given`: by the `Content-Length` among the headers, or there is none. */
export type WrittenFraming = 'given' | 'chunked' | 'close' | { readonly bytes: number };

export interface WrittenRequest {
  readonly method: string;
  /** path and query, or what the form needs */
  readonly target: string;
  /** value of the Host field */
  readonly host: string;
  /** without Host */
  readonly headers: readonly Header[];
  readonly body: WrittenFraming;
  /** protocol to switch to */
  readonly upgrade?: string;
}

export interface WrittenResponse {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: WrittenFraming;
  /** false: says that the connection ends with this response; `seconds`: for how long it stays open unused */
  readonly keepAlive: boolean | { readonly seconds: number };
}

const TARGET = /^[\x21-\x7e]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that a value must not have
const UNWRITABLE = /[\x00-\x08\x0a-\x1f\x7f]|[^\x00-\xff]/;

/** The head of a request, ready to be sent as latin1. Throws `BadMessage` rather than write what others could misread. */
export function writeRequestHead(request: WrittenRequest): string {
  const { method, target, host, headers, body, upgrade } = request;
  if (!isToken(method) || !TARGET.test(target)) throw new BadMessage('unwritable');
  const fields = `${writeField('Host', host)}${writeFields(headers, body)}`;
  return `${method} ${target} HTTP/1.1\r\n${fields}${upgrade === undefined ? '' : writeUpgrade(upgrade)}\r\n`;
}

/** The head of a response, ready to be sent as latin1; likewise. */
export function writeResponseHead({ status, headers, body, keepAlive }: WrittenResponse): string {
  const connection = writeConnection(body === 'close' ? false : keepAlive);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${writeFields(headers, body)}${connection}\r\n`;
}

function writeConnection(keepAlive: WrittenResponse['keepAlive']): string {
  if (keepAlive === true) return '';
  if (keepAlive === false) return 'Connection: close\r\n';
  return `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAlive.seconds}\r\n`;
}

/** An interim response (1xx). */
export function writeInformationalHead(status: number, headers: readonly Header[]): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${writeFields(headers, 'given')}\r\n`;
}

/** `101`: from here on the connection speaks `protocol`. */
export function writeSwitchHead(protocol: string, headers: readonly Header[]): string {
  return `HTTP/1.1 101 Switching Protocols\r\n${writeFields(headers, 'given')}${writeUpgrade(protocol)}\r\n`;
}

function writeUpgrade(protocol: string): string {
  return `Connection: Upgrade\r\n${writeField('Upgrade', protocol)}`;
}

/** Fields that stand by themselves: trailers. */
export function writeTrailers(trailers: readonly Header[]): string {
  let text = '';
  for (const [name, value] of trailers) text += writeField(name, value);
  return text;
}

function writeFields(headers: readonly Header[], body: WrittenFraming): string {
  let text = '';
  let lengths = 0;
  for (const [name, value] of headers) {
    const lower = lowerFieldName(name);
    // SECURITY: framing is ours to say, once.
    if (lower === 'transfer-encoding' || lower === 'connection' || lower === 'upgrade')
      throw new BadMessage('unwritable');
    if (lower === 'content-length') lengths++;
    text += writeField(name, value);
  }
  if (lengths > (body === 'given' ? 1 : 0)) throw new BadMessage('unwritable');
  if (body === 'chunked') return `${text}Transfer-Encoding: chunked\r\n`;
  return typeof body === 'object' ? `${text}Content-Length: ${body.bytes}\r\n` : text;
}

/** SECURITY: a line break in a value, from wherever it came, would be a field of its own. */
function writeField(name: string, value: string): string {
  if (readFieldName(name) === undefined || UNWRITABLE.test(value)) throw new BadMessage('unwritable');
  return `${name}: ${value}\r\n`;
}
