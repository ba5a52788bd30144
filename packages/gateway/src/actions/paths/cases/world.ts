import type { LinkReader } from '../link-reader.ts';

/** A small world of folders and links; everything below `/secret-dir` cannot be looked at. */
const FOLDERS = new Set([
  '/',
  '/work',
  '/work/app',
  '/work/app/src',
  '/home',
  '/home/ana',
  '/home/ana/.ssh',
  '/etc',
  '/data',
  '/database',
  '/tmp',
  '/work/app/dir with space',
  '/work/app/...',
]);
const FILES = new Set([
  '/etc/passwd',
  '/home/ana/.ssh/id_ed25519',
  '/work/app/src/index.ts',
  '/work/app/.env',
  '/data/x',
  '/database/x',
]);
const LINKS: Readonly<Record<string, string>> = {
  '/work/app/link-etc': '/etc',
  '/work/app/link-up': '..',
  '/work/app/link-src': 'src',
  '/work/app/link-file': '/etc/passwd',
  '/work/app/link-link': 'link-etc',
  '/work/app/link-missing': '/nowhere/at/all',
  '/work/app/link-home': '/home/ana',
  '/work/app/link-dots': 'src/../../..',
  '/work/app/link-ssh': 'link-home/.ssh',
  '/work/app/loop-a': 'loop-b',
  '/work/app/loop-b': 'loop-a',
  '/work/app/self': 'self',
  '/work/app/link-proc': '/proc/self/root',
  '/work/app/link-root': '/',
  '/work/app/link-slashes': '//etc///passwd',
  '/work/app/link-dot': '.',
  '/tmp/w': '/work/app',
  '/var': 'private/var',
};

export const fakeLinks: LinkReader = (path) => {
  if (path.startsWith('/secret-dir/')) return { kind: 'unreadable' };
  const target = LINKS[path];
  if (target !== undefined) return { kind: 'link', target };
  return FOLDERS.has(path) ||
    FILES.has(path) ||
    path === '/secret-dir' ||
    path === '/proc' ||
    path === '/dev' ||
    /^\/proc\/(self|\d+)$/.test(path)
    ? { kind: 'plain' }
    : { kind: 'missing' };
};

export interface PathCase {
  readonly given: string;
  /** canonical path, or the code of the problem */
  readonly leads: string;
  readonly why: string;
  readonly shell?: true;
  readonly url?: true;
  readonly dots?: true;
  readonly fold?: true;
}
