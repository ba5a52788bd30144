import { join, posix } from 'node:path';
import { SallyportError } from '@sallyport/protocol/error';
import { isInside } from '../../shared/is-inside.ts';
import type { WorkspaceBefore } from '../guard/workspace-before.ts';
import type { HostFacts } from './host-facts.ts';
import type { JailGroup } from './jail-group.ts';
import type { JailPaths } from './jail-paths.ts';
import { DEFAULT_LIMITS, type JailLaunch, type JailSpec } from './jail-spec.ts';
import { type Forwarder, innerCommand, outerCommand } from './limit-scripts.ts';
import type { Masked } from './mask/find-masked-files.ts';
import { nestingOptions } from './nested-jail.ts';
import { seccompFilter } from './seccomp/seccomp-filter.ts';

/** Inside the jail: the forwarder, its Node if it needs one, and the sockets. The root is read-only, so nobody changes these. */
export const INSIDE = '/.sallyport';

/** The lifeline, if there is one. A low number: Node passes none of those below 16 on by itself. */
const LIFELINE_FD = 3;

const EMPTY_FOLDER_BYTES = 4096;
/** Each is a mount. */
const MOST_HOOK_FOLDERS = 50;

/** What `jailArgv` needs beside the spec; gathered by `prepareJail`. */
export interface JailSurroundings {
  readonly facts: HostFacts;
  readonly paths: JailPaths;
  readonly masked: Masked;
  /** what stands in the guarded places of the workspace now */
  readonly before: WorkspaceBefore;
  /** host folder of the forwarder's sources and of the file that stands for masked ones */
  readonly forwarders: string;
  /** a folder of the host that is /etc in the jail, whole; absent: put together for this jail alone */
  readonly etc?: string | undefined;
  /** the control group to join before anything else */
  readonly group: Pick<JailGroup, 'procs' | 'limits'>;
  /** the caller lives in the group and has the limits itself: see `withLimits` */
  readonly limitsInherited: boolean;
}

/**
 * The whole jail as arguments of bwrap. Pure: the same spec and surroundings give the same launch.
 *
 * The options travel in a descriptor, so that neither `ps` on the host nor `/proc/1` in the jail shows them.
 */
export function jailArgv(spec: JailSpec, around: JailSurroundings): JailLaunch {
  return jailFor(spec, around)(spec.command);
}

/** The same for many commands, each in a jail of its own that is like the others. */
export function jailFor(
  spec: JailSpec,
  around: JailSurroundings,
): (command: JailSpec['command']) => JailLaunch {
  const files: (Uint8Array | string)[] = [];
  const lifeline = spec.sockets.length > 0;
  const firstFile = lifeline ? LIFELINE_FD + 1 : LIFELINE_FD;
  const hand = (file: Uint8Array | string): string => {
    files.push(file);
    return String(firstFile + files.length - 1);
  };
  const fd = (content: Uint8Array | string): string =>
    hand(typeof content === 'string' ? Buffer.from(content) : content);
  // Reserves the first descriptor for the options; the others are known only once they are written.
  files.push(new Uint8Array());
  const options = [
    ...namespaces(spec),
    ...system(around, hand),
    ...memoryFolders(spec),
    ...(around.etc === undefined ? identity(spec, fd) : []),
    ...boundPaths(around),
    ...(spec.links ?? []).flatMap(({ path, target }) => ['--symlink', target, path]),
    ...ownFiles(spec, around),
    ...nestingOptions(spec, around.facts, INSIDE, fd),
    ...homeFiles(spec, fd),
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...environment(spec),
    ...[
      '--chdir',
      spec.cwd,
      '--seccomp',
      fd(seccompFilter(around.facts.arch, { nests: spec.nests === true })),
    ],
  ];
  files[0] = Buffer.from(options.map((option) => `${noNul(option)}\0`).join(''));

  return (command) => {
    const inner = innerCommand(
      { ...spec, command },
      {
        forwarder: forwarderOf(around.facts),
        together: around.group.limits,
        inherited: around.limitsInherited,
        lifeline: LIFELINE_FD,
      },
    );
    const rest = ['--args', String(firstFile), '--', ...inner];
    const [program, ...args] = outerCommand([around.facts.bwrap, ...rest], {
      cgroups: around.group.procs,
      tty: spec.tty,
      forwarder: lifeline,
      setpriv: around.facts.setpriv,
    });
    // SECURITY: bwrap's own environment stands in /proc/1/environ of the jail. Nothing of the caller's goes there.
    return {
      ...{ program, args, env: {}, files, lifeline },
      detached: !spec.tty,
      masked: around.masked.files,
    };
  };
}

function namespaces(spec: JailSpec): string[] {
  return [
    // SECURITY: each by its name: `--unshare-all` goes on without the user namespace where there is none.
    ...['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts'],
    '--unshare-cgroup',
    '--die-with-parent',
    ...['--cap-drop', 'ALL'],
    ...['--uid', String(spec.user.uid), '--gid', String(spec.user.gid)],
    ...['--hostname', spec.hostname],
    '--clearenv',
  ];
}

function system({ facts, etc }: JailSurroundings, hand: (path: string) => string): string[] {
  const folders = facts.folders.flatMap(({ path, link }) =>
    link === undefined ? ['--ro-bind', path, path] : ['--symlink', link, path],
  );
  const masked = facts.procMasked.flatMap((entry) => ['--ro-bind', '/dev/null', `/proc/${entry}`]);
  return [
    ...folders,
    ...(etc === undefined ? etcOf(facts, hand) : ['--ro-bind', etc, '/etc']),
    // SECURITY: root's jail owns the settings of the kernel below /proc/sys; read-only nobody can write them.
    ...['--proc', '/proc', ...masked, '--remount-ro', '/proc'],
    ...['--dev', '/dev'],
  ];
}

function etcOf({ etcFolders, etcFiles }: HostFacts, hand: (path: string) => string): string[] {
  const folders = etcFolders.map((entry) => join('/etc', entry));
  const files = etcFiles.flatMap(({ path, link }) => {
    const file = join('/etc', path);
    return link === undefined ? ['--perms', '0444', '--file', hand(file), file] : ['--symlink', link, file];
  });
  return [...folders.flatMap((path) => ['--ro-bind', path, path]), ...files];
}

function memoryFolders(spec: JailSpec): string[] {
  const { tmpBytes, homeBytes } = { ...DEFAULT_LIMITS, ...spec.limits };
  const folder = (path: string, bytes: number, mode: string): string[] => [
    ...['--perms', mode, '--size', String(bytes), '--tmpfs', path],
  ];
  return [
    ...['/tmp', '/dev/shm'].flatMap((path) => folder(path, tmpBytes, '1777')),
    ...['--dir', '/run', '--dir', '/var', '--symlink', '../tmp', '/var/tmp'],
    // A home in /tmp shares its memory: one mount less.
    ...(isInside(spec.home.path, '/tmp')
      ? ['--perms', '0700', '--dir', spec.home.path]
      : folder(spec.home.path, homeBytes, '0700')),
  ];
}

function identity(spec: JailSpec, fd: (content: string) => string): string[] {
  return Object.entries(identityFiles(spec)).flatMap(([name, content]) => [
    ...['--perms', '0444', '--file', fd(content), join('/etc', name)],
  ]);
}

/** Names for the ids inside, and loopback as the only host that is known: files of /etc. */
export function identityFiles(spec: JailSpec): Readonly<Record<string, string>> {
  const { uid, gid, name } = spec.user;
  const users = [
    `${name}:x:${uid}:${gid}::${spec.home.path.replaceAll(/[:\n]/g, '_')}:/bin/sh`,
    ...(uid === 0 ? [] : ['root:x:0:0::/nonexistent:/bin/false']),
    ...(uid === 65534 ? [] : ['nobody:x:65534:65534::/nonexistent:/bin/false']),
  ];
  const groups = [`${name}:x:${gid}:`, ...(gid === 65534 ? [] : ['nogroup:x:65534:'])];
  const hosts = `127.0.0.1 localhost ${spec.hostname}\n::1 localhost ${spec.hostname}\n`;
  return { passwd: `${users.join('\n')}\n`, group: `${groups.join('\n')}\n`, hosts };
}

function boundPaths({ paths, masked, before, forwarders }: JailSurroundings): string[] {
  // No device: those cannot be opened in a jail, and a program that finds an empty file goes on.
  const emptyFile = (path: string): string[] => ['--ro-bind', join(forwarders, 'mask/empty-file'), path];
  const isThere = (path: string): boolean => !paths.hidden.some((hidden) => isInside(path, hidden.path));
  return [
    ...paths.bound.flatMap(({ real, writable }) => [writable ? '--bind' : '--ro-bind', real, real]),
    ...paths.bound.flatMap(({ named, real }) => (named === undefined ? [] : ['--symlink', real, named])),
    // Said at once, where it can be; the guard sees to those that come later, and to a folder that was moved [JA-7].
    ...before.hooks.slice(0, MOST_HOOK_FOLDERS).flatMap((path) => ['--ro-bind-try', path, path]),
    // SECURITY: after everything that is bound: a later mount would bring back what these take away.
    ...paths.hidden.flatMap(({ path, folder }) => (folder ? emptyFolder(path) : emptyFile(path))),
    ...masked.folders.filter(isThere).flatMap(emptyFolder),
    ...masked.files.filter(isThere).flatMap(emptyFile),
  ];
}

function emptyFolder(path: string): string[] {
  return ['--perms', '0500', '--size', String(EMPTY_FOLDER_BYTES), '--tmpfs', path, '--remount-ro', path];
}

/** Perl starts in a tenth of the time; where there is none, the Node that runs this does as well. */
function forwarderOf({ perl }: HostFacts): Forwarder {
  return perl === undefined
    ? { kind: 'node', program: `${INSIDE}/node`, file: `${INSIDE}/forwarder.cjs` }
    : { kind: 'perl', program: perl, file: `${INSIDE}/forwarder.pl` };
}

function ownFiles(spec: JailSpec, { facts, forwarders }: JailSurroundings): string[] {
  if (spec.sockets.length === 0) return [];
  const { kind, program, file } = forwarderOf(facts);
  return [
    ...(kind === 'node' ? ['--ro-bind', facts.node, program] : []),
    ...['--ro-bind', join(forwarders, posix.basename(file)), file],
    ...spec.sockets.flatMap(({ port, path }) => ['--ro-bind', path, `${INSIDE}/${port}.sock`]),
    // Perl complains aloud about a language that the machine does not have; the forwarder takes this away again.
    ...(kind === 'perl' ? ['--setenv', 'PERL_BADLANG', '0'] : []),
  ];
}

function homeFiles(spec: JailSpec, fd: (content: Uint8Array | string) => string): string[] {
  return spec.home.files.flatMap(({ path, content, mode = 0o600 }) => {
    const clean = posix.normalize(path);
    if (clean.startsWith('/') || clean === '.' || clean === '..' || clean.startsWith('../')) {
      throw new SallyportError('SandboxRefused', {
        message: `the file \`${path}\` of the home does not lie in the home`,
        hint: 'name it relative to the home, without `..`',
      });
    }
    const target = join(spec.home.path, clean);
    return ['--perms', (mode & 0o777).toString(8).padStart(4, '0'), '--file', fd(content), target];
  });
}

function environment(spec: JailSpec): string[] {
  return Object.entries(spec.env).flatMap(([name, value]) => {
    if (name === '' || name.includes('=')) {
      throw new SallyportError('SandboxRefused', { message: `\`${name}\` cannot name a variable` });
    }
    return ['--setenv', name, value];
  });
}

/** SECURITY: a NUL would end one option and begin the next: a path could become `--share-net`. */
function noNul(option: string): string {
  if (option.includes('\0')) {
    throw new SallyportError('SandboxRefused', {
      message: 'a NUL byte cannot be part of a path or variable',
    });
  }
  return option;
}
