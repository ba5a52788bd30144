import { describe, expect, test } from 'vitest';
import { WorkspaceBefore } from '../guard/workspace-before.ts';
import { type JailSurroundings, jailArgv } from './jail-argv.ts';
import { NO_GROUP } from './jail-group.ts';
import { jailSpecBelow } from './jail-spec.fixture.ts';
import type { JailLaunch, JailSpec } from './jail-spec.ts';

const around: JailSurroundings = {
  facts: {
    ...{ bwrap: '/usr/bin/bwrap', setpriv: '/usr/bin/setpriv', arch: 'x64' },
    ...{ perl: '/usr/bin/perl', node: '/opt/node' },
    folders: [
      { path: '/usr', link: undefined },
      { path: '/bin', link: 'usr/bin' },
    ],
    etcFiles: [
      { path: 'services', link: undefined },
      { path: 'os-release', link: '/usr/lib/os-release' },
    ],
    ...{ etcFolders: ['ssl/certs'], procMasked: ['kcore'] },
  },
  paths: {
    bound: [{ real: '/h/project', named: undefined, writable: true, folder: true, searched: true }],
    hidden: [],
  },
  before: new WorkspaceBefore([]),
  masked: { files: ['/h/project/.env'], folders: [] },
  forwarders: '/s',
  group: NO_GROUP,
  limitsInherited: false,
};

const launchOf = (over: Partial<JailSpec> = {}): JailLaunch => jailArgv(jailSpecBelow('/h', over), around);
const optionsOf = (launch: JailLaunch): string[] =>
  Buffer.from(launch.files[0] ?? '')
    .toString()
    .split('\0')
    .slice(0, -1);

describe('jailArgv', () => {
  test.each([
    { options: ['--unshare-user'], why: 'a user namespace or nothing' },
    { options: ['--unshare-net'], why: 'no network but its own' },
    { options: ['--unshare-pid'], why: 'no processes but its own' },
    { options: ['--unshare-ipc'], why: 'no shared memory of others' },
    { options: ['--unshare-uts'], why: 'a host name of its own' },
    { options: ['--unshare-cgroup'], why: 'no sight of control groups' },
    { options: ['--die-with-parent'], why: 'no life after the caller' },
    { options: ['--cap-drop', 'ALL'], why: 'no rights' },
    { options: ['--clearenv'], why: 'no variables but the given' },
    { options: ['--remount-ro', '/proc'], why: 'kernel settings are read-only' },
    { options: ['--ro-bind', '/dev/null', '/proc/kcore'], why: 'kernel memory is empty' },
    {
      options: ['--ro-bind', '/s/mask/empty-file', '/h/project/.env'],
      why: 'secrets of the project are empty',
    },
    { options: ['--symlink', 'usr/bin', '/bin'], why: 'links of the system stay links' },
    { options: ['--remount-ro', '/'], why: 'the root cannot fill memory' },
    { options: ['--remount-ro', '/dev'], why: 'nor can /dev' },
  ])('has $options: $why', ({ options }) => {
    expect(optionsOf(launchOf()).join('\n')).toContain(options.join('\n'));
  });

  test('never asks for a new session or for the host’s network', () => {
    const options = optionsOf(launchOf());
    for (const wrong of ['--new-session', '--share-net', '--dev-bind', '--unshare-all']) {
      expect(options).not.toContain(wrong);
    }
  });

  test('hides after it binds', () => {
    const options = optionsOf(launchOf());
    expect(options.lastIndexOf('/h/project/.env')).toBeGreaterThan(options.lastIndexOf('/h/project'));
  });

  test('[JA-2] keeps options, variables and files off the command line and out of its own environment', () => {
    const launch = launchOf({
      env: { TOKEN: 'placeholder-1' },
      home: { path: '/h/home', files: [{ path: '.rc', content: 'file-content' }] },
    });
    expect([launch.program, ...launch.args].join(' ')).not.toMatch(/placeholder-1|file-content|\/h\/project/);
    expect(launch.env).toEqual({});
  });

  test.each([
    { over: { env: { 'A=B': 'x' } }, why: 'a variable with `=` in its name' },
    { over: { env: { A: 'x\0--share-net\0' } }, why: 'a NUL that would become an option' },
    { over: { cwd: '/a\0b' }, why: 'a NUL in a path' },
    {
      over: { home: { path: '/h/home', files: [{ path: '../x', content: '' }] } },
      why: 'a file beside the home',
    },
    {
      over: { home: { path: '/h/home', files: [{ path: '/etc/x', content: '' }] } },
      why: 'an absolute file',
    },
    {
      over: { home: { path: '/h/home', files: [{ path: 'a/../../x', content: '' }] } },
      why: 'a file that climbs out',
    },
  ])('refuses $why', ({ over }) => {
    expect(() => launchOf(over)).toThrow(expect.objectContaining({ code: 'SandboxRefused' }));
  });

  test('a path with spaces, newlines and a leading dash stays one argument', () => {
    const odd = '/h/-a b\nc';
    const launch = jailArgv(jailSpecBelow('/h', { cwd: odd }), {
      ...around,
      paths: {
        bound: [{ real: odd, named: undefined, writable: true, folder: true, searched: true }],
        hidden: [],
      },
    });
    const options = optionsOf(launch);
    expect(options.slice(options.indexOf('--bind'), options.indexOf('--bind') + 3)).toEqual([
      '--bind',
      odd,
      odd,
    ]);
  });

  test('without sockets there is no forwarder, and without terminal a session of its own', () => {
    expect(launchOf()).toMatchObject({ lifeline: false, detached: true, program: '/usr/bin/bwrap' });
    const run = launchOf({ sockets: [{ port: 7181, path: '/s/x.sock' }], tty: true });
    expect(run).toMatchObject({ lifeline: true, detached: false, program: '/usr/bin/setpriv' });
    expect(run.args.join(' ')).toContain('/usr/bin/perl /.sallyport/forwarder.pl');
  });

  test('where there is no Perl, Node forwards, and is in the jail for it', () => {
    const spec = jailSpecBelow('/h', { sockets: [{ port: 7181, path: '/s/x.sock' }] });
    const run = jailArgv(spec, { ...around, facts: { ...around.facts, perl: undefined } });
    expect(run.args.join(' ')).toMatch(/\/\.sallyport\/node .*\/\.sallyport\/forwarder\.cjs/);
    expect(optionsOf(run).join('\n')).toContain('--ro-bind\n/opt/node\n/.sallyport/node');
    expect(optionsOf(run)).not.toContain('PERL_BADLANG');
  });
});
