import { type Authority, readAuthority } from './authority.ts';
import { BadMessage } from './bad-message.ts';
import { isToken } from './field-names.ts';

/** Who speaks: a client of a proxy (absolute form and CONNECT), or one that believes to speak to the server. */
export type RequestSide = 'proxy' | 'server';

export interface RequestLine {
  readonly method: string;
  /** path and query; `*` for `OPTIONS *`; empty for CONNECT */
  readonly target: string;
  /** absolute form only */
  readonly scheme: 'http' | 'https' | undefined;
  /** what the target itself names: absolute form and CONNECT */
  readonly authority: Authority | undefined;
  readonly version: 10 | 11;
}

const LONGEST_METHOD = 32;
const LONGEST_TARGET = 32_768;
// Every printable ASCII character but the fragment's sign; whether a path can be read one way is judged later.
const TARGET = /^[\x21\x22\x24-\x7e]+$/;

/** Reads `METHOD SP target SP HTTP/1.x`, exactly so. */
export function readRequestLine(line: string, side: RequestSide): RequestLine {
  if (line === '') throw new BadMessage('empty-request-line');
  const first = line.indexOf(' ');
  const second = line.indexOf(' ', first + 1);
  // SECURITY: a line of two words is HTTP/0.9 to some servers.
  if (first < 1 || second === -1 || line.indexOf(' ', second + 1) !== -1 || second === first + 1)
    throw new BadMessage('malformed-request-line');
  const method = readMethod(line.slice(0, first));
  const version = readVersion(line.slice(second + 1));
  const target = line.slice(first + 1, second);
  if (target.length > LONGEST_TARGET) throw new BadMessage('target-too-long');
  if (!TARGET.test(target)) throw new BadMessage(targetProblem(target));
  return { method, version, ...readTarget(method, target, side) };
}

function readMethod(text: string): string {
  switch (text) {
    case 'GET':
    case 'HEAD':
    case 'POST':
    case 'PUT':
    case 'CONNECT':
      return text;
    // open: any method
    default:
      if (text.length > LONGEST_METHOD || !isToken(text)) throw new BadMessage('malformed-method');
      return text;
  }
}

function readVersion(text: string): 10 | 11 {
  if (text === 'HTTP/1.1') return 11;
  if (text === 'HTTP/1.0') return 10;
  throw new BadMessage(/^HTTP\/\d+(?:\.\d+)?$/.test(text) ? 'unsupported-version' : 'malformed-request-line');
}

function targetProblem(target: string): 'fragment-in-target' | 'non-ascii-target' | 'malformed-target' {
  if (/[^\t\x20-\x7e]/.test(target)) return 'non-ascii-target';
  return target.includes('#') ? 'fragment-in-target' : 'malformed-target';
}

type Read = Pick<RequestLine, 'target' | 'scheme' | 'authority'>;

function readTarget(method: string, target: string, side: RequestSide): Read {
  if (method === 'CONNECT') return readConnect(target, side);
  if (target.charCodeAt(0) === 0x2f) {
    // SECURITY: without a host in the target, the Host field alone would say where it goes.
    if (side === 'proxy') throw new BadMessage('origin-form-on-proxy');
    return { target, scheme: undefined, authority: undefined };
  }
  if (target === '*') {
    if (side === 'proxy') throw new BadMessage('origin-form-on-proxy');
    if (method !== 'OPTIONS') throw new BadMessage('asterisk-form-without-options');
    return { target, scheme: undefined, authority: undefined };
  }
  return readAbsolute(target);
}

function readConnect(target: string, side: RequestSide): Read {
  if (target.includes('@')) throw new BadMessage('userinfo-in-target');
  const authority = readAuthority(target);
  // A proxy inside the tunnel would be a second one that nobody asked about.
  if (side === 'server' || authority?.port === undefined) throw new BadMessage('malformed-target');
  return { target: '', scheme: undefined, authority };
}

function readAbsolute(target: string): Read {
  const scheme = target.startsWith('http://') ? 'http' : target.startsWith('https://') ? 'https' : undefined;
  if (scheme === undefined) {
    if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(target)) throw new BadMessage('unsupported-scheme');
    throw new BadMessage(
      readAuthority(target) === undefined ? 'malformed-target' : 'authority-form-without-connect',
    );
  }
  const start = scheme.length + 3;
  const slash = target.indexOf('/', start);
  const written = slash === -1 ? target.slice(start) : target.slice(start, slash);
  if (written.includes('@')) throw new BadMessage('userinfo-in-target');
  // RFC 9112: a client sends `/` for an empty path.
  const authority = slash === -1 ? undefined : readAuthority(written);
  if (authority === undefined) throw new BadMessage('malformed-target');
  return { target: target.slice(slash), scheme, authority };
}
