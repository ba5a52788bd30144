import { chmodSync, chownSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { homeFailure, prepareHome, resolveHome } from './home.ts';
import { writeFiles } from './load-config.fixture.ts';

const mode = (path: string): number => statSync(path).mode & 0o7777;

describe('the home', () => {
  test.each([
    { why: 'the standard', env: { HOME: '/home/ana' }, flags: {}, home: '/home/ana/.sallyport' },
    { why: 'a variable', env: { HOME: '/h', SALLYPORT_HOME: '/srv/sp' }, flags: {}, home: '/srv/sp' },
    { why: 'an empty variable', env: { HOME: '/h', SALLYPORT_HOME: '' }, flags: {}, home: '/h/.sallyport' },
    { why: 'a flag', env: { SALLYPORT_HOME: '/srv/sp' }, flags: { home: '/x/../y' }, home: '/y' },
  ])('is found: $why', ({ env, flags, home }) => {
    const paths = resolveHome(env, flags);
    expect(paths.home).toBe(home);
    expect(paths.config).toBe(`${home}/sallyport.yaml`);
  });

  test('has its files under the names that people rely on', () => {
    expect(resolveHome({ SALLYPORT_HOME: '/h' })).toEqual({
      home: '/h',
      config: '/h/sallyport.yaml',
      operatorToken: '/h/operator.token',
      apiKey: '/h/api.key',
      enrollmentSecret: '/h/enrollment.secret',
      inboxSecret: '/h/inbox.secret',
      caKey: '/h/ca.key',
      sshHostKey: '/h/ssh_host_ed25519_key',
      caCertificate: '/h/ca.pem',
      auditKey: '/h/audit.key',
      auditJournal: '/h/audit.journal',
      auditFolder: '/h/audit',
      database: '/h/sallyport.db',
      runtime: '/h/runtime.json',
      operatorSocket: '/h/operator.sock',
    });
    expect(resolveHome({ SALLYPORT_HOME: '/h', SALLYPORT_CONFIG: '/c.yaml' }).config).toBe('/c.yaml');
    expect(resolveHome({ SALLYPORT_CONFIG: '/c.yaml' }, { config: '/d.yaml' }).config).toBe('/d.yaml');
  });

  test('is made with its folders, open to nobody else, and may be prepared again', () => {
    const paths = resolveHome({ SALLYPORT_HOME: join(writeFiles({}), 'deep/home') });
    prepareHome(paths);
    prepareHome(paths);
    expect(mode(paths.home)).toBe(0o700);
    expect(mode(paths.auditFolder)).toBe(0o700);
  });

  test('is closed when others could look into it', () => {
    const paths = resolveHome({ SALLYPORT_HOME: writeFiles({}) });
    chmodSync(paths.home, 0o755);
    prepareHome(paths);
    expect(mode(paths.home)).toBe(0o700);
  });

  test.each(['770', '707', '777', '720'])('is refused when others may write to it: mode %s', (text) => {
    const bits = Number.parseInt(text, 8);
    const paths = resolveHome({ SALLYPORT_HOME: writeFiles({}) });
    chmodSync(paths.home, bits);
    expect(() => prepareHome(paths)).toThrow(/others may write to/);
    expect(mode(paths.home)).toBe(bits);
  });

  test('is refused where everyone may replace it, and taken under a sticky folder', () => {
    const parent = writeFiles({});
    const paths = resolveHome({ SALLYPORT_HOME: join(parent, 'home') });
    chmodSync(parent, 0o777);
    expect(() => prepareHome(paths)).toThrow(/everyone may replace/);
    chmodSync(parent, 0o1777);
    prepareHome(paths);
    expect(existsSync(paths.auditFolder)).toBe(true);
  });

  test('is refused when it, or a part of its path, is a file', () => {
    const folder = writeFiles({ file: 'x' });
    for (const home of [join(folder, 'file'), join(folder, 'file/below')]) {
      expect(() => prepareHome(resolveHome({ SALLYPORT_HOME: home }))).toThrow(/is not a folder/);
    }
    symlinkSync('/nowhere/at/all', join(folder, 'dead'));
    expect(() => prepareHome(resolveHome({ SALLYPORT_HOME: join(folder, 'dead') }))).toThrow(
      expect.objectContaining({ code: 'HomeUnusable' }),
    );
  });

  // Root gives the folder away; anyone else finds that `/` belongs to root.
  test('is refused when it belongs to another user', () => {
    const root = process.getuid?.() === 0;
    const home = root ? writeFiles({}) : '/usr';
    if (root) chownSync(home, 12_345, 12_345);
    expect(() => prepareHome(resolveHome({ SALLYPORT_HOME: home }))).toThrow(/belongs to another user/);
  });

  test('is refused where nothing can be written', () => {
    // `/proc` takes no folders from anyone, as a read-only disk does not.
    expect(() => prepareHome(resolveHome({ SALLYPORT_HOME: '/proc/sallyport' }))).toThrow(
      expect.objectContaining({ code: 'HomeUnusable' }),
    );
  });

  test.each([
    { code: 'EROFS', expected: /read-only disk/ },
    { code: 'EACCES', expected: /may not be written to/ },
    { code: 'ENOSPC', expected: /no space is left/ },
    { code: 'ENOTCONN', expected: /does not answer \(ENOTCONN\)/ },
    { code: 'ELOOP', expected: /cannot be used \(ELOOP\)/ },
  ])('that the system refuses with $code is refused in words', ({ code, expected }) => {
    const error = homeFailure('/h', { code });
    expect(error.message).toMatch(expected);
    expect(error.hint).not.toBe('');
  });
});

describe("the operator's socket", () => {
  const long = `/${'x'.repeat(100)}`;

  test('lies in the home as long as a socket can have that path', () => {
    const fits = `/${'x'.repeat(107 - '/operator.sock'.length - 1)}`;
    const env = { SALLYPORT_HOME: fits, XDG_RUNTIME_DIR: '/run/user/1000' };
    expect(resolveHome(env).operatorSocket).toBe(`${fits}/operator.sock`);
    const bytes = { ...env, SALLYPORT_HOME: `/${'é'.repeat(50)}` };
    expect(resolveHome(bytes).operatorSocket).toMatch(
      /^\/run\/user\/1000\/sallyport-[0-9a-f]{12}\/operator.sock$/,
    );
  });

  test('goes to the runtime folder otherwise, into a folder of its own for each home', () => {
    const runtime = writeFiles({});
    const folder = writeFiles({});
    const home = join(folder, 'h'.repeat(100));
    const paths = resolveHome({ SALLYPORT_HOME: home, XDG_RUNTIME_DIR: runtime });
    const other = resolveHome({ SALLYPORT_HOME: `${home}2`, XDG_RUNTIME_DIR: runtime });
    expect(paths.operatorSocket.startsWith(runtime)).toBe(true);
    expect(paths.operatorSocket).not.toBe(other.operatorSocket);
    prepareHome(paths);
    expect(mode(join(paths.operatorSocket, '..'))).toBe(0o700);
  });

  test.each([
    { why: 'no runtime folder', env: {} },
    { why: 'a relative one', env: { XDG_RUNTIME_DIR: 'run' } },
    { why: 'one that is as long', env: { XDG_RUNTIME_DIR: `/${'y'.repeat(100)}` } },
  ])('has no place and the home is refused: $why', ({ env }) => {
    const paths = resolveHome({ ...env, SALLYPORT_HOME: long });
    expect(() => prepareHome(paths)).toThrow(/too long for a unix socket/);
  });
});

test('a file inside the home does not hinder', () => {
  const paths = resolveHome({ SALLYPORT_HOME: writeFiles({ 'sallyport.yaml': 'log: {}' }) });
  mkdirSync(paths.auditFolder);
  writeFileSync(paths.runtime, '{}');
  expect(() => prepareHome(paths)).not.toThrow();
});
