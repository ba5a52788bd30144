export { BACKENDS } from './backends.ts';
export type { TakenBack } from './guard/take-back.ts';
export { jailOf, prepareJail, spawnJail, viewPrograms } from './jail/index.ts';
export type { AgentSandbox, BackendDefinition, StartedProgram } from './spec/backend-definition.ts';
export type {
  ExecOptions,
  OutputChunk,
  Sandbox,
  SandboxBackend,
  SandboxResult,
} from './spec/sandbox-backend.ts';
export type { SandboxFile, SandboxHost, SandboxSpec } from './spec/sandbox-spec.ts';
