import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { ClientIds } from './client-ids.ts';
import { register } from './registration.ts';

const ids = new ClientIds(createSecretKey(Buffer.alloc(32, 1)));
const CALLBACK = 'http://127.0.0.1:1/cb';

test('an id says what was registered, also to another process with the same key', () => {
  const client = ids.issue('näme', [CALLBACK]);
  const again = new ClientIds(createSecretKey(Buffer.alloc(32, 1)));
  expect(again.read(client.id)).toEqual(client);
  expect(client.label).toMatch(/^oauth-[0-9a-f]{12}$/);
});

test.each([
  { why: 'another key', change: () => new ClientIds(createSecretKey(Buffer.alloc(32, 2))).issue('a', []).id },
  { why: 'another mark', change: (id: string) => id.replace(/.$/, (last) => (last === '0' ? '1' : '0')) },
  {
    why: 'another content',
    change: (id: string) =>
      id.replace(/^spd_[^.]+/, `spd_${Buffer.from('["x",["http://127.0.0.1:9/"]]').toString('base64url')}`),
  },
  { why: 'no mark', change: (id: string) => id.split('.')[0] ?? '' },
  { why: 'something behind it', change: (id: string) => `${id}\n` },
  { why: 'nothing', change: () => '' },
  { why: 'too much', change: () => `spd_${'a'.repeat(5_000)}.${'0'.repeat(64)}` },
])('[ID-6] what we did not write is not read: $why', ({ change }) => {
  expect(ids.read(change(ids.issue('a', [CALLBACK]).id))).toBeUndefined();
});

test('the longest registration that is taken can be read again', () => {
  const uris = Array.from({ length: 5 }, (_, i) => `http://127.0.0.1:${i + 1}/${'a'.repeat(235)}`);
  const result = register({ client_name: '\u{1F600}'.repeat(40), redirect_uris: uris }, ids);
  if (result.kind !== 'registered') throw new Error(result.description);
  expect(ids.read(result.client.id)?.redirectUris).toEqual(uris);
});

test.each([
  { why: 'a secret', metadata: { token_endpoint_auth_method: 'client_secret_basic' } },
  { why: 'no address', metadata: { redirect_uris: [] } },
  { why: 'addresses elsewhere', metadata: { redirect_uris: ['https://evil.example/cb'] } },
  {
    why: 'too many addresses',
    metadata: { redirect_uris: Array.from({ length: 6 }, (_, i) => `http://127.0.0.1:${i + 1}/`) },
  },
  { why: 'a text for a list', metadata: { redirect_uris: CALLBACK } },
  { why: 'a name that is too long', metadata: { client_name: 'a'.repeat(81) } },
  { why: 'a line break in the name', metadata: { client_name: 'a\nCode: BBBB-BBBB' } },
  { why: 'a name that turns around', metadata: { client_name: 'a\u202eb' } },
  { why: 'a name with something hidden', metadata: { client_name: 'a\u200bb' } },
  { why: 'an escape in the name', metadata: { client_name: 'a\u001b[2Jb' } },
  { why: 'another separator of lines', metadata: { client_name: 'a\u2028b' } },
  { why: 'other grants', metadata: { grant_types: ['client_credentials'] } },
  { why: 'other answers', metadata: { response_types: ['token'] } },
])('[AP-6] a registration with $why is refused', ({ metadata }) => {
  expect(register({ redirect_uris: [CALLBACK], ...metadata }, ids).kind).toBe('refused');
});

test.each([null, undefined, 'text', [], 7])('a body that is %j is refused', (body) => {
  expect(register(body, ids).kind).toBe('refused');
});

test('of a list of addresses the ones of this machine are registered, and the answer says which', () => {
  const result = register({ redirect_uris: ['https://vscode.example/redirect', CALLBACK] }, ids);
  expect(result).toMatchObject({ kind: 'registered', answer: { redirect_uris: [CALLBACK] } });
});
