import { type Action, SallyportError } from '@sallyport/protocol';
import type { ActionContext } from '../actions/index.ts';
import { type CommandExtras, commandAction, type ReadCommand, readCommandLine } from '../commands/index.ts';
import type { CommandName } from '../config/index.ts';
import type { CredentialBroker } from '../credentials/index.ts';
import type { CommandCaller, CommandExecutor } from '../executors/index.ts';
import type { SessionFacts } from '../identity/index.ts';
import { COMMAND_FOLDER, COMMAND_HOME } from '../shared/command-places.ts';
import { refusalFrom, refusalOf } from './call-refusal.ts';
import { type CarryOutParts, carryOut, type Permit } from './carry-out.ts';
import { chooseForCommand } from './command-credential.ts';
import { commandEvent } from './command-events.ts';
import { commandMaterial, hostsOf } from './command-material.ts';
import { actorOf, type CallRefusal } from './tool-call.ts';

export interface CommandCallsParts extends CarryOutParts {
  readonly broker: Pick<CredentialBroker, 'facts' | 'lendToCommand'>;
  readonly executor: Pick<CommandExecutor, 'run' | 'checkIsolated'>;
  /** as the config says now */
  readonly settings: () => { readonly commands: readonly CommandName[]; readonly timeout_seconds: number };
}

/** Fetches and pushes need a transport of their own to the other side: until there is one they are no commands. */
function isCarriedOut(name: CommandName): boolean {
  return !name.startsWith('git-');
}

/** One command line, as a door hands it over. */
export interface CommandRequest {
  readonly session: SessionFacts;
  readonly line: string;
  /** the host that the agent believes to talk to */
  readonly host?: string | undefined;
  /** variables that the door let through: languages, the size of the terminal */
  readonly env: Readonly<Record<string, string>>;
  readonly caller: CommandCaller;
  /** aborts when the caller leaves or its session ends */
  readonly signal: AbortSignal;
  /** told which question people are asked, while this waits for their answer */
  readonly onAsked: (approval: string) => void;
}

/** How a command line ended. */
export type CommandOutcome =
  /** it is no command of this door: nothing was judged */
  | { readonly kind: 'unreadable'; readonly sentence: string }
  | { readonly kind: 'refused'; readonly refusal: CallRefusal }
  | { readonly kind: 'failed'; readonly refusal: CallRefusal }
  | {
      readonly kind: 'done';
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
      readonly cut?: 'timeout' | 'output' | 'input' | 'left';
    };

/**
 * Command lines of every front of the SSH door, from the text to the exit code.
 *
 * Contract: it never rejects for what an agent sent or a program did; nothing runs without the gate's permit, and nobody is
 * asked about a command that could not be isolated here.
 */
export class CommandCalls {
  readonly #parts: CommandCallsParts;

  constructor(parts: CommandCallsParts) {
    this.#parts = parts;
  }

  async run(request: CommandRequest): Promise<CommandOutcome> {
    const read = this.#read(request, request.line);
    if (read.kind === 'refused') return { kind: 'unreadable', sentence: read.sentence };
    const startedAt = performance.now();
    return carryOut<CommandOutcome>(this.#parts, {
      ...{ signal: request.signal, onAsked: request.onAsked, hasEnd: true },
      build: () => this.#build(request, read),
      rebuild: (_asked, text) => this.#rebuild(request, text),
      refused: (verdict, action) => ({ kind: 'refused', refusal: refusalOf(verdict, action) }),
      execute: (permit) => this.#execute(request, permit, startedAt),
    });
  }

  #read({ host }: CommandRequest, line: string): ReturnType<typeof readCommandLine> {
    const place = { cwd: COMMAND_FOLDER, home: COMMAND_HOME, ...(host === undefined ? {} : { host }) };
    return readCommandLine(line, place, this.#parts.settings().commands.filter(isCarriedOut));
  }

  /** Throws what refuses it before there is an action: a credential that the session has not, two that would fit. */
  #build({ session }: CommandRequest, read: ReadCommand, extras: CommandExtras = {}): Action {
    this.#parts.executor.checkIsolated();
    const credential = chooseForCommand(this.#parts.broker, session, read);
    const context: ActionContext = {
      ...{ door: 'ssh', actor: actorOf(session), cwd: COMMAND_FOLDER, home: COMMAND_HOME },
      ...(credential === undefined ? {} : { credential }),
    };
    return commandAction(read, context, extras);
  }

  #rebuild(request: CommandRequest, text: string): Action {
    const read = this.#read(request, text);
    if (read.kind === 'refused') throw new SallyportError('Unprocessable', { message: read.sentence });
    return this.#build(request, read);
  }

  async #execute(request: CommandRequest, permit: Permit, startedAt: number): Promise<CommandOutcome> {
    const { action, verdict } = permit;
    const { session, caller, signal, env } = request;
    try {
      const { broker, executor, settings } = this.#parts;
      const { material, lentHosts } = await commandMaterial(broker, session, action, { env, signal });
      const end = await executor.run({
        ...{ action, verdict, material, caller, signal },
        hosts: hostsOf(action, lentHosts),
        limits: { runMs: settings().timeout_seconds * 1_000 },
      });
      permit.end(commandEvent(action, { startedAt, ...end }));
      return { kind: 'done', ...end };
    } catch (error) {
      const refusal = refusalFrom(error, action);
      if (refusal.code === 'Internal' && !signal.aborted)
        this.#parts.onProblem(error, 'a command failed inside');
      permit.end(
        commandEvent(action, { startedAt, violation: signal.aborted ? 'CallerLeft' : refusal.code }),
      );
      return { kind: 'failed', refusal };
    }
  }
}
