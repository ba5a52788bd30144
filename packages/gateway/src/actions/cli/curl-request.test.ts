import { expect, test } from 'vitest';
import { curlRequest } from './curl-request.ts';

const words = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
const URL = 'https://api.example.com/v1/items?a=1';

test.each([
  { line: `curl ${URL}`, request: { method: 'GET', url: URL, body: '', headers: [] } },
  { line: `curl -sSL -o out --max-time 5 ${URL}`, request: { method: 'GET', body: '' } },
  { line: `curl -I ${URL}`, request: { method: 'HEAD', body: '' } },
  {
    line: `curl -X PUT -H 'content-type: text/plain' -d hello ${URL}`,
    request: { method: 'PUT', body: 'hello', headers: [['content-type', 'text/plain']] },
  },
  {
    line: `curl -d a=1 --data-raw '@b' ${URL}`,
    request: {
      method: 'POST',
      body: 'a=1&@b',
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    },
  },
  {
    line: `curl --json '{"a":' --json '1}' ${URL}`,
    request: { method: 'POST', body: '{"a":1}', headers: [['Content-Type', 'application/json']] },
  },
])('$line spells its request out', ({ line, request }) => {
  expect(curlRequest(words(line))).toMatchObject(request);
});

test.each([
  ['a file as its body', `curl -d @secrets ${URL}`],
  ['a file as its JSON', `curl --json @secrets ${URL}`],
  ['a file that is sent up', `curl -T secrets ${URL}`],
  ['a form', `curl -F a=1 ${URL}`],
  ['what curl encodes', `curl --data-urlencode 'a=b c' ${URL}`],
  ['data in the query', `curl -G -d a=1 ${URL}`],
  ['JSON and data', `curl --json '{}' -d a=1 ${URL}`],
  ['two addresses', `curl ${URL} ${URL}`],
  ['a pattern of addresses', 'curl https://api.example.com/{a,b}'],
  ['a name and a password', 'curl https://ana:pw@api.example.com/'],
  ['another host in a header', `curl -H 'Host: evil.example' ${URL}`],
  ['a credential of its own', `curl -H 'Authorization: Bearer abc' ${URL}`],
  ['a credential that it chooses', `curl -H 'X-Creds: aws:prod' ${URL}`],
  ['headers from a file', `curl -H @headers ${URL}`],
  ['a header that is taken away', `curl -H 'Accept:' ${URL}`],
  ['options from a file', `curl -K more ${URL}`],
  ['another way', `curl -x http://evil.example ${URL}`],
  ['cookies', `curl -b a=b ${URL}`],
  ['a second transfer', `curl ${URL} --next -d x ${URL}`],
  ['an option that nobody knows', `curl --frobnicate ${URL}`],
  ['no address', 'curl -d a=1'],
])('[AP-1] %s: nobody can tell what is sent', (_why, line) => {
  expect(curlRequest(words(line))).toBeUndefined();
});
