import type { Readable } from 'node:stream';
import type { Action, Verdict } from '@sallyport/protocol';
import type { CommandMaterial } from './command-jail.ts';

/** Where a command's streams go, and how its caller speaks to it. */
export interface CommandCaller {
  readonly stdin: Readable;
  /** The promise holds back more output of the command. */
  write(channel: 'stdout' | 'stderr', bytes: Uint8Array): void | Promise<void>;
  /** Told of each signal that the caller sends, while it runs. */
  onSignal(listener: (signal: NodeJS.Signals) => void): void;
}

/** One command that the gate allowed. */
export interface CommandJob {
  readonly action: Action;
  readonly verdict: Verdict & { readonly kind: 'allow' };
  /** what it gets besides the standard environment; the words are the action's own */
  readonly material: CommandMaterial;
  /** `api.github.com`, `*.amazonaws.com:443`: it reaches these and nothing else */
  readonly hosts: readonly string[];
  readonly caller: CommandCaller;
  /** aborts when the caller leaves or its session ends */
  readonly signal: AbortSignal;
  readonly limits?: Partial<CommandLimits>;
}

export interface CommandLimits {
  /** longest run, in ms */
  readonly runMs: number;
  /** both channels together, in bytes */
  readonly outputBytes: number;
  /** what it reads, in bytes */
  readonly inputBytes: number;
  /** for a command that was told to end, before everything of it is killed, in ms */
  readonly graceMs: number;
}

export const COMMAND_LIMITS: CommandLimits = {
  runMs: 60 * 60_000,
  outputBytes: 4 * 1024 ** 3,
  inputBytes: 4 * 1024 ** 3,
  graceMs: 2_000,
};

/** How a command ended. */
export interface CommandEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** why it was ended from here; absent where it ended by itself or by a signal of its caller */
  readonly cut?: 'timeout' | 'output' | 'input' | 'left';
}
