import { friendly, type HttpCase, hostile } from './case.ts';

const HOST = 'https://www.example.com';
const READ = 'read custom:http low';
const OVERRIDE = 'write custom:http critical';
/** The first character as an escape, then a character of that, and so on: no decoder of a fixed depth finds it. */
function escaped(text: string, times: number): string {
  let result = text;
  for (let at = 0; at < times; at += 1) {
    const place = at === 0 ? 0 : 1 + (at % 2);
    const hex = result.charCodeAt(place).toString(16);
    result = `${result.slice(0, place)}%${hex}${result.slice(place + 1)}`;
  }
  return result;
}
const PARTS = '--b\r\nContent-Disposition: form-data; name="_method"\r\n\r\nDELETE\r\n--b--\r\n';

export const GENERAL_CASES: readonly HttpCase[] = [
  friendly('a page', `GET ${HOST}/`, READ),
  friendly('a page with a query', `GET ${HOST}/search?q=a&lang=en`, READ),
  friendly('HEAD asks for the head of it', `HEAD ${HOST}/a`, READ),
  friendly('OPTIONS asks what is possible', `OPTIONS ${HOST}/a`, READ),
  friendly('OPTIONS of the server', `OPTIONS ${HOST}*`, READ),
  friendly('a GET that says it has no body', `GET ${HOST}/a`, READ, { headers: [['Content-Length', '0']] }),
  friendly('a form is a write', `POST ${HOST}/a`, 'write custom:http high', { body: 'a=b' }),
  friendly('PUT', `PUT ${HOST}/a`, 'write custom:http high', { body: 'x' }),
  friendly('PATCH', `PATCH ${HOST}/a`, 'write custom:http high', { body: 'x' }),
  friendly('an encoded space is only a path', `GET ${HOST}/a%20b`, READ),
  friendly('a header that sounds like an upgrade', `GET ${HOST}/`, READ, {
    headers: [['Upgrade-Insecure-Requests', '1']],
  }),
  friendly('a query key that only ends alike', `GET ${HOST}/?payment_method=card`, READ),
  hostile('DELETE', `DELETE ${HOST}/a`, 'write custom:http high'),
  hostile('a POST without a body is still one', `POST ${HOST}/a`, 'write custom:http high'),
  hostile('[NE-9] a GET with a body', `GET ${HOST}/a`, 'write custom:http high', { body: '{}' }),
  hostile('[NE-9] a HEAD with a body', `HEAD ${HOST}/a`, 'write custom:http high', { body: '{}' }),
  hostile('[NE-9] an OPTIONS with a body', `OPTIONS ${HOST}/a`, 'write custom:http high', { body: 'x' }),
  hostile('[NE-9] a GET whose body has not come yet', `GET ${HOST}/a`, 'write custom:http high', {
    cut: true,
  }),
  hostile('[NE-9] a GET that announces a body', `GET ${HOST}/a`, 'write custom:http high', {
    headers: [['content-LENGTH', '5']],
  }),
  hostile('[NE-9] a GET with a chunked body', `GET ${HOST}/a`, 'write custom:http high', {
    headers: [['Transfer-Encoding', 'chunked']],
  }),
  hostile('[NE-9] a protocol upgrade', `GET ${HOST}/a`, 'write custom:http high', { upgrade: 'websocket' }),
  hostile(
    '[NE-9] an Upgrade header that the door did not act on',
    `GET ${HOST}/a`,
    'write custom:http high',
    {
      headers: [['uPGRADE', 'h2c']],
    },
  ),
  hostile('[NE-9] the settings that come with an h2c upgrade', `GET ${HOST}/a`, 'write custom:http high', {
    headers: [['HTTP2-Settings', 'AAMAAABkAAQAoAAAAAIAAAAA']],
  }),
  hostile('[NE-9] extended CONNECT of HTTP/2', `GET ${HOST}/a`, 'write custom:http high', {
    headers: [[':protocol', 'websocket']],
  }),
  hostile('[NE-9] a web socket', 'GET wss://www.example.com/a', 'write custom:http high'),
  hostile('[NE-9] a plain web socket', 'GET ws://www.example.com/a', 'write custom:http high'),
  hostile('[NE-9] a tunnel', 'CONNECT tunnel://www.example.com', 'write custom:http high'),
  hostile(
    '[NE-9] a tunnel to a host with a table',
    'CONNECT tunnel://api.anthropic.com',
    'write custom:http high',
  ),
  hostile('a tunnel that says GET', 'GET tunnel://www.example.com/', 'write custom:http high'),
  hostile('[GA-2] an unknown method', `PROPFIND ${HOST}/a`, 'write custom:http critical'),
  hostile(
    '[GA-2] QUERY is safe by its draft, unknown to servers',
    `QUERY ${HOST}/a`,
    'write custom:http critical',
  ),
  hostile('[GA-2] methods are case-sensitive', `get ${HOST}/a`, 'write custom:http critical'),
  hostile('[GA-2] TRACE echoes credentials', `TRACE ${HOST}/a`, 'write custom:http critical'),
  hostile('[GA-2] CONNECT without a tunnel', `CONNECT ${HOST}/a`, 'write custom:http critical'),
  hostile('[GA-2] no method', ` ${HOST}/a`, 'write custom:http critical'),
  hostile('[GA-2] a method with something behind it', `GETX ${HOST}/a`, 'write custom:http critical'),
  hostile('an override header', `GET ${HOST}/a`, 'write custom:http critical', {
    headers: [['X-HTTP-Method-Override', 'DELETE']],
  }),
  hostile('its short name', `GET ${HOST}/a`, 'write custom:http critical', {
    headers: [['X-HTTP-Method', 'PUT']],
  }),
  hostile('its other name, in another case', `GET ${HOST}/a`, 'write custom:http critical', {
    headers: [['x-METHOD-override', 'PUT']],
  }),
  friendly('an override that says what the line says', `GET ${HOST}/a`, READ, {
    headers: [['X-Method-Override', 'GET']],
  }),
  friendly('the same in the query', `GET ${HOST}/a?_method=get`, READ),
  friendly('a method of an API, not of HTTP', `GET ${HOST}/rest?method=flickr.photos.search`, READ),
  friendly('a word that is no method of HTTP', `GET ${HOST}/list?method=search&verb=run`, READ),
  friendly('a key that only holds the word', `GET ${HOST}/a?shipping_method=put&methods=delete`, READ),
  friendly('a preflight asks about a method', `OPTIONS ${HOST}/a`, READ, {
    headers: [['Access-Control-Request-Method', 'DELETE']],
  }),
  hostile('a POST that says GET is not what was judged', `POST ${HOST}/a`, 'write custom:http critical', {
    headers: [['X-Method-Override', 'GET']],
  }),
  ...[
    '_m%65thod=DELETE',
    '%5Fm%65thod=DELETE',
    '%255Fmethod=DELETE',
    '%u005fmethod=DELETE',
    '_ME%54HOD=delete',
    '+_method=DELETE',
    '.method=DELETE',
    '_method[]=DELETE',
    '_method%5B0%5D=DELETE',
    '_method=GET&_method=DELETE',
    '_method',
    '_method=GET,DELETE',
    '_method=brew',
    '%EF%BC%BFmethod=DELETE',
    '_HttpMethod=DELETE',
    '_httpMethod=put',
    'http_method=DELETE',
    'http-method=patch',
    'httpMethod=D%45LETE',
    'http=DELETE',
    'method=DELETE',
    'method=%2544ELETE',
    'verb=delete',
    '$method=DELETE',
    '%24httpMethod=PUT',
    'Method-Override=DELETE',
    'x-http-method=MERGE',
    'X-Requested-Method=DELETE',
    'a=b;_method=DELETE',
    '%252525255Fmethod=DELETE',
    `%${'25'.repeat(40)}5Fmethod=DELETE`,
    `${escaped('_method', 12)}=DELETE`,
    `_method=${escaped('DELETE', 12)}`,
    `method=${escaped('DELETE', 12)}`,
    'httpMethod=MERGE',
    'http_method=Move',
    'http-verb=LOCK',
    'requestMethod=SEARCH',
    'method=MERGE',
    'method=merge',
    'verb=COPY',
    'method=D%E2%80%8BELETE',
    'a[_method]=DELETE',
    'a%5B_method%5D=DELETE',
    'a[b][_method][]=DELETE',
    'a._method=DELETE',
    'user[x-http-method-override]=DELETE',
    'HTTP_X_HTTP_METHOD_OVERRIDE=DELETE',
    'x-verb=DELETE',
  ].map((query) => hostile(`[NE-9] the method in the query`, `GET ${HOST}/a?${query}`, OVERRIDE)),
  ...(
    [
      ['Method-Override', 'DELETE'],
      ['X-Requested-Method', 'DELETE'],
      ['X-Request-Method', 'DELETE'],
      ['HTTP-Method-Override', 'DELETE'],
      ['X-HTTP-Verb', 'DELETE'],
      ['_method', 'DELETE'],
      ['Method', 'delete'],
      ['HTTP_METHOD', 'PUT'],
      ['X-HTTP-Method-Override', 'GET, DELETE'],
      ['X-Original-URI', '/admin'],
      ['HTTP_X_HTTP_METHOD_OVERRIDE', 'DELETE'],
      ['HTTP-X-HTTP-Method-Override', 'DELETE'],
      ['X-HTTP-Method-Override-Value', 'DELETE'],
      ['X-Verb', 'DELETE'],
      ['X-HTTP-Verb-Override', 'DELETE'],
      ['X-Override-Method', 'DELETE'],
      ['X-Original-Method', 'DELETE'],
      ['X-Tunnel-Method', 'DELETE'],
      ['X-Original-Host', 'b.example'],
      ['X-Original-Path', '/admin'],
      ['X-Original-Request-URI', '/admin'],
      ['X-Forwarded-Host', 'b.example'],
      ['X-Forwarded-Server', 'b.example'],
      ['X-Forwarded-Path', '/admin'],
      ['X-Forwarded-Prefix', '/admin'],
      ['X_FORWARDED_PREFIX', '/admin'],
      ['X-Forwarded-URL', '/admin'],
      ['X-Forwarded-Method', 'DELETE'],
      ['X-Rewrite-URL', '/admin'],
      ['X-Rewrite-Path', '/admin'],
      ['X-HTTP-Path-Override', '/admin'],
      ['X-HTTP-Host-Override', 'b.example'],
      ['X-HTTP-DestinationURL', 'http://b.example/'],
      ['X-Envoy-Original-Path', '/admin'],
      ['X-Script-Name', '/admin'],
      ['X-Proxy-URL', 'http://b.example/'],
      ['X-Proxy-Host', 'b.example'],
      ['X-Host', 'b.example'],
      ['X-Backend-Host', 'b.example'],
      ['Forwarded', 'host=b.example;proto=https'],
      ['Request-URI', '/admin'],
      ['Base-URL', 'http://b.example/'],
    ] as const
  ).map((header) => hostile(`[NE-9] ${header[0]}`, `GET ${HOST}/a`, OVERRIDE, { headers: [header] })),
  ...(
    [
      ['application/x-www-form-urlencoded', 'a=1&_m%65thod=DELETE'],
      ['application/x-www-form-urlencoded; charset=utf-8', '_HttpMethod=DELETE'],
      ['multipart/form-data; boundary=b', PARTS],
      ['multipart/form-data; boundary=b', PARTS.replace('name="_method"', "name*=utf-8''%5Fmethod")],
      ['application/json', '{"a":1,"_method":"DELETE"}'],
      ['application/json', '{"_m\\u0065thod":"DELETE"}'],
      ['application/json', '{"a":[{"_method":"DELETE"}]}'],
      ['application/x-www-form-urlencoded', 'a[_method]=DELETE'],
    ] as const
  ).map(([type, body]) =>
    hostile(`[NE-9] the method in the body, ${type}`, `POST ${HOST}/a`, OVERRIDE, {
      headers: [['Content-Type', type]],
      body,
    }),
  ),
  ...(
    [
      ['X-Forwarded-For', '192.0.2.1'],
      ['X-Forwarded-Proto', 'https'],
      ['X-Payment-Method', 'card'],
      ['X-Auth-Method', 'token'],
      ['X-Requested-With', 'XMLHttpRequest'],
      ['Origin', 'https://www.example.com'],
      ['Referer', 'https://www.example.com/'],
    ] as const
  ).map((header) => friendly(`the header ${header[0]}`, `GET ${HOST}/a`, READ, { headers: [header] })),
  ...[
    'filter[method]=POST',
    'filter[http_method]=POST',
    'method=search&q=%2525',
    'verb=run',
    'sort=method&http=true',
    'q=_method%3DDELETE',
    'a[payment_method]=card',
    'redirect=https%253A%252F%252Fwww.example.com%252F%253Fmethod%253Dx',
  ].map((query) => friendly('a query that says nothing of the method', `GET ${HOST}/a?${query}`, READ)),
  friendly('a form with a payment method', `POST ${HOST}/a`, 'write custom:http high', {
    body: 'payment_method=post&a=1',
  }),
  friendly('a JSON-RPC method', `POST ${HOST}/a`, 'write custom:http high', {
    body: '{"jsonrpc":"2.0","method":"tools/list"}',
  }),
  hostile('with underscores, as CGI reads them', `GET ${HOST}/a`, 'write custom:http critical', {
    headers: [['X_HTTP_Method_Override', 'PUT']],
  }),
  hostile('the method in the query', `GET ${HOST}/a?_method=DELETE`, 'write custom:http critical'),
  hostile('as a later parameter', `GET ${HOST}/a?x=1&_method=DELETE`, 'write custom:http critical'),
  hostile('after the old separator', `GET ${HOST}/a?x=1;_method=DELETE`, 'write custom:http critical'),
  hostile('in capitals', `GET ${HOST}/a?_METHOD=delete`, 'write custom:http critical'),
  hostile('with its underscore encoded', `GET ${HOST}/a?%5fmethod=DELETE`, 'write custom:http critical'),
  hostile('as an array', `GET ${HOST}/a?_method[]=DELETE`, 'write custom:http critical'),
  hostile(
    'the override header as a parameter',
    `GET ${HOST}/a?x-http-method-override=PUT`,
    'write custom:http critical',
  ),
  hostile('a header that replaces the path', `GET ${HOST}/a`, 'write custom:http critical', {
    headers: [['X-Original-URL', '/admin/delete']],
  }),
  hostile('its other name', `GET ${HOST}/a`, 'write custom:http critical', {
    headers: [['X-Rewrite-URL', '/b']],
  }),
  hostile('an encoded NUL', `GET ${HOST}/a%00b`, 'write custom:http critical'),
  hostile('an encoded line break', `GET ${HOST}/a%0d%0aHost:x`, 'write custom:http critical'),
  hostile('a raw space', `GET ${HOST}/a b`, 'write custom:http critical'),
  hostile('a raw tab in the query', `GET ${HOST}/a?b\tc`, 'write custom:http critical'),
  hostile('a backslash', `GET ${HOST}/a\\..\\b`, 'write custom:http critical'),
  hostile('a fragment goes to no server', `GET ${HOST}/a#/b`, 'write custom:http critical'),
  hostile('a broken escape', `GET ${HOST}/a%2`, 'write custom:http critical'),
  hostile('overlong dots', `GET ${HOST}/%c0%ae%c0%ae/a`, 'write custom:http critical'),
  hostile('a climb above the root', `GET ${HOST}/../a`, 'write custom:http critical'),
  hostile('no origin form', `GET ${HOST}@evil.example/a`, 'write custom:http critical'),
  hostile('an empty target', `GET ${HOST}`, 'write custom:http critical'),
  hostile(
    'a telemetry host is quiet',
    'POST https://statsig.anthropic.com/v1/rgstr',
    'write custom:http high',
    {
      body: '{}',
      quiet: true,
    },
  ),
  hostile('also when it is only asked', 'GET https://o1.ingest.sentry.io/api/1/', 'read custom:http low', {
    quiet: true,
  }),
];
