import type { ChildProcess } from 'node:child_process';

/** A process that a run is about. */
export interface StartedAgent {
  readonly child: ChildProcess;
  /** Sends it a signal, wherever it is; `SIGKILL` ends everything of it. Nothing happens once it is gone. */
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Takes away what was made for it. After its end. */
  readonly clean: () => Promise<void>;
}
