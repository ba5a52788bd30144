import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { SallyportError } from '@sallyport/protocol';
import { ScrubPlan, ScrubStream } from '../../credentials/index.ts';
import type { CommandEnd, CommandJob, CommandLimits } from './command-job.ts';

/**
 * Joins a command with its caller until it has ended: input, output without what was lent, signals, and the bounds. What
 * goes beyond a bound, or has nobody left who waits for it, is killed with all that it started.
 */
export async function runStreams(
  child: ChildProcess,
  { caller, material, signal }: Pick<CommandJob, 'caller' | 'material' | 'signal'>,
  limits: CommandLimits,
): Promise<CommandEnd> {
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new TypeError('a process without pipes');
  const exited = new Promise<Pick<CommandEnd, 'code' | 'signal'>>((resolve, reject) => {
    child.once('error', (error) =>
      reject(
        new SallyportError('SandboxUnavailable', {
          message: 'the command could not be started',
          cause: error,
        }),
      ),
    );
    child.once('exit', (code, ended) => resolve({ code, signal: ended }));
  });
  let cut: CommandEnd['cut'];
  // From then on nobody waits for a caller that does not read.
  const over = Promise.withResolvers<void>();
  const end = (why: NonNullable<CommandEnd['cut']>): void => {
    cut ??= why;
    send(child, 'SIGKILL');
    over.resolve();
  };
  const timer = setTimeout(() => end('timeout'), limits.runMs);
  const left = (): void => end('left');
  signal.addEventListener('abort', left, { once: true });
  if (signal.aborted) left();
  caller.onSignal((name) => pass(child, name, limits.graceMs));
  const stopFeeding = feed(caller.stdin, stdin, limits.inputBytes, () => end('input'));
  const room = { left: limits.outputBytes };
  const plan = new ScrubPlan(material.secrets);
  const drained = Promise.all(
    (
      [
        ['stdout', stdout],
        ['stderr', stderr],
      ] as const
    ).map(([channel, stream]) =>
      drain(stream, new ScrubStream(plan), (bytes) => {
        room.left -= bytes.length;
        if (room.left < 0) end('output');
        return cut === undefined ? Promise.race([caller.write(channel, bytes), over.promise]) : undefined;
      }),
    ),
  );
  try {
    const ended = await exited;
    // What it left behind would hold its pipes open, and run on.
    send(child, 'SIGKILL');
    await drained;
    return { ...ended, ...(cut === undefined ? {} : { cut }) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', left);
    stopFeeding();
    send(child, 'SIGKILL');
  }
}

/** One piece at a time: a command that floods waits for its caller, and nothing piles up in between. */
async function drain(
  stream: Readable,
  scrub: ScrubStream,
  take: (bytes: Uint8Array) => void | Promise<void>,
): Promise<void> {
  try {
    for await (const piece of stream) {
      // A copy: the scrubber writes into it.
      const clean = scrub.push(Buffer.from(piece as Buffer));
      if (clean.length > 0) await take(clean);
    }
  } catch {
    // The pipe broke: it was killed.
  }
  const rest = scrub.end();
  if (rest !== undefined && rest.length > 0) await take(rest);
}

/** Hands the caller's input on, and its end; as fast as the command reads. */
function feed(from: Readable, to: Writable, most: number, tooMuch: () => void): () => void {
  let size = 0;
  to.on('error', () => from.resume());
  const onData = (piece: Buffer): void => {
    size += piece.length;
    if (size > most) tooMuch();
    if (size > most || !to.writable) return;
    if (!to.write(piece)) {
      from.pause();
      to.once('drain', () => from.resume());
    }
  };
  const onEnd = (): void => void to.end();
  from.on('data', onData).once('end', onEnd).once('close', onEnd);
  return () => {
    from.off('data', onData);
    from.off('end', onEnd);
    // Nobody reads it any more; what still comes is thrown away.
    from.resume();
  };
}

/** A signal of the caller. What does not end of one that ends programs is killed after a while. */
function pass(child: ChildProcess, signal: NodeJS.Signals, graceMs: number): void {
  send(child, signal);
  if (!['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'].includes(signal)) return;
  setTimeout(() => send(child, 'SIGKILL'), graceMs).unref();
}

/** The jail is a process group of its own; its launcher hands on what ends programs. */
function send(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Nobody is left.
  }
}
