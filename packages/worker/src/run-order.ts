import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { DispatchOrder, DispatchResultMessage } from '@sallyport/protocol';
import { closeNested, type NestedJail } from './nested-jail.ts';

/** What is told about a command, but for who tells it. */
export type OrderEnd = Pick<
  DispatchResultMessage,
  'exit_code' | 'stdout' | 'stderr' | 'duration_ms' | 'truncated'
> & { readonly error?: 'timeout' | 'not_started' };

export interface RunOrderOptions {
  readonly nest: NestedJail;
  /** where commands start that name no folder */
  readonly cwd: string;
  /** aborts when the worker ends */
  readonly signal: AbortSignal;
}

/** A program that is not there is bwrap's own failure; a shell would say 127, and so does this. */
const NOT_FOUND = /^bwrap: execvp [^\n]*: No such file or directory\n$/;

/** Runs a command apart from the worker. What goes beyond a bound kills everything that it started. Never throws. */
export async function runOrder(
  order: DispatchOrder,
  { nest, cwd, signal }: RunOrderOptions,
): Promise<OrderEnd> {
  const began = performance.now();
  const kept: Record<'stdout' | 'stderr', Uint8Array[]> = { stdout: [], stderr: [] };
  let size = 0;
  let truncated = false;
  let timedOut = false;
  const told = (exit: number, error?: OrderEnd['error']): OrderEnd => ({
    exit_code: exit,
    stdout: Buffer.concat(kept.stdout).toString(),
    stderr: Buffer.concat(kept.stderr).toString(),
    duration_ms: Math.round(performance.now() - began),
    truncated,
    ...(error === undefined ? {} : { error }),
  });

  let started: ReturnType<typeof start>;
  try {
    started = start(order, nest, cwd);
  } catch {
    return told(126, 'not_started');
  }
  const { child } = started;
  const { promise: ended, resolve } = Promise.withResolvers<OrderEnd>();
  const kill = (): void => {
    // The group, and with it the namespace: nothing that the command started is left.
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  };
  for (const channel of ['stdout', 'stderr'] as const) {
    started[channel].on('data', (bytes: Uint8Array) => {
      const piece = bytes.subarray(0, order.max_output_bytes - size);
      size += piece.length;
      if (piece.length > 0) kept[channel].push(piece);
      if (piece.length === bytes.length) return;
      truncated = true;
      kill();
    });
  }
  const late = setTimeout(() => {
    timedOut = true;
    kill();
  }, order.timeout_secs * 1000);
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  child.once('error', () => resolve(told(126, 'not_started')));
  child.once('close', (code, by) => {
    const ended = code ?? 128 + (by === null ? 0 : constants.signals[by]);
    const exit = ended === 1 && NOT_FOUND.test(Buffer.concat(kept.stderr).toString()) ? 127 : ended;
    resolve(told(exit, timedOut ? 'timeout' : undefined));
  });
  const end = await ended;
  clearTimeout(late);
  signal.removeEventListener('abort', kill);
  return end;
}

function start(
  { command, args, cwd: asked, env_additions: added }: DispatchOrder,
  nest: NestedJail,
  cwd: string,
) {
  const nested = nest([command, ...args], asked ?? cwd, added);
  try {
    const { program, filter } = nested;
    const child = spawn(program, nested.args, {
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe', filter],
      detached: true,
    });
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new Error('no pipes');
    return { child, stdout, stderr };
  } finally {
    closeNested(nested);
  }
}
