import type { LinkReader } from '../link-reader.ts';

/** A small world of folders and links; everything below `/secret-dir` cannot be looked at. */
const FOLDERS = new Set([
  '/',
  '/repo',
  '/repo/app',
  '/repo/app/src',
  '/home',
  '/home/ana',
  '/home/ana/.ssh',
  '/etc',
  '/data',
  '/database',
  '/tmp',
  '/repo/app/dir with space',
  '/repo/app/...',
]);
const FILES = new Set([
  '/etc/passwd',
  '/home/ana/.ssh/id_ed25519',
  '/repo/app/src/index.ts',
  '/repo/app/.env',
  '/data/x',
  '/database/x',
]);
const LINKS: Readonly<Record<string, string>> = {
  '/repo/app/link-etc': '/etc',
  '/repo/app/link-up': '..',
  '/repo/app/link-src': 'src',
  '/repo/app/link-file': '/etc/passwd',
  '/repo/app/link-link': 'link-etc',
  '/repo/app/link-missing': '/nowhere/at/all',
  '/repo/app/link-home': '/home/ana',
  '/repo/app/link-dots': 'src/../../..',
  '/repo/app/link-ssh': 'link-home/.ssh',
  '/repo/app/loop-a': 'loop-b',
  '/repo/app/loop-b': 'loop-a',
  '/repo/app/self': 'self',
  '/repo/app/link-proc': '/proc/self/root',
  '/repo/app/link-root': '/',
  '/repo/app/link-slashes': '//etc///passwd',
  '/repo/app/link-dot': '.',
  '/tmp/w': '/repo/app',
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
