import { describe, expect, test } from 'vitest';
import { load, reported } from '../load-config.fixture.ts';

const VOLUME = '{ name: work, mount: /workspace, path: /srv/work }';

describe('volumes in a config', () => {
  test('are none unless they are named; then they are writable, without a quota', () => {
    expect(load('tenants: { t: {} }\n').config.volumes).toEqual([]);
    expect(load(`volumes: [${VOLUME}]\n`).config.volumes).toEqual([
      { name: 'work', mount: '/workspace', path: '/srv/work', tenants: ['default'], mode: 'rw' },
    ]);
  });

  test('take every setting', () => {
    const volume =
      '{ name: w, mount: /w/a, path: /srv/w, tenants: [t], mode: ro, quota_bytes: 1000, uid: 0, gid: 4294967294 }';
    expect(load(`volumes: [${volume}]\n`).config.volumes).toEqual([
      {
        name: 'w',
        mount: '/w/a',
        path: '/srv/w',
        tenants: ['t'],
        mode: 'ro',
        quota_bytes: 1000,
        uid: 0,
        gid: 4_294_967_294,
      },
    ]);
  });

  test('may have one mount when no tenant has both', () => {
    const more = '{ name: theirs, mount: /workspace, path: /srv/theirs, tenants: [other] }';
    expect(load(`volumes: [${VOLUME}, ${more}]\n`).config.volumes).toHaveLength(2);
  });

  test('may be mounted inside each other', () => {
    const more = '{ name: data, mount: /workspace/data, path: /srv/data }';
    expect(load(`volumes: [${VOLUME}, ${more}]\n`).config.volumes).toHaveLength(2);
  });

  test.each([
    ['mount', 'workspace', 'relative'],
    ['mount', '/', 'everything'],
    ['mount', '/workspace/', 'a slash at the end'],
    ['mount', '/a/../b', 'dots'],
    ['mount', '/a/..', 'dots at the end'],
    ['mount', '/..', 'nothing but dots'],
    ['mount', '/./a', 'a dot'],
    ['mount', '/a//b', 'an empty component'],
    ['mount', '/a\\u0000b', 'a NUL byte'],
    ['mount', '/a\\nb', 'a line break'],
    ['path', 'srv', 'relative'],
    ['path', '/', 'everything'],
    ['path', '/srv/../etc', 'dots'],
    ['path', '~/work', 'a tilde'],
    ['mode', 'wr', 'a mode that does not exist'],
    ['name', '../x', 'a name that is a path'],
    ['quota_bytes', '0', 'a quota of nothing'],
    ['quota_bytes', '-1', 'a negative quota'],
    ['quota_bytes', '1.5', 'half a byte'],
    ['uid', '-1', 'nobody'],
    ['gid', '4294967295', 'the number that means none'],
    ['quota', '5', 'a key that does not exist'],
  ])('refuse %s: %s (%s)', (key, value) => {
    const text = /^-?[\d.]+$/.test(value) ? value : `"${value}"`;
    const base = { name: 'work', mount: '/workspace', path: '/srv/work', [key]: undefined };
    const rest = Object.entries(base).flatMap(([name, plain]) =>
      plain === undefined ? [] : [`${name}: ${plain}`],
    );
    expect(reported(`volumes: [{ ${[...rest, `${key}: ${text}`].join(', ')} }]\n`)).toHaveLength(1);
  });

  test.each([
    ['{ name: work, mount: /b, path: /srv/b }', 'there is a volume `work` already'],
    ['{ name: b, mount: /workspace, path: /srv/b }', 'volume `work` has this mount already'],
    ['{ name: b, mount: /b, path: /srv/work }', 'volume `work` holds the same files'],
    ['{ name: b, mount: /b, path: /srv/work/sub, mode: ro }', 'volume `work` holds the same files'],
    ['{ name: b, mount: /b, path: /srv }', 'volume `work` holds the same files'],
  ])('refuse a second one that is in the way of the first: %s', (second, message) => {
    expect(reported(`volumes:\n  - ${VOLUME}\n  - ${second}\n`)[0]).toContain(message);
  });

  test('that only begin alike are two volumes', () => {
    const second = '{ name: b, mount: /workspace2, path: /srv/work2 }';
    expect(load(`volumes: [${VOLUME}, ${second}]\n`).config.volumes).toHaveLength(2);
  });
});
