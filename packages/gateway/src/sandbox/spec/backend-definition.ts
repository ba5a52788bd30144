import type { ChildProcess } from 'node:child_process';
import type { SallyportError } from '@sallyport/protocol/error';
import type { TakenBack } from '../guard/take-back.ts';
import type { SandboxBackend } from './sandbox-backend.ts';
import type { SandboxHost, SandboxSpec } from './sandbox-spec.ts';

/** A program for the terminal of a person: `sallyport run`. */
export interface AgentProgram {
  /** looked up in `env.PATH` of the spec, inside */
  readonly command: readonly [string, ...string[]];
  /** it gets the terminal and its job control */
  readonly isTerminal: boolean;
}

export interface StartedProgram {
  readonly child: ChildProcess;
  /** Sends it a signal, wherever it is; `SIGKILL` ends everything of it. Nothing happens once it is gone. */
  readonly signal: (signal: NodeJS.Signals) => void;
  /** with this, `SIGTSTP` says that it was stopped; resolves once all of it is */
  readonly whenStopped?: () => Promise<void>;
  /** files of the host that read as empty inside, for people to be told */
  readonly masked: readonly string[];
}

/** A sandbox for one agent, begun before anybody knows what is in it; starts at most one. */
export interface AgentSandbox {
  /** Throws `SandboxRefused`, `SandboxUnavailable` or `ToolMissing` rather than start it in anything weaker. */
  start(spec: SandboxSpec, program: AgentProgram): StartedProgram;
  /** Takes away what was made: after the agent's end, or when there is none. Never rejects. */
  clean(): Promise<void>;
  /** After the agent's end, when nothing of it runs any more: what it had planted where it would run later. */
  settle(): Promise<readonly TakenBack[]>;
}

/**
 * All that is known about one backend. Whatever starts programs knows backends by their definitions alone; what they
 * promise stands in the contracts of `SandboxBackend` and `AgentSandbox`.
 */
export interface BackendDefinition {
  /** for people: what keeps the programs apart, and what the machine must have */
  readonly docs: { readonly isolation: string; readonly needs: string };
  /** Tries it: why it cannot be used on this machine, with what to do; undefined when it can. */
  probe(): SallyportError | undefined;
  /** For commands of tools. */
  openCommands(host: SandboxHost): Promise<SandboxBackend>;
  /** For a whole agent: makes ready what takes time, and throws at once where it can never start. */
  readyAgent(host: SandboxHost): AgentSandbox;
}
