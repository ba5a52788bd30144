import { describe, expect, test } from 'vitest';
import type { VolumeConfig } from '../../config/index.ts';
import { VolumeMap } from './volume-map.ts';

const volume = (name: string, mount: string): VolumeConfig => ({
  name,
  mount,
  path: `/srv/${name}`,
  tenants: ['default'],
  mode: 'rw',
});
const map = new VolumeMap([
  volume('work', '/workspace'),
  volume('data', '/workspace/data'),
  volume('deep', '/a/b/c'),
  volume('tools', '/tools'),
]);

describe('a path belongs to the volume with the longest mount', () => {
  test.each<[path: string, found: string]>([
    ['/workspace', 'work:'],
    ['/workspace/', 'work:'],
    ['//workspace//x', 'work:x'],
    ['/workspace/x/y', 'work:x/y'],
    ['/workspace/data', 'data:'],
    ['/workspace/data/x', 'data:x'],
    ['/workspace/database', 'work:database'],
    ['/workspace/dat', 'work:dat'],
    ['/workspacex', 'none'],
    ['/workspac', 'none'],
    ['/Workspace', 'none'],
    ['/a/b', 'none'],
    ['/a/b/c/d', 'deep:d'],
    ['/a/b/cc', 'none'],
    ['/', 'none'],
    ['', 'none'],
    ['workspace/x', 'none'],
    ['/tools/../workspace/x', 'tools:../workspace/x'],
    ['/srv/work/x', 'none'],
  ])('%j → %s', (path, expected) => {
    const found = map.find(path);
    expect(found === undefined ? 'none' : `${found.volume.name}:${found.parts.join('/')}`).toBe(expected);
  });
});

test('folders above a mount exist, their neighbours do not', () => {
  expect(['/', '/a', '/a/b', '/a/b/c', '/workspace'].map((path) => map.isAboveMount(path))).not.toContain(
    false,
  );
  expect(['/b', '/a/c', '/a/b/c/d', '/etc', '/a/bb'].map((path) => map.isAboveMount(path))).not.toContain(
    true,
  );
});
