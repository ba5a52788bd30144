import type { HostileRequest } from './request-cases.ts';

const H = 'Host: a.example\r\n';
const line = (text: string): string => `${text}\r\n${H}\r\n`;
const get = (fields: string): string => `GET / HTTP/1.1\r\n${fields}\r\n`;
const absolute = (target: string, host = 'a.example'): string =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
const connect = (target: string, fields = ''): string => `CONNECT ${target} HTTP/1.1\r\n${fields}\r\n`;

/** The request line. */
export const LINE_ATTACKS: readonly HostileRequest[] = [
  { attack: 'HTTP/0.9', bytes: 'GET /\r\n\r\n', reason: 'malformed-request-line' },
  { attack: 'HTTP/0.9 with fields', bytes: line('GET /'), reason: 'malformed-request-line' },
  { attack: 'version 0.9', bytes: line('GET / HTTP/0.9'), reason: 'unsupported-version' },
  { attack: 'version 1.2', bytes: line('GET / HTTP/1.2'), reason: 'unsupported-version' },
  { attack: 'version 2.0', bytes: line('GET / HTTP/2.0'), reason: 'unsupported-version' },
  { attack: 'version 2', bytes: line('GET / HTTP/2'), reason: 'unsupported-version' },
  { attack: 'an HTTP/2 preface', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', reason: 'unsupported-version' },
  { attack: 'version 1.10', bytes: line('GET / HTTP/1.10'), reason: 'unsupported-version' },
  { attack: 'version 1.1 with a zero', bytes: line('GET / HTTP/01.1'), reason: 'unsupported-version' },
  { attack: 'a version in lower case', bytes: line('GET / http/1.1'), reason: 'malformed-request-line' },
  { attack: 'another protocol', bytes: line('GET / ICAP/1.0'), reason: 'malformed-request-line' },
  {
    attack: 'two blanks before the target',
    bytes: line('GET  / HTTP/1.1'),
    reason: 'malformed-request-line',
  },
  { attack: 'two blanks after the target', bytes: line('GET /  HTTP/1.1'), reason: 'malformed-request-line' },
  { attack: 'a blank at the end', bytes: line('GET / HTTP/1.1 '), reason: 'malformed-request-line' },
  { attack: 'a blank at the start', bytes: line(' GET / HTTP/1.1'), reason: 'malformed-request-line' },
  { attack: 'a blank in the target', bytes: line('GET /a b HTTP/1.1'), reason: 'malformed-request-line' },
  { attack: 'tabs for blanks', bytes: line('GET\t/\tHTTP/1.1'), reason: 'malformed-request-line' },
  { attack: 'a tab in the target', bytes: line('GET /a\tb HTTP/1.1'), reason: 'malformed-target' },
  { attack: 'a vertical tab for a blank', bytes: line('GET\v/ HTTP/1.1'), reason: 'control-byte' },
  {
    attack: 'no blank after the method',
    bytes: line('GET//a.example HTTP/1.1'),
    reason: 'malformed-request-line',
  },
  { attack: 'an empty line first', bytes: `\r\n${get(H)}`, reason: 'empty-request-line' },
  { attack: 'a method that is no token', bytes: line('GE(T / HTTP/1.1'), reason: 'malformed-method' },
  { attack: 'a method in quotes', bytes: line('"GET" / HTTP/1.1'), reason: 'malformed-method' },
  { attack: 'an endless method', bytes: line(`${'A'.repeat(33)} / HTTP/1.1`), reason: 'malformed-method' },
  {
    attack: 'a target of 40 KiB',
    bytes: line(`GET /${'a'.repeat(40_000)} HTTP/1.1`),
    reason: 'target-too-long',
  },
  { attack: 'a target in UTF-8', bytes: line('GET /\xc3\xa4 HTTP/1.1'), reason: 'non-ascii-target' },
  { attack: 'a fragment', bytes: line('GET /#x HTTP/1.1'), reason: 'fragment-in-target' },
  {
    attack: 'a fragment that moves the host',
    bytes: absolute('http://a.example#@b.example/'),
    reason: 'fragment-in-target',
    side: 'proxy',
  },
  {
    attack: 'a target without slash',
    bytes: line('GET foo HTTP/1.1'),
    reason: 'authority-form-without-connect',
  },
  { attack: 'a target that is a backslash', bytes: line('GET \\ HTTP/1.1'), reason: 'malformed-target' },
  {
    attack: 'asterisk form with GET',
    bytes: line('GET * HTTP/1.1'),
    reason: 'asterisk-form-without-options',
  },
  {
    attack: 'authority form with GET',
    bytes: line('GET a.example:80 HTTP/1.1'),
    reason: 'authority-form-without-connect',
  },
  {
    attack: 'CONNECT inside a tunnel',
    bytes: connect('b.example:443', 'Host: b.example:443\r\n'),
    reason: 'malformed-target',
  },
];

/** Where a request goes. */
export const HOST_ATTACKS: readonly HostileRequest[] = [
  { attack: 'no Host', bytes: get('X: 1\r\n'), reason: 'no-host' },
  { attack: 'no field at all', bytes: get(''), reason: 'no-host' },
  { attack: 'no Host on 1.0', bytes: 'GET / HTTP/1.0\r\n\r\n', reason: 'no-host' },
  { attack: 'an empty Host', bytes: get('Host:\r\n'), reason: 'empty-host' },
  { attack: 'a blank Host', bytes: get('Host:   \r\n'), reason: 'empty-host' },
  { attack: 'two Hosts', bytes: get(`${H}Host: b.example\r\n`), reason: 'second-host' },
  { attack: 'two equal Hosts', bytes: get(`${H}${H}`), reason: 'second-host' },
  { attack: 'two Hosts in other case', bytes: get(`${H}hOST: b.example\r\n`), reason: 'second-host' },
  { attack: 'a Host with a path', bytes: get('Host: a/b\r\n'), reason: 'malformed-host' },
  { attack: 'a Host with userinfo', bytes: get('Host: x@a\r\n'), reason: 'malformed-host' },
  { attack: 'a list of Hosts', bytes: get('Host: a.example, b.example\r\n'), reason: 'malformed-host' },
  { attack: 'a Host with a blank', bytes: get('Host: a.example b.example\r\n'), reason: 'malformed-host' },
  { attack: 'a Host with a backslash', bytes: get('Host: a.example\\b\r\n'), reason: 'malformed-host' },
  { attack: 'a Host with a query', bytes: get('Host: a.example?b\r\n'), reason: 'malformed-host' },
  { attack: 'a Host with an escape', bytes: get('Host: a%2eexample\r\n'), reason: 'malformed-host' },
  { attack: 'a Host in UTF-8', bytes: get('Host: \xc3\xa4.example\r\n'), reason: 'malformed-host' },
  { attack: 'a Host with an empty port', bytes: get('Host: a.example:\r\n'), reason: 'malformed-host' },
  { attack: 'a Host with port 0', bytes: get('Host: a.example:0\r\n'), reason: 'malformed-host' },
  {
    attack: 'a Host with a port too large',
    bytes: get('Host: a.example:65616\r\n'),
    reason: 'malformed-host',
  },
  { attack: 'a Host with an octal port', bytes: get('Host: a.example:080\r\n'), reason: 'malformed-host' },
  { attack: 'a Host with two ports', bytes: get('Host: a.example:80:81\r\n'), reason: 'malformed-host' },
  { attack: 'an IPv6 Host without brackets', bytes: get('Host: ::1\r\n'), reason: 'malformed-host' },
  { attack: 'an IPv6 Host with a zone', bytes: get('Host: [fe80::1%25eth0]\r\n'), reason: 'malformed-host' },
  { attack: 'an IPv6 Host with something after', bytes: get('Host: [::1]x\r\n'), reason: 'malformed-host' },
  { attack: 'a Host with an empty label', bytes: get('Host: a..example\r\n'), reason: 'malformed-host' },
  { attack: 'a wildcard Host', bytes: get('Host: *.example\r\n'), reason: 'malformed-host' },
  { attack: 'origin form on the proxy port', bytes: get(H), reason: 'origin-form-on-proxy', side: 'proxy' },
  {
    attack: 'two slashes on the proxy port',
    bytes: line('GET //b.example/ HTTP/1.1'),
    reason: 'origin-form-on-proxy',
    side: 'proxy',
  },
  {
    attack: 'OPTIONS * on the proxy port',
    bytes: line('OPTIONS * HTTP/1.1'),
    reason: 'origin-form-on-proxy',
    side: 'proxy',
  },
  {
    attack: 'absolute form that differs from Host',
    bytes: absolute('http://b.example/'),
    reason: 'host-mismatch',
    side: 'proxy',
  },
  { attack: 'the same inside a tunnel', bytes: absolute('http://b.example/'), reason: 'host-mismatch' },
  {
    attack: 'a port that differs from Host',
    bytes: absolute('http://a.example:8080/'),
    reason: 'host-mismatch',
    side: 'proxy',
  },
  {
    attack: 'a port that only Host has',
    bytes: absolute('http://a.example/', 'a.example:8080'),
    reason: 'host-mismatch',
    side: 'proxy',
  },
  {
    attack: 'userinfo in the target',
    bytes: absolute('http://a.example@b.example/', 'b.example'),
    reason: 'userinfo-in-target',
    side: 'proxy',
  },
  {
    attack: 'a password in the target',
    bytes: absolute('http://u:p@a.example/'),
    reason: 'userinfo-in-target',
    side: 'proxy',
  },
  {
    attack: 'an empty userinfo',
    bytes: absolute('http://@a.example/'),
    reason: 'userinfo-in-target',
    side: 'proxy',
  },
  {
    attack: 'a target with an empty host',
    bytes: absolute('http:///x'),
    reason: 'malformed-target',
    side: 'proxy',
  },
  {
    attack: 'a target without path',
    bytes: absolute('http://a.example'),
    reason: 'malformed-target',
    side: 'proxy',
  },
  {
    attack: 'a query without path',
    bytes: absolute('http://a.example?x'),
    reason: 'malformed-target',
    side: 'proxy',
  },
  {
    attack: 'a backslash that ends the host',
    bytes: absolute('http://a.example\\@b.example/'),
    reason: 'userinfo-in-target',
    side: 'proxy',
  },
  {
    attack: 'one slash after the scheme',
    bytes: absolute('http:/a.example/'),
    reason: 'malformed-target',
    side: 'proxy',
  },
  {
    attack: 'a scheme in upper case',
    bytes: absolute('HTTP://a.example/'),
    reason: 'unsupported-scheme',
    side: 'proxy',
  },
  { attack: 'a file', bytes: absolute('file:///etc/passwd'), reason: 'unsupported-scheme', side: 'proxy' },
  { attack: 'ftp', bytes: absolute('ftp://a.example/'), reason: 'unsupported-scheme', side: 'proxy' },
  {
    attack: 'gopher',
    bytes: absolute('gopher://a.example:6379/_x'),
    reason: 'unsupported-scheme',
    side: 'proxy',
  },
  {
    attack: 'CONNECT without port',
    bytes: connect('a.example', H),
    reason: 'malformed-target',
    side: 'proxy',
  },
  {
    attack: 'CONNECT with a path',
    bytes: connect('a.example:443/x', H),
    reason: 'malformed-target',
    side: 'proxy',
  },
  {
    attack: 'CONNECT with a scheme',
    bytes: connect('https://a.example:443', H),
    reason: 'malformed-target',
    side: 'proxy',
  },
  {
    attack: 'CONNECT with userinfo',
    bytes: connect('x@a.example:443', H),
    reason: 'userinfo-in-target',
    side: 'proxy',
  },
  {
    attack: 'CONNECT that differs from Host',
    bytes: connect('a.example:443', 'Host: b.example:443\r\n'),
    reason: 'host-mismatch',
    side: 'proxy',
  },
  {
    attack: 'CONNECT to another port than Host',
    bytes: connect('a.example:443', 'Host: a.example:22\r\n'),
    reason: 'host-mismatch',
    side: 'proxy',
  },
  {
    attack: 'CONNECT with a body',
    bytes: connect('a.example:443', `${H}Content-Length: 5\r\n`),
    reason: 'body-not-allowed',
    side: 'proxy',
  },
  {
    attack: 'CONNECT without Host on 1.1',
    bytes: connect('a.example:443'),
    reason: 'no-host',
    side: 'proxy',
  },
  {
    attack: 'CONNECT to port 0',
    bytes: connect('a.example:0', H),
    reason: 'malformed-target',
    side: 'proxy',
  },
];

/** Switching protocols and waiting. */
export const SWITCH_ATTACKS: readonly HostileRequest[] = [
  {
    attack: 'h2c upgrade',
    bytes: get(`${H}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n`),
    reason: 'h2c-upgrade',
  },
  {
    attack: 'h2c upgrade without settings',
    bytes: get(`${H}Connection: Upgrade\r\nUpgrade: h2c\r\n`),
    reason: 'h2c-upgrade',
  },
  {
    attack: 'h2c in a list',
    bytes: get(`${H}Connection: Upgrade\r\nUpgrade: websocket, h2c\r\n`),
    reason: 'h2c-upgrade',
  },
  {
    attack: 'h2c in a second field',
    bytes: get(`${H}Connection: Upgrade\r\nUpgrade: websocket\r\nUpgrade: h2c\r\n`),
    reason: 'h2c-upgrade',
  },
  { attack: 'h2c that Connection does not name', bytes: get(`${H}Upgrade: h2c\r\n`), reason: 'h2c-upgrade' },
  { attack: 'settings alone', bytes: get(`${H}HTTP2-Settings: AAMAAABk\r\n`), reason: 'h2c-upgrade' },
  {
    attack: 'TLS inside',
    bytes: get(`${H}Connection: Upgrade\r\nUpgrade: TLS/1.0\r\n`),
    reason: 'unsupported-upgrade',
  },
  {
    attack: 'a WebSocket that Connection does not name',
    bytes: get(`${H}Upgrade: websocket\r\n`),
    reason: 'unsupported-upgrade',
  },
  {
    attack: 'a Connection that names an Upgrade which is not there',
    bytes: get(`${H}Connection: upgrade\r\n`),
    reason: 'unsupported-upgrade',
  },
  {
    attack: 'a WebSocket by POST',
    bytes: `POST / HTTP/1.1\r\n${H}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
    reason: 'unsupported-upgrade',
  },
  {
    attack: 'a WebSocket on 1.0',
    bytes: `GET / HTTP/1.0\r\n${H}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
    reason: 'unsupported-upgrade',
  },
  {
    attack: 'a WebSocket with a body',
    bytes: get(`${H}Connection: upgrade\r\nUpgrade: websocket\r\nContent-Length: 5\r\n`),
    reason: 'upgrade-with-body',
  },
  { attack: 'an unknown expectation', bytes: get(`${H}Expect: 200-ok\r\n`), reason: 'unknown-expectation' },
];
