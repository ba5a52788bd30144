import { type JailPaths, realOrNearest } from './jail-paths.ts';
import type { JailLaunch, JailSpec } from './jail-spec.ts';
import type { Masked } from './mask/find-masked-files.ts';

/** Read by every program that starts: the system, and what developers install by the usual ways. */
const SYSTEM = [
  ...['/System', '/usr', '/bin', '/sbin', '/opt', '/Library/Developer', '/Applications/Xcode.app'],
  ...['/private/var/db/dyld', '/private/etc/ssl', '/private/etc/localtime', '/private/etc/hosts'],
  ...['/private/etc/passwd', '/private/etc/group', '/private/etc/services', '/private/etc/protocols'],
  ...['/dev', '/private/var/select', '/Library/Preferences/com.apple.networkd.plist'],
];

/**
 * The same spec as a profile for `sandbox-exec`, which macOS has instead of namespaces.
 *
 * Weaker than on Linux: there is one process table and one loopback. Processes outside cannot be signalled but
 * are visible; the agent-side ports are real ports of the host, so the forwarder's place is taken by the gateway.
 */
export function macosProfile(spec: JailSpec, paths: JailPaths, masked: Masked): string {
  const writable = paths.bound.filter((entry) => entry.writable).map((entry) => entry.real);
  const readable = [...SYSTEM, ...paths.bound.map((entry) => entry.real), realOrNearest(spec.home.path)];
  const home = realOrNearest(spec.home.path);
  const closed = [
    realOrNearest(spec.gatewayHome),
    ...paths.hidden.map((entry) => entry.path),
    ...masked.folders,
    ...masked.files,
  ];
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-fork process-exec)',
    '(allow signal (target same-sandbox))',
    '(allow process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow file-ioctl (subpath "/dev"))',
    '(allow pseudo-tty)',
    '(allow mach-lookup (global-name "com.apple.system.logger") (global-name "com.apple.system.notification_center"))',
    '(allow file-read-metadata)',
    '(allow file-read-data (literal "/"))',
    ...readable.map((path) => `(allow file-read* (subpath ${quote(path)}))`),
    ...[...writable, home].map((path) => `(allow file-write* (subpath ${quote(path)}))`),
    '(allow file-write* (literal "/dev/null") (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))',
    // SECURITY: in a profile the last rule that matches decides: what is closed comes after what is open.
    ...paths.bound
      .filter((entry) => !entry.writable)
      .map((entry) => `(deny file-write* (subpath ${quote(entry.real)}))`),
    ...closed.map((path) => `(deny file-read* file-write* (subpath ${quote(path)}))`),
    '(deny file-write-setugid)',
    '(deny network*)',
    ...spec.sockets.map(({ port }) => `(allow network-outbound (remote ip "localhost:${port}"))`),
    '',
  ].join('\n');
}

/** A string of the profile's language. Control characters are refused: they cannot be written in it. */
function quote(path: string): string {
  if (/\p{Cc}/u.test(path)) throw new RangeError('a path with control characters fits in no profile');
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** macOS: `sandbox-exec` with the profile of the spec. The environment is the command's own. */
export function macosLaunch(
  spec: JailSpec,
  paths: JailPaths,
  masked: Masked,
  sandboxExec = '/usr/bin/sandbox-exec',
): JailLaunch {
  return {
    program: '/bin/sh',
    // The working folder is the command's business here: there is no mount of its own to change into.
    args: ['-c', 'cd -- "$1" && shift && exec "$@"', 'sh', spec.cwd, sandboxExec, '-p']
      .concat(macosProfile(spec, paths, masked))
      .concat(spec.command),
    env: spec.env,
    files: [],
    lifeline: false,
    detached: !spec.tty,
    masked: masked.files,
  };
}
