import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pathTemplate } from './path-template.ts';

const RUNS = { numRuns: rounds(2_000) };

const ROWS: readonly (readonly [why: string, path: string, template: string])[] = [
  ['the root', '/', '/'],
  ['nothing', '', ''],
  ['a star', '*', '*'],
  ['words', '/api/v1/users', '/api/v1/users'],
  ['a number', '/api/v1/users/42', '/api/v1/users/{}'],
  ['a number with an ending', '/users/42.json', '/users/{}.json'],
  ['a number with a verb', '/jobs/42:cancel', '/jobs/{}:cancel'],
  ['another verb is another template', '/jobs/42:delete', '/jobs/{}:delete'],
  ['a trailing slash', '/users/42/', '/users/{}/'],
  ['a UUID', '/u/0b9c3a52-0b1e-4b0e-9b7a-3f2d1c0b9a88/x', '/u/{}/x'],
  ['a UUID in capitals', '/u/0B9C3A52-0B1E-4B0E-9B7A-3F2D1C0B9A88', '/u/{}'],
  ['a commit', `/commits/${'a1'.repeat(20)}`, '/commits/{}'],
  ['a short commit', '/commits/3f2d1c0', '/commits/{}'],
  ['a digest', `/blobs/sha256:${'0f'.repeat(32)}`, '/blobs/sha256:{}'],
  ['a ULID', '/x/01ARZ3NDEKTSV4RRFFQ69G5FAV', '/x/{}'],
  ['an id with a prefix', '/v1/customers/cus_NffrFeUfNV2Hib/sources', '/v1/customers/{}/sources'],
  ['base64', '/t/dGhpcyBpcyBhIHRva2Vu1-x9Q2e_7Zk', '/t/{}'],
  // What must stay apart.
  ['a version', '/v2/things', '/v2/things'],
  ['a release', '/releases/1.2.3', '/releases/1.2.3'],
  ['a word of hexadecimal letters', '/facade/defaced/deadbeefcafe', '/facade/defaced/deadbeefcafe'],
  ['a long name', '/p/my-project-2024-release-v2-final3', '/p/my-project-2024-release-v2-final3'],
  ['a long method', '/rpc/getUserProfileByNameAndRegion2', '/rpc/getUserProfileByNameAndRegion2'],
  ['a dated name', '/b/backup20240101T120000Z', '/b/backup20240101T120000Z'],
  ['a host', '/hosts/ip-10-0-0-12.example', '/hosts/ip-10-0-0-12.example'],
  ['a long name without digits', '/x/QwErTyUiOpAsDfGhJkLz', '/x/QwErTyUiOpAsDfGhJkLz'],
  ['an escape', '/x/a%2F42', '/x/a%2F42'],
  ['an escaped letter that looks opaque', '/x/a1B2c3D4%C3%A9e5F6g7H8', '/x/a1B2c3D4%C3%A9e5F6g7H8'],
  ['braces that were sent', '/x/{}/{id}', '/x/%7B%7D/%7Bid%7D'],
];

const word = fc.stringMatching(/^[a-z]{1,30}(?:-[a-z]{1,12}){0,3}$/).filter((text) => !/^[a-f]+$/.test(text));
const number = fc.nat().map(String);
const hash = fc.stringMatching(/^[0-9a-f]{39}$/).map((text) => `${text}7`);
const opaque = fc.oneof(number, fc.uuid(), hash, fc.ulid());

describe('the template of a path', () => {
  test.each(ROWS)('%s: %s is %s', (_, path, template) => {
    expect(pathTemplate(path)).toBe(template);
  });

  test('is the same whichever number, UUID or hash stands there', () => {
    fc.assert(
      fc.property(word, opaque, word, (one, id, other) => {
        expect(pathTemplate(`/${one}/${id}/${other}`)).toBe(`/${one}/{}/${other}`);
      }),
      RUNS,
    );
  });

  test('never makes one of two paths of words', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        const path = `/${words.join('/')}`;
        expect(pathTemplate(path)).toBe(path);
      }),
      RUNS,
    );
  });

  test('keeps every part that it does not replace, and every border, whatever comes in', () => {
    const part = fc.oneof(opaque, word, fc.string(), fc.webPath(), fc.constantFrom('{}', '%2F', ':', '//'));
    const path = fc.array(part, { maxLength: 12 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(path, (text) => {
        const parts = text.split(/[/:]/);
        const made = pathTemplate(text).split(/[/:]/);
        expect(made).toHaveLength(parts.length);
        for (const [index, given] of parts.entries()) {
          const plain = given.replaceAll('{', '%7B').replaceAll('}', '%7D');
          const allowed = /\d/.test(given) ? [plain, '{}', `{}${given.replace(/^\d+/, '')}`] : [plain];
          expect(allowed).toContain(made[index]);
        }
      }),
      RUNS,
    );
  });

  test('[GA-9] reads a long path once', () => {
    // A reading that looked back at what it has read would not end here.
    const path = '/a1B2-c3D4.e5F6_g7H8'.repeat(200_000);
    expect(pathTemplate(path)).toHaveLength('/{}'.length * 200_000);
    expect(pathTemplate('a1'.repeat(2_000_000))).toBe('{}');
    expect(pathTemplate(':'.repeat(1_000_000))).toHaveLength(1_000_000);
  });
});
