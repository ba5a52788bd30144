import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resolveJailPaths } from './jail-paths.ts';
import { jailSpecBelow } from './jail-spec.fixture.ts';
import type { JailSpec } from './jail-spec.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sallyport-paths-'));
  for (const folder of [
    'home/project/src',
    'home/.sallyport',
    'home/.ssh/keys',
    'home/beside',
    'data/real',
  ]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  writeFileSync(join(root, 'file'), '');
  symlinkSync(join(root, 'data/real'), join(root, 'home/linked'));
  symlinkSync(join(root, 'home/.sallyport'), join(root, 'home/sneaky'));
  symlinkSync('/', join(root, 'home/rootlink'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('resolveJailPaths', () => {
  test.each<{ over: (root: string) => Partial<JailSpec>; why: string }>([
    { over: () => ({ workspace: '/' }), why: 'the root' },
    { over: () => ({ workspace: '/etc' }), why: 'a folder of the system' },
    { over: () => ({ workspace: '/proc/self' }), why: 'a folder of the kernel' },
    { over: (at) => ({ workspace: join(at, 'home/rootlink') }), why: 'a link to the root' },
    { over: (at) => ({ workspace: join(at, 'home') }), why: 'the home itself' },
    { over: (at) => ({ workspace: at }), why: 'a folder above the home' },
    { over: (at) => ({ workspace: join(at, 'home/.sallyport') }), why: 'the folder of the gateway' },
    { over: (at) => ({ workspace: join(at, 'home/sneaky') }), why: 'a link to the folder of the gateway' },
    {
      over: (at) => ({ workspace: join(at, 'home'), allowHome: true }),
      why: 'a home that holds the gateway’s folder',
    },
    { over: (at) => ({ workspace: join(at, 'home/.ssh/keys') }), why: 'a folder of secrets' },
    { over: (at) => ({ workspace: join(at, 'missing') }), why: 'not there' },
    { over: (at) => ({ workspace: join(at, 'file') }), why: 'a file' },
    { over: () => ({ workspace: 'home/project' }), why: 'not absolute' },
    { over: () => ({ workspace: '/tmp/a\0b' }), why: 'a NUL byte' },
    { over: (at) => ({ writable: [join(at, 'home')] }), why: 'the home as a writable path' },
    {
      over: (at) => ({ readOnly: [join(at, 'home/.sallyport')] }),
      why: 'the gateway’s folder as a readable path',
    },
    { over: () => ({ readOnly: ['/'] }), why: 'the root as a readable path' },
    {
      over: (at) => ({ home: { path: join(at, 'home/project/home'), files: [] } }),
      why: 'a home inside a bound path',
    },
  ])('[JA-2] [JA-3] refuses $why', ({ over }) => {
    const resolve = (): unknown => resolveJailPaths(jailSpecBelow(root, over(root)));
    expect(resolve).toThrow(expect.objectContaining({ code: 'SandboxRefused' }));
  });

  test('binds a linked workspace where it really lies and makes the link again', () => {
    const { bound } = resolveJailPaths(jailSpecBelow(root, { workspace: join(root, 'home/linked') }));
    expect(bound).toEqual([
      {
        real: join(root, 'data/real'),
        named: join(root, 'home/linked'),
        writable: true,
        folder: true,
        searched: true,
      },
    ]);
  });

  test('binds parents before children, so that a read-only folder stays so in a writable one', () => {
    const inner = join(root, 'home/project/src');
    const { bound } = resolveJailPaths(jailSpecBelow(root, { readOnly: [inner] }));
    expect(bound.map(({ real, writable }) => [real, writable])).toEqual([
      [join(root, 'home/project'), true],
      [inner, false],
    ]);
  });

  test('[JA-2] hides well-known secrets where the home itself is bound', () => {
    const spec = jailSpecBelow(root, {
      workspace: join(root, 'home'),
      allowHome: true,
      gatewayHome: join(root, 'elsewhere'),
      home: { path: '/run/home', files: [] },
    });
    expect(resolveJailPaths(spec).hidden).toEqual([{ path: join(root, 'home/.ssh'), folder: true }]);
  });
});
