export { closeInherited } from './close-inherited.ts';
export { copyEtc } from './etc-copy.ts';
export { viewPrograms } from './find-program.ts';
export { identityFiles, type JailSurroundings, jailArgv, jailFor } from './jail-argv.ts';
export { createJailGroup, type JailGroup } from './jail-group.ts';
export type { JailLaunch } from './jail-launch.ts';
export {
  DEFAULT_LIMITS,
  type JailFile,
  type JailLimits,
  type JailSocket,
  type JailSpec,
  type JailUser,
} from './jail-spec.ts';
export { withLimits } from './limit-scripts.ts';
export { macosLaunch } from './macos-launch.ts';
export type { Masked } from './mask/find-masked-files.ts';
export { lookAtHost, prepareJail, surveyJail } from './prepare-jail.ts';
export { probeJail } from './probe-jail.ts';
export { signalJail, waitForStop } from './signal-jail.ts';
export { type JailStdio, spawnJail } from './spawn-jail.ts';
