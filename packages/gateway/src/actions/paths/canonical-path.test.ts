import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalizePath } from './canonical-path.ts';
import { plainCases } from './cases/plain-cases.ts';
import { specialCases } from './cases/special-cases.ts';
import { fakeLinks, type PathCase } from './cases/world.ts';

function leadsTo({ given, shell, url, dots, fold }: PathCase, fromCwd = false): string {
  const result = canonicalizePath(given, {
    cwd: '/repo/app',
    links: fakeLinks,
    ...(shell === undefined ? {} : { home: '/home/ana' }),
    percentEncoded: url === true,
    refuseDots: dots === true,
    foldCase: fold === true,
    ...(fromCwd ? { fromCwd } : {}),
  });
  return result.kind === 'path' ? result.real : result.problem.code;
}

describe('[GA-7] a path is judged where it leads', () => {
  test.each(
    [...plainCases, ...specialCases].map((row) => ({
      ...row,
      shown: JSON.stringify(row.given).slice(0, 60),
    })),
  )('$shown → $leads: $why', (row) => {
    expect(leadsTo(row)).toBe(row.leads);
    // The folder of these rows is canonical, so the shorter walk ends at the same place.
    expect(leadsTo(row, true)).toBe(row.leads);
  });

  test('the table is as large and as hostile as it must be', () => {
    const rows = [...plainCases, ...specialCases];
    const inside = rows.filter((row) => row.leads.startsWith('/repo/app'));
    expect(rows.length).toBeGreaterThanOrEqual(150);
    expect(rows.length - inside.length).toBeGreaterThan(inside.length);
    expect(new Set(rows.map((row) => JSON.stringify({ ...row, why: '' }))).size).toBe(rows.length);
  });
});

describe('on the real file system', () => {
  let root = '';
  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-paths-')));
    mkdirSync(join(root, 'work/deep/er'), { recursive: true });
    mkdirSync(join(root, 'outside'));
    writeFileSync(join(root, 'outside/secret'), 'x');
    writeFileSync(join(root, 'work/file'), 'x');
    symlinkSync('../outside', join(root, 'work/out'));
    symlinkSync(join(root, 'outside/secret'), join(root, 'work/deep/key'));
    symlinkSync('deep/er', join(root, 'work/er'));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test.each(['file', 'out/secret', 'deep/key', 'er/../key', 'er/../../out', 'out/../work/file', 'er'])(
    'agrees with the kernel on %s',
    (given) => {
      const cwd = join(root, 'work');
      expect(canonicalizePath(given, { cwd })).toEqual({ kind: 'path', real: kernel(`${cwd}/${given}`) });
    },
  );

  // path.join would resolve `..` in the text; the kernel resolves it after the links.
  function kernel(path: string): string {
    return realpathSync.native(path);
  }

  test('follows a new name below a link', () => {
    const cwd = join(root, 'work');
    expect(canonicalizePath('out/new', { cwd })).toEqual({ kind: 'path', real: join(root, 'outside/new') });
  });
});

describe('on any text', () => {
  const anyPath = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.constantFrom('..', '.', '', 'src', 'link-etc', 'link-up', 'loop-a', 'self', 'new', 'link-dots'),
      )
      .map((parts) => parts.join('/')),
  );

  test('the answer is absolute and free of dots, and asking again changes nothing', () => {
    fc.assert(
      fc.property(anyPath, (given) => {
        const first = canonicalizePath(given, { cwd: '/repo/app', links: fakeLinks });
        if (first.kind === 'problem') return;
        expect(first.real.startsWith('/')).toBe(true);
        expect(first.real.split('/').some((part) => part === '.' || part === '..')).toBe(false);
        expect(canonicalizePath(first.real, { cwd: '/elsewhere', links: fakeLinks })).toEqual(first);
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('is what a plain walk over a list of components finds', () => {
    fc.assert(
      fc.property(anyPath, fc.boolean(), (relative, absolute) => {
        const given = absolute ? `/${relative}` : relative;
        const answer = canonicalizePath(given, { cwd: '/repo/app', links: fakeLinks });
        if (answer.kind === 'path')
          expect(answer.real).toBe(walk(given.startsWith('/') ? given : `/repo/app/${given}`));
      }),
      { numRuns: rounds(2000) },
    );
  });

  /** As simple as it can be said: the way that is tested against it puts no lists together. */
  function walk(path: string): string {
    const pending = path.split('/');
    const resolved: string[] = [];
    for (let steps = 0; pending.length > 0; steps += 1) {
      if (steps > 10_000) return 'a circle';
      const part = pending.shift() ?? '';
      if (part === '..') resolved.pop();
      if (part === '' || part === '.' || part === '..') continue;
      const link = fakeLinks(`/${[...resolved, part].join('/')}`);
      if (link.kind !== 'link') resolved.push(part);
      else if (link.target.startsWith('/')) resolved.length = 0;
      if (link.kind === 'link') pending.unshift(...link.target.split('/'));
    }
    return `/${resolved.join('/')}`;
  }
});
