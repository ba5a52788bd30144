import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ORDINARY_ADDRESSES } from './cases/ordinary-addresses.ts';
import { OWN_ADDRESSES } from './cases/own-addresses.ts';
import { type FoundCredential, findInAddress, findInForm } from './find-credential.ts';

const FORM = 'application/x-www-form-urlencoded';
const OWN = (): boolean => false;

function inUrl(text: string, isExcused: (found: FoundCredential) => boolean = OWN) {
  const [, host = '', path = '', query = ''] = /^https?:\/\/([^/?#]+)([^?#]*)\??([^#]*)/.exec(text) ?? [];
  return findInAddress({ host, path, query }, isExcused);
}

describe('[CR-9] an address with a credential of its own', () => {
  test('there are enough of them', () => {
    expect(OWN_ADDRESSES.length).toBeGreaterThanOrEqual(80);
    expect(ORDINARY_ADDRESSES.length).toBeGreaterThanOrEqual(60);
  });
  test.each(OWN_ADDRESSES)('is seen: %s', (url) => {
    expect(inUrl(url)).toBeDefined();
  });
});

test.each(ORDINARY_ADDRESSES)('an ordinary read is left alone: %s', (url) => {
  expect(inUrl(url)).toBeUndefined();
});

describe('[CR-9] a form with a credential of its own', () => {
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
  ]) {
    const hostile = piece.repeat(400_000 / piece.length);
    findInAddress({ host: 'a.example', path: `/${hostile}`, query: `${hostile}=${hostile}` }, OWN);
  }
  // A square of that length would take minutes.
  expect(performance.now() - started).toBeLessThan(20_000);
});
