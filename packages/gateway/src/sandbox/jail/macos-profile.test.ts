import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JailPaths } from './jail-paths.ts';
import { jailSpecBelow } from './jail-spec.fixture.ts';
import { macosLaunch, macosProfile } from './macos-profile.ts';

const paths: JailPaths = {
  bound: [
    { real: '/w/my "project"', named: undefined, writable: true, folder: true, searched: true },
    { real: '/w/my "project"/.git', named: undefined, writable: false, folder: true, searched: true },
  ],
  hidden: [{ path: '/w/my "project"/.ssh', folder: true }],
};
const spec = jailSpecBelow('/w', { gatewayHome: '/w/gateway', sockets: [{ port: 7181, path: '/w/x.sock' }] });
const profile = macosProfile(spec, paths, { files: ['/w/my "project"/.env'], folders: [] });
const at = (line: string): number => profile.split('\n').indexOf(line);

describe('macosProfile', () => {
  test('begins by denying everything', () => {
    expect(profile.split('\n').slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
  });

  test.each([
    { line: '(allow file-write* (subpath "/w/my \\"project\\""))', why: 'the workspace is writable' },
    {
      line: '(deny file-write* (subpath "/w/my \\"project\\"/.git"))',
      why: 'a folder in it stays read-only',
    },
    {
      line: '(deny file-read* file-write* (subpath "/w/my \\"project\\"/.env"))',
      why: 'its secrets are closed',
    },
    {
      line: '(deny file-read* file-write* (subpath "/w/my \\"project\\"/.ssh"))',
      why: 'hidden folders are closed',
    },
    { line: '(deny file-read* file-write* (subpath "/w/gateway"))', why: 'the gateway is closed' },
    { line: '(deny network*)', why: 'no network' },
    { line: '(allow network-outbound (remote ip "localhost:7181"))', why: 'but the gateway' },
    { line: '(allow signal (target same-sandbox))', why: 'signals stay inside' },
  ])('says $line: $why', ({ line }) => {
    expect(at(line)).toBeGreaterThan(1);
  });

  test('closes after it opens, because the last rule decides', () => {
    const opens = at('(allow file-write* (subpath "/w/my \\"project\\""))');
    expect(at('(deny file-read* file-write* (subpath "/w/my \\"project\\"/.env"))')).toBeGreaterThan(opens);
    expect(at('(allow network-outbound (remote ip "localhost:7181"))')).toBeGreaterThan(
      at('(deny network*)'),
    );
  });

  test('refuses a path that it cannot write down', () => {
    const odd = {
      bound: [{ real: '/w/a\nb', named: undefined, writable: true, folder: true, searched: true }],
      hidden: [],
    };
    expect(() => macosProfile(spec, odd, { files: [], folders: [] })).toThrow(RangeError);
  });
});

test('macosLaunch hands profile and command to sandbox-exec, in the working folder, with the given variables only', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-macos-'));
  try {
    const stand = join(folder, 'sandbox-exec');
    writeFileSync(stand, `#!/bin/sh\nprintf '%s' "$2" > "${folder}/profile"; shift 2; pwd; env; exec "$@"\n`);
    chmodSync(stand, 0o755);
    const own = { ...spec, cwd: folder, command: ['echo', 'a b'] as const, env: { PATH: '/usr/bin:/bin' } };
    const launch = macosLaunch(own, paths, { files: [], folders: [] }, stand);
    const { stdout } = spawnSync(launch.program, launch.args, { env: launch.env, encoding: 'utf8' });
    const lines = stdout.trim().split('\n');
    expect(lines[0]).toBe(folder);
    expect(lines.at(-1)).toBe('a b');
    expect(lines.filter((line) => !/^(PATH|PWD|OLDPWD|_|SHLVL)=/.test(line))).toEqual([folder, 'a b']);
    expect(readFileSync(join(folder, 'profile'), 'utf8')).toBe(
      macosProfile(own, paths, { files: [], folders: [] }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
