import type { ChildProcess } from 'node:child_process';
import type { StartedRun } from '@sallyport/protocol';

/** A process that a run is about. */
export interface StartedAgent {
  readonly child: ChildProcess;
  /** Sends it a signal, wherever it is; `SIGKILL` ends everything of it. Nothing happens once it is gone. */
  readonly signal: (signal: NodeJS.Signals) => void;
  /** with this, `SIGTSTP` says that it was stopped; resolves once all of it is */
  readonly whenStopped?: () => Promise<void>;
}

/** Made before the session is there; starts at most one agent. */
export interface AgentStarter {
  readonly start: (started: StartedRun, client: string | undefined) => Promise<StartedAgent>;
  /** Takes away what was made: after the agent's end, or when there is none. Never rejects. */
  readonly clean: () => Promise<void>;
}
