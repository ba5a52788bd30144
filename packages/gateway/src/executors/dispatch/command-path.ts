import { randomUUID } from 'node:crypto';
import {
  type Actor,
  type DispatchOrder,
  type DispatchResultMessage,
  SallyportError,
} from '@sallyport/protocol';
import type { AuditTrail } from '../../audit/index.ts';
import { redeemPermit } from '../../shared/permit.ts';
import type { ToolJob, ToolListing, ToolPath, ToolResult } from '../tools/tool-path.ts';
import {
  COMMAND_LISTING,
  COMMAND_TOOL,
  type Command,
  type CommandRun,
  endedEvent,
  failedEvent,
  parseCommand,
  startedEvent,
} from './command.ts';
import { type CommandEnd, toToolResult } from './command-result.ts';
import { Outstanding, type OutstandingLimits } from './outstanding.ts';
import { SandboxCommands, type SandboxCommandsParts } from './sandbox-commands.ts';

export interface CommandPathParts {
  readonly trail: Pick<AuditTrail, 'note'>;
  /** absent: commands of callers without a worker are refused */
  readonly sandbox?: SandboxCommandsParts;
  readonly limits?: Partial<OutstandingLimits>;
}

const LIMITS: OutstandingLimits = { atOnce: 16, outputBytes: 1024 * 1024, graceMs: 10_000 };

/**
 * `cmd.run`: a command in the agent's sandbox.
 *
 * A call that a worker made is answered with an order for that worker, which `settle` ends. Other callers get a
 * sandbox of the gateway's own, with the same bounds.
 */
export class CommandPath implements ToolPath {
  readonly kind = 'dispatch';
  readonly #parts: CommandPathParts;
  readonly #limits: OutstandingLimits;
  readonly #outstanding: Outstanding;
  readonly #sandbox: SandboxCommands | undefined;

  constructor(parts: CommandPathParts) {
    this.#parts = parts;
    this.#limits = { ...LIMITS, ...parts.limits };
    this.#outstanding = new Outstanding(this.#limits);
    this.#sandbox = parts.sandbox === undefined ? undefined : new SandboxCommands(parts.sandbox);
  }

  tools(actor: Actor): readonly ToolListing[] {
    const isWorkers = actor.execution !== undefined;
    return isWorkers || this.#sandbox?.serves(actor) === true ? [COMMAND_LISTING] : [];
  }

  knows(tool: string): boolean {
    return tool === COMMAND_TOOL;
  }

  async run(job: ToolJob): Promise<ToolResult> {
    redeemPermit(job.verdict, job.action);
    const command = parseCommand(job.action.input);
    const { onOrder } = job;
    const end = await (onOrder === undefined
      ? this.#inSandbox(job, command)
      : this.#byWorker(job, command, onOrder));
    return toToolResult(end);
  }

  /** A worker's result. Throws `DispatchNotOutstanding` [TO-7]. */
  settle(execution: string, result: DispatchResultMessage): void {
    this.#outstanding.settle(execution, result);
  }

  /** The worker of the execution is gone; its commands end with `WorkerLost`. */
  lose(execution: string): void {
    this.#outstanding.lose(execution);
  }

  async #byWorker(
    job: ToolJob,
    command: Command,
    onOrder: (order: DispatchOrder) => void,
  ): Promise<CommandEnd> {
    const { action } = job;
    const execution = action.actor.execution;
    if (execution === undefined)
      throw new SallyportError('WorkerLost', { message: 'the call has no execution' });
    const dispatch = randomUUID();
    return this.#recorded({ action, command, via: 'worker', dispatch }, () => {
      const { order, end } = this.#outstanding.open(dispatch, execution, command, job.signal);
      onOrder(order);
      return end;
    });
  }

  async #inSandbox(job: ToolJob, command: Command): Promise<CommandEnd> {
    const sandbox = this.#sandbox;
    const { action, signal } = job;
    if (sandbox?.serves(action.actor) !== true) {
      throw new SallyportError('SandboxUnavailable', {
        message:
          'no worker is attached to this execution, and there is no sandbox for commands of this agent',
        hint: 'start the agent with a worker, or give the gateway a writable volume for it',
      });
    }
    const options = { signal, outputBytes: this.#limits.outputBytes };
    return this.#recorded({ action, command, via: 'sandbox' }, () =>
      sandbox.run(action.actor, command, options),
    );
  }

  async #recorded(run: CommandRun, start: () => Promise<CommandEnd>): Promise<CommandEnd> {
    const { trail } = this.#parts;
    trail.note(startedEvent(run));
    let end: CommandEnd;
    try {
      end = await start();
    } catch (error) {
      trail.note(failedEvent(run, error instanceof SallyportError ? error.code : 'Internal'));
      throw error;
    }
    trail.note(endedEvent(run, end));
    return end;
  }
}
