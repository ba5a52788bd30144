import type { SandboxSpec } from './sandbox-spec.ts';

export interface OutputChunk {
  readonly channel: 'stdout' | 'stderr';
  readonly bytes: Uint8Array;
}

export interface ExecOptions {
  /** absolute, inside the workspace; the workspace when absent */
  readonly cwd?: string;
  /** added to the sandbox's; a variable that makes programs load code is refused */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** after this many milliseconds everything that the command started is killed */
  readonly timeoutMs?: number;
  /** bytes of both channels together; more ends the command */
  readonly outputBytes?: number;
  /** abort kills as a timeout does */
  readonly signal?: AbortSignal;
  /** called for each piece as it comes; the command waits while the promise is open */
  onOutput?(chunk: OutputChunk): void | Promise<void>;
}

/** Field names are those of the design that describes the tool plane. The last five are set by containers alone. */
export interface SandboxResult {
  readonly stdout: string;
  readonly stderr: string;
  /** the program's code, or 128 + the number of the signal that ended it */
  readonly returncode: number;
  readonly timed_out: boolean;
  /** the output limit ended the command; `stdout` and `stderr` hold what came before */
  readonly output_exceeded: boolean;
  readonly aborted: boolean;
  readonly execution_time_ms: number;
  readonly agent_id: string | null;
  readonly container_id: string | null;
  readonly sidecar_id: string | null;
  readonly sidecar_logs: readonly unknown[];
}

/** A place to run commands in, until it is released. */
export interface Sandbox {
  readonly id: string;
  readonly owner: string;
  /**
   * Runs a command. Resolves also when it fails, times out or says too much; rejects with `SandboxRefused` for
   * what may not run here and with `SandboxUnavailable` when the machine cannot.
   */
  exec(argv: readonly [string, ...string[]], options?: ExecOptions): Promise<SandboxResult>;
  /** Kills what still runs and leaves nothing behind. May be called twice. */
  release(): Promise<void>;
}

/**
 * Contract, checked by `describeSandboxContract` for each backend:
 * - `acquire` throws rather than hand out something weaker than its name says
 * - commands of one sandbox share its files and nothing else; they may run at the same time
 * - after `release` and `cleanup` no process, mount, socket or file of theirs is left
 */
export interface SandboxBackend {
  readonly name: string;
  acquire(owner: string, spec: SandboxSpec): Promise<Sandbox>;
  /** Releases every sandbox of this backend. */
  cleanup(): Promise<void>;
}

export const DEFAULT_TIMEOUT_MS = 30_000;
export const DEFAULT_OUTPUT_BYTES = 1024 * 1024;
