import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ORDINARY_ADDRESSES } from './cases/ordinary-addresses.ts';
import { OWN_ADDRESSES } from './cases/own-addresses.ts';
import { type FoundCredential, findInAddress, findInForm } from './find-credential.ts';

const FORM = 'application/x-www-form-urlencoded';
const OWN = (): boolean => false;

function inUrl(text: string, isExcused: (found: FoundCredential) => boolean = OWN) {
  const [, host = '', path = '', query = ''] =
    /^(?:https?|wss?):\/\/([^/?#]+)([^?#]*)\??([^#]*)/.exec(text) ?? [];
  return findInAddress({ host, path, query }, isExcused);
}

describe('[CR-9] an address with a credential of its own', () => {
  test('there are enough of them', () => {
    expect(OWN_ADDRESSES.length).toBeGreaterThanOrEqual(170);
    expect(ORDINARY_ADDRESSES.length).toBeGreaterThanOrEqual(120);
  });
  test.each(OWN_ADDRESSES)('is seen: %s', (url) => {
    expect(inUrl(url)).toBeDefined();
  });
});

test.each(ORDINARY_ADDRESSES)('an ordinary read is left alone: %s', (url) => {
  expect(inUrl(url)).toBeUndefined();
});

describe('[CR-9] a form with a credential of its own', () => {
  const raw = (head: string, value = 'own-1'): string => `--b\r\n${head}\r\n\r\n${value}\r\n--b--\r\n`;
  const MULTI = 'multipart/form-data; boundary=b';
  const DISPOSITION = 'Content-Disposition: form-data;';
  const part = (name: string, value: string, more = ''): string =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n--b--\r\n`;
  test.each([
    ['a field', FORM, 'a=b&client_secret=own-1'],
    ['a field in an encoded name', `${FORM}; charset=utf-8`, 'client%5Fsecret=own-1'],
    ['a login', FORM, 'user=ana&password=hunter'],
    ['a token of Slack', FORM, 'channel=x&token=xoxb-1-2'],
    ['an assertion', FORM, 'grant_type=x&client_assertion=own-assertion'],
    ['a part', 'multipart/form-data; boundary=b', part('api_key', 'own-1')],
    ['a signed upload', 'Multipart/Form-Data; boundary=b', part('X-Amz-Signature', '0f1e2d')],
    [
      'a part with a type',
      'multipart/form-data; boundary=b',
      part('token', 'own-1-own').replace('\r\n\r\n', '\r\nContent-Type: text/plain\r\n\r\n'),
    ],
    [
      'a part with a file name in another parameter',
      MULTI,
      raw(`${DISPOSITION} name="api_key"; x="; filename=y"`),
    ],
    ['a part with an empty file name', MULTI, raw(`${DISPOSITION} name="api_key"; filename=""`)],
    [
      'a part with an empty encoded file name',
      MULTI,
      raw(`${DISPOSITION} name="api_key"; filename*=UTF-8''`),
    ],
    ['a part with folded headers', MULTI, raw(`${DISPOSITION}\r\n name="api_key"`)],
    [
      'a part with headers that are folded twice',
      MULTI,
      raw(`Content-Disposition:\r\n\tform-data;\r\n  name=api_key`),
    ],
    ['a part with an encoded name', MULTI, raw(`${DISPOSITION} name*=UTF-8''api%5Fkey`)],
    ['a part with two names', MULTI, raw(`${DISPOSITION} name="a"; name="api_key"`)],
    ['a part with an escaped name', MULTI, raw(`${DISPOSITION} name="api\\_key"`)],
    ['a part with a quote that stays open', MULTI, raw(`${DISPOSITION} name="api_key`)],
    ['a part with a long head', MULTI, raw(`${DISPOSITION} x="${'y'.repeat(3_000)}"; name="api_key"`)],
    [
      'a part with many headers',
      MULTI,
      raw(
        `${DISPOSITION} name="api_key"\r\n${Array.from({ length: 30 }, (_, at) => `X-${at}: y`).join('\r\n')}`,
      ),
    ],
    [
      'a part with its headers the other way round',
      MULTI,
      raw(`X-A: b\r\ncontent-disposition:form-data;name=api_key`),
    ],
    ['a part with blanks before the colon', MULTI, raw(`Content-Disposition : form-data; name="api_key"`)],
    ['a part with bare line ends', MULTI, raw(`${DISPOSITION} name="api_key"`).replaceAll('\r\n', '\n')],
    [
      'a part whose value begins on the next line',
      MULTI,
      raw(`${DISPOSITION} name="token"`, '\r\nagents-own'),
    ],
    ['a part of another kind', 'multipart/mixed; boundary=b', raw(`${DISPOSITION} name="api_key"`)],
    ['a key as the name of a part', MULTI, raw(`${DISPOSITION} name="ghp_${'A1b2C3d4'.repeat(5)}"`, '1')],
    ['a part with two names and a file', MULTI, raw(`${DISPOSITION} name="x"; filename="a"; name="api_key"`)],
    [
      'a part with two such headers, the first a file',
      MULTI,
      raw(`${DISPOSITION} name="x"; filename="a"\r\n${DISPOSITION} name="api_key"`),
    ],
    [
      'a part with two such headers, the second a file',
      MULTI,
      raw(`${DISPOSITION} name="api_key"\r\n${DISPOSITION} name="x"; filename="a"`),
    ],
    [
      'the last of many parts',
      MULTI,
      `${raw(`${DISPOSITION} name="a"`, 'b').repeat(40)}${raw(`${DISPOSITION} name="api_key"`)}`,
    ],
    ['a part with a name in pieces', MULTI, raw(`${DISPOSITION} name*0="api_"; name*1="key"`)],
    ['a part with a blank file name', MULTI, raw(`${DISPOSITION} name="api_key"; filename=" "`)],
    [
      'a part with line ends of another kind',
      MULTI,
      raw(`${DISPOSITION} name="api_key"`).replaceAll('\r\n', '\r'),
    ],
    ['a word as a password', FORM, 'log=ana&pwd=dragon'],
    ['a session that is no protocol’s', FORM, 'sessionId=550e8400-e29b-41d4-a716-446655440000'],
  ])('is seen: %s', (_what, type, text) => {
    expect(findInForm(text, type, 'a.example', OWN)?.where).toBe('form');
  });
  test.each([
    ['an ordinary one', FORM, 'title=The+key+to+tokens&body=see+api_key+docs'],
    [
      'a token against forgery',
      FORM,
      '_token=q7Zt3mXv9LpK2sWd8RbN&authenticity_token=q7Zt3mXv9LpK2sWd8RbN%3D%3D',
    ],
    ['a query of AWS', FORM, 'Action=DescribeStacks&Version=2010-05-15&NextToken=q7Zt3mXv9LpK2sWd8RbN'],
    ['JSON that curl calls a form', FORM, '{"api_key":"own"}'],
    ['a file', 'multipart/form-data; boundary=b', part('token', 'own-1-own', '; filename="token.txt"')],
    [
      'a file with a quoted name',
      MULTI,
      raw(`${DISPOSITION} name="token"; filename="a\\"b;c.txt"`, 'own-1-own'),
    ],
    [
      'a file with an encoded name',
      MULTI,
      raw(`${DISPOSITION} name="token"; filename*=UTF-8''a.txt`, 'own-1-own'),
    ],
    ['our placeholder', FORM, `client_secret=sp-placeholder-${'0a'.repeat(20)}`],
    ['our reference', FORM, `client_secret=sp-ref%3Ashop%3Aclient%3A${'0a'.repeat(16)}`],
    ['another type', 'application/json', 'api_key=own-1'],
  ])('is left alone: %s', (_what, type, text) => {
    expect(findInForm(text, type, 'a.example', OWN)).toBeUndefined();
  });
});

test('what is excused does not hide what is not', () => {
  const isExcused = ({ name }: FoundCredential): boolean => name === 'key';
  expect(inUrl('https://x.googleapis.com/?key=one&api_key=two', isExcused)?.name).toBe('api_key');
  expect(inUrl('https://x.googleapis.com/?key=one', isExcused)).toBeUndefined();
});

test('it is total, and shows names of people’s length without what a terminal would read', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ maxLength: 200 }),
      (query, path) => {
        const found = findInAddress({ host: 'a.example', path: `/${path}`, query }, OWN);
        expect(found?.name ?? '').toMatch(/^[\x20-\x7e]{0,64}$/);
      },
    ),
  );
});

test('it takes linear time on any input', () => {
  const started = performance.now();
  for (const piece of [
    'a',
    '=&',
    'sk-aa-',
    'eyJa',
    ':',
    'a-',
    '-----BEGIN ',
    'xoxb-',
    '/hooks/a1b2',
    '.eyJaaaaaaaaa',
    '%25',
    '"a":"',
    `'a':"`,
    `'a':'`,
    'a-a:',
    'a=',
    '://a:',
    'https://a/',
    '?a=',
    '{"',
    'Bearer ',
  ]) {
    const hostile = piece.repeat(400_000 / piece.length);
    findInAddress({ host: 'a.example', path: `/${hostile}`, query: `${hostile}=${hostile}` }, OWN);
  }
  for (const piece of ['Content-Disposition: form-data; ', '; a="', ';name=a', '\r\n ', '\r\n', '\\"', '--'])
    findInForm(
      `Content-Disposition:${piece.repeat(400_000 / piece.length)}`,
      'multipart/form-data',
      'a.example',
      OWN,
    );
  // A square of that length would take minutes.
  expect(performance.now() - started).toBeLessThan(10_000);
});
