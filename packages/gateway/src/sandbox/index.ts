export { type BubblewrapOptions, createBubblewrapBackend } from './bubblewrap-backend.ts';
export {
  type JailLaunch,
  type JailSpec,
  prepareJail,
  probeJail,
  spawnJail,
  viewPrograms,
} from './jail/index.ts';
export type {
  ExecOptions,
  OutputChunk,
  Sandbox,
  SandboxBackend,
  SandboxResult,
  SandboxSpec,
} from './sandbox-backend.ts';
export { createSubprocessBackend, type SubprocessOptions } from './subprocess-backend.ts';
