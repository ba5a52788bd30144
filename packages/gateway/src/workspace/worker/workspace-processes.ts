import type { RunFacts } from '../store/snapshot.ts';
import type { SnapshotLimits } from '../taking/take-snapshot.ts';
import type { JobName, Jobs } from './jobs.ts';
import { WorkspaceProcess } from './workspace-process.ts';

export interface ProcessesParts {
  readonly home: string;
  readonly limits: () => SnapshotLimits;
  readonly onRecovered: (run: RunFacts, isDone: boolean) => void;
}

/** The processes of workspaces, one for each that somebody works in. */
export class WorkspaceProcesses {
  readonly #parts: ProcessesParts;
  readonly #open = new Map<string, WorkspaceProcess>();

  constructor(parts: ProcessesParts) {
    this.#parts = parts;
  }

  /** `path` without links: two processes of one workspace would not know of each other. */
  do<Name extends JobName>(
    path: string,
    name: Name,
    order: Jobs[Name]['order'],
  ): Promise<Jobs[Name]['answer']> {
    let process = this.#open.get(path);
    if (process === undefined) {
      const { home, onRecovered } = this.#parts;
      const onGone = (): void => void this.#open.delete(path);
      process = new WorkspaceProcess({ home, path, onRecovered, onGone });
      this.#open.set(path, process);
    }
    return process.do(name, order, this.#parts.limits());
  }

  /** Ends what is being done in a workspace, whatever it waits for. A snapshot that is cut off is none. */
  giveUp(path: string): void {
    this.#open.get(path)?.giveUp();
  }

  /** Ends all of them now. What they were doing is finished, or taken back, by the next ones. */
  close(): void {
    for (const process of this.#open.values()) process.close();
  }
}
