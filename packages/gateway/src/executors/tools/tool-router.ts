import { type Actor, SallyportError } from '@sallyport/protocol';
import type { ToolJob, ToolListing, ToolPath, ToolResult } from './tool-path.ts';

/**
 * Brings each call to the one path that knows its tool. It decides nothing: who may call what is the gate's business,
 * which is asked before.
 */
export class ToolRouter {
  readonly #paths: readonly ToolPath[];

  /** The first path that knows a name has it. */
  constructor(paths: readonly ToolPath[]) {
    this.#paths = paths;
  }

  /** What could be carried out for this actor now. */
  tools(actor: Actor): readonly ToolListing[] {
    const seen = new Set<string>();
    return this.#paths
      .flatMap((path) => path.tools(actor))
      .filter(({ tool }) => !seen.has(tool) && seen.add(tool) !== undefined);
  }

  knows(tool: string): boolean {
    return this.#pathOf(tool) !== undefined;
  }

  /** Rejects with `ToolNotFound` when no path knows the tool; otherwise as the path does. */
  async run(job: ToolJob): Promise<ToolResult> {
    const path = this.#pathOf(job.action.tool);
    if (path !== undefined) return path.run(job);
    throw new SallyportError('ToolNotFound', { message: `no router knows \`${job.action.tool}\`` });
  }

  #pathOf(tool: string): ToolPath | undefined {
    return this.#paths.find((path) => path.knows(tool));
  }
}
