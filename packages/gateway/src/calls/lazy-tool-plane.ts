import { type Actor, SallyportError } from '@sallyport/protocol';
import type { ToolPlane } from './tool-plane.ts';

export interface LazyToolPlaneParts {
  readonly load: () => Promise<ToolPlane>;
  /** whether the config names something that must run before anybody asks for it */
  readonly isNeeded: () => boolean;
  readonly onProblem: (error: unknown) => void;
}

/** The tools that the gateway carries out itself, loaded when the config names some or a client comes: most starts need none. */
export class LazyToolPlane {
  readonly #parts: LazyToolPlaneParts;
  #opening: Promise<ToolPlane> | undefined;
  #open: ToolPlane | undefined;
  #isClosed = false;
  /** the config changed while it was opened */
  #isStale = false;

  constructor(parts: LazyToolPlaneParts) {
    this.#parts = parts;
  }

  /** At once when it is open. Rejects when it cannot be opened, and is tried again with the next call. */
  open(): ToolPlane | Promise<ToolPlane> {
    if (this.#isClosed) throw new SallyportError('Unavailable', { message: 'the gateway is stopping' });
    if (this.#open !== undefined) return this.#open;
    this.#opening ??= this.#load();
    return this.#opening;
  }

  /** Nobody has tools before they are loaded. */
  knows(tool: string): boolean {
    return this.#open?.knows(tool) ?? false;
  }

  /** Whether clients of the actor are shown a tool of that name, in either spelling. */
  shows(actor: Actor, name: string): boolean {
    return this.#open?.shows(actor, name) ?? false;
  }

  /** Whether the operator left the semantic judge out for the server of this tool. */
  skipsJudge(tool: string): boolean {
    return this.#open?.servers.skipsJudge(tool) ?? false;
  }

  /** The config may be another: the first time, too. */
  apply(): void {
    const { isNeeded, onProblem } = this.#parts;
    if (this.#isClosed) return;
    if (this.#open !== undefined) this.#open.apply().catch(onProblem);
    else if (this.#opening !== undefined) this.#isStale = true;
    else if (isNeeded()) Promise.resolve(this.open()).catch(onProblem);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const opening = this.#opening;
    const open = this.#open ?? (await opening?.catch(() => undefined));
    await open?.close();
  }

  async #load(): Promise<ToolPlane> {
    try {
      const plane = await this.#parts.load();
      do {
        // The config may change while servers are started.
        this.#isStale = false;
        await plane.apply();
      } while (this.#isStale);
      this.#open = plane;
      return plane;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }
}
