import { type DispatchOrder, type DispatchResultMessage, SallyportError } from '@sallyport/protocol';
import type { Command } from './command.ts';
import { boundedEnd, type CommandEnd } from './command-result.ts';

export interface OutstandingLimits {
  /** commands of one execution that may run at once */
  readonly atOnce: number;
  /** bytes of output, both channels together */
  readonly outputBytes: number;
  /** time that a result may need on its way, beyond the command's own */
  readonly graceMs: number;
}

interface Entry {
  readonly execution: string;
  readonly resolve: (end: CommandEnd) => void;
  readonly reject: (error: SallyportError) => void;
}

/** Commands that workers were given and have not answered for. */
export class Outstanding {
  readonly #limits: OutstandingLimits;
  // process-local: commands of a worker that attested to this process
  readonly #entries = new Map<string, Entry>();

  constructor(limits: OutstandingLimits) {
    this.#limits = limits;
  }

  /** An order for the worker of this execution, and how it ends. Throws `TooManyRequests` when too many run. */
  open(
    id: string,
    execution: string,
    { command, args, cwd, timeout_secs: seconds }: Command,
    signal: AbortSignal,
  ): { readonly order: DispatchOrder; readonly end: Promise<CommandEnd> } {
    const running = [...this.#entries.values()].filter((entry) => entry.execution === execution).length;
    if (running >= this.#limits.atOnce) {
      throw new SallyportError('TooManyRequests', {
        message: `${running} commands of this execution run already`,
        hint: 'wait for one of them to end',
      });
    }
    const order: DispatchOrder = {
      dispatch_id: id,
      action: 'exec',
      command,
      args,
      cwd: cwd ?? null,
      env_additions: {},
      timeout_secs: seconds,
      max_output_bytes: this.#limits.outputBytes,
    };
    const { promise, resolve, reject } = Promise.withResolvers<CommandEnd>();
    const late = setTimeout(
      () => this.#take(id)?.reject(new SallyportError('CommandTimeout')),
      seconds * 1000 + this.#limits.graceMs,
    ).unref();
    const leave = (): void => this.#take(id)?.reject(lost('the session of the command ended'));
    signal.addEventListener('abort', leave, { once: true });
    this.#entries.set(id, { execution, resolve, reject });
    const end = promise.finally(() => {
      clearTimeout(late);
      signal.removeEventListener('abort', leave);
    });
    if (signal.aborted) leave();
    return { order, end };
  }

  /**
   * The result of a command, from the worker of `execution`. Throws `DispatchNotOutstanding` unless that very
   * execution was given this command and has not answered for it yet.
   */
  settle(execution: string, message: DispatchResultMessage): void {
    const { dispatch_id: id, execution_id: named } = message;
    const entry = this.#entries.get(id);
    // SECURITY: a result counts once, from whom it was asked of, as long as somebody waits [TO-7].
    if (entry === undefined || entry.execution !== execution || named !== execution)
      throw new SallyportError('DispatchNotOutstanding');
    this.#take(id);
    const { exit_code: exitCode, stdout, stderr, duration_ms: durationMs, truncated, error } = message;
    const end = {
      exitCode,
      stdout,
      stderr,
      durationMs,
      truncated,
      ...(error === undefined ? {} : { error }),
    };
    entry.resolve(boundedEnd(end, this.#limits.outputBytes));
  }

  /** The worker of this execution is gone: nobody will answer for what it was given. */
  lose(execution: string): void {
    for (const [id, entry] of this.#entries) {
      if (entry.execution === execution) this.#take(id)?.reject(lost());
    }
  }

  #take(id: string): Entry | undefined {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    return entry;
  }
}

function lost(message?: string): SallyportError {
  return new SallyportError('WorkerLost', message === undefined ? {} : { message });
}
