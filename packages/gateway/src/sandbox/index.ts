export { type BubblewrapOptions, createBubblewrapBackend } from './bubblewrap-backend.ts';
export { prepareJail, probeJail, spawnJail } from './jail/index.ts';
export type {
  ExecOptions,
  OutputChunk,
  Sandbox,
  SandboxBackend,
  SandboxResult,
  SandboxSpec,
} from './sandbox-backend.ts';
export { createSubprocessBackend, type SubprocessOptions } from './subprocess-backend.ts';
