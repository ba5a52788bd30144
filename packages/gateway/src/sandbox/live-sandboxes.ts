import { SallyportError } from '@sallyport/protocol';
import type { ExecOptions, Sandbox, SandboxResult } from './spec/sandbox-backend.ts';

type Run = (argv: readonly [string, ...string[]], options: ExecOptions) => Promise<SandboxResult>;

/** Ids, ends and the end of all: what every backend has to keep track of in the same way. */
export class LiveSandboxes {
  readonly #live = new Map<string, Sandbox>();
  #next = 1;

  /** `run` gets a signal that aborts on release; `discard` is called once, when nothing runs any more. */
  add(owner: string, run: Run, discard: () => Promise<void>): Sandbox {
    const id = `sbx_${process.pid}_${this.#next}`;
    this.#next += 1;
    const released = new AbortController();
    const underWay = new Set<Promise<unknown>>();
    let end: Promise<void> | undefined;
    const sandbox: Sandbox = {
      id,
      owner,
      exec: async (argv, options = {}) => {
        if (released.signal.aborted) {
          throw new SallyportError('SandboxRefused', { message: `the sandbox \`${id}\` has been released` });
        }
        const signals = [released.signal, ...(options.signal === undefined ? [] : [options.signal])];
        const result = run(argv, { ...options, signal: AbortSignal.any(signals) });
        underWay.add(result);
        try {
          return await result;
        } finally {
          underWay.delete(result);
        }
      },
      release: () => {
        end ??= (async () => {
          released.abort();
          await Promise.allSettled(underWay);
          await discard();
          this.#live.delete(id);
        })();
        return end;
      },
    };
    this.#live.set(id, sandbox);
    return sandbox;
  }

  async releaseAll(): Promise<void> {
    await Promise.all([...this.#live.values()].map((sandbox) => sandbox.release()));
  }
}
