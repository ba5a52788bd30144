import { expect, test } from 'vitest';
import { load } from './load-config.fixture.ts';
import { keysThatNeedRestart, needsRestart } from './reload.ts';

const waiting = (before: string, after: string) =>
  keysThatNeedRestart(load(before).config, load(after).config);

test('[CF-1] names each key that waits for a restart, by its own path, and none that does not', () => {
  expect(waiting('api: {}\n', 'api: {}\n')).toEqual([]);
  expect(
    waiting('api: {}\n', 'api: { allowed_hosts: [gate.example], ports: { proxy: 1, api: 2 } }\n'),
  ).toEqual(['api.ports.api', 'api.ports.proxy']);
  expect(waiting('api: {}\n', 'api: { tls: { cert: a.pem, key: a.key } }\n')).toEqual(['api.tls']);
  const other = 'api: { tls: { cert: b.pem, key: a.key } }\n';
  expect(waiting('api: { tls: { cert: a.pem, key: a.key } }\n', other)).toEqual(['api.tls.cert']);
  expect(waiting('store: {}\n', 'store: { url: "postgres://u@h/d" }\nsessions: { ttl: 2h }\n')).toEqual([
    'store.url',
  ]);
});

test('knows the word for a path, also below one that it was said for', () => {
  expect(['api.ports.proxy', 'store.url', 'store'].map(needsRestart)).toEqual([true, true, true]);
  expect(['api.allowed_hosts', 'tenants.default.mode', 'nothing'].map(needsRestart)).toEqual([
    false,
    false,
    false,
  ]);
});
