import type { JailLaunch } from './jail-launch.ts';
import type { JailPaths } from './jail-paths.ts';
import type { JailSpec } from './jail-spec.ts';
import { macosProfile } from './macos-profile.ts';
import type { Masked } from './mask/find-masked-files.ts';

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
