import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { SallyportError } from '@sallyport/protocol';
import { ownFile } from '../../shared/own-files.ts';
import {
  encodeFrame,
  FRAME,
  type Frame,
  FrameReader,
  type SpawnExit,
  type SpawnOrder,
  type SpawnRequest,
} from './frames.ts';

export interface SpawnHandlers {
  /** the promise holds back more output of this command */
  onOutput(channel: 'stdout' | 'stderr', bytes: Uint8Array): void | Promise<void>;
}

/** A command under way. */
export interface Spawned {
  /** Rejects with `SandboxUnavailable` when the program cannot be started or the spawner ended. */
  readonly exit: Promise<SpawnExit>;
  /** Kills the command's process group and what carries its marker. */
  kill(): void;
}

interface Pending {
  readonly handlers: SpawnHandlers;
  readonly settle: PromiseWithResolvers<SpawnExit>;
  group: number | undefined;
}

/**
 * Starts commands from a small process of its own: made when first needed, made again when it dies.
 *
 * When this process dies, so does the spawner, and everything that it started.
 */
export class Spawner {
  readonly #pending = new Map<number, Pending>();
  readonly #start: (command: readonly string[]) => readonly string[];
  readonly #groups: readonly string[];
  #next = 1;
  #helper: { readonly process: ChildProcess; readonly link: Socket } | undefined;

  /**
   * `groups` are `cgroup.procs` files: the spawner, and so all that it starts, lives in these control groups.
   * `start` may put something before the spawner's own command line, as limits that all will have.
   */
  constructor(
    groups: readonly string[] = [],
    start: (command: readonly string[]) => readonly string[] = (command) => command,
  ) {
    this.#groups = groups;
    this.#start = start;
  }

  run(request: SpawnRequest, stdin: string | Uint8Array, handlers: SpawnHandlers): Spawned {
    const { link } = this.#connect();
    const id = this.#next;
    this.#next += 1;
    const pending: Pending = { handlers, settle: Promise.withResolvers<SpawnExit>(), group: undefined };
    this.#pending.set(id, pending);
    // A command under way keeps this process alive; an idle spawner does not.
    link.ref();
    link.cork();
    const hasInput = stdin.length > 0;
    link.write(encodeFrame(FRAME.start, id, JSON.stringify({ ...request, hasInput } satisfies SpawnOrder)));
    if (hasInput) link.write(encodeFrame(FRAME.stdin, id, stdin));
    link.uncork();
    return { exit: pending.settle.promise, kill: () => void link.write(encodeFrame(FRAME.kill, id)) };
  }

  /** Ends the spawner and every command of it. */
  async close(): Promise<void> {
    const helper = this.#helper;
    if (helper === undefined) return;
    const gone = new Promise<void>((resolve) => helper.process.once('close', () => resolve()));
    // Otherwise a process with nothing else to do would end before this is done.
    helper.process.ref();
    helper.link.end();
    await gone;
  }

  #connect(): { readonly process: ChildProcess; readonly link: Socket } {
    if (this.#helper !== undefined) return this.#helper;
    const command = [process.execPath, '--max-old-space-size=64', ownFile('spawner.js'), ...this.#groups];
    const [program = process.execPath, ...args] = this.#start(command);
    const child = spawn(program, args, {
      // SECURITY: nothing of the gateway's environment is in reach of what the spawner starts.
      env: {},
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    });
    // A `pipe` at descriptor 3 is a socket.
    const link = child.stdio[3] as Socket;
    const reader = new FrameReader();
    link.on('data', (piece: Buffer) => {
      for (const frame of reader.read(piece)) this.#handle(frame, link);
    });
    link.on('error', () => undefined);
    child.once('error', () => this.#lost(child));
    child.once('close', () => this.#lost(child));
    child.unref();
    this.#helper = { process: child, link };
    return this.#helper;
  }

  #lost(child: ChildProcess): void {
    if (this.#helper?.process !== child) return;
    this.#helper = undefined;
    for (const { settle, group } of this.#pending.values()) {
      // The spawner cannot do it any more.
      if (group !== undefined) killGroup(group);
      settle.reject(unavailable('the process that starts commands ended'));
    }
    this.#pending.clear();
  }

  #handle({ kind, id, payload }: Frame, link: Socket): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    const text = (): string => Buffer.from(payload).toString();
    if (kind === FRAME.started) pending.group = Number(text());
    else if (kind === FRAME.stdout || kind === FRAME.stderr) {
      void this.#hand(pending, kind === FRAME.stdout ? 'stdout' : 'stderr', payload).then((taken) => {
        link.write(encodeFrame(FRAME.taken, id, taken));
      });
    } else {
      this.#pending.delete(id);
      if (this.#pending.size === 0) link.unref();
      // Written by the spawner itself.
      if (kind === FRAME.exit) pending.settle.resolve(JSON.parse(text()) as SpawnExit);
      else pending.settle.reject(unavailable(text()));
    }
  }

  async #hand(pending: Pending, channel: 'stdout' | 'stderr', bytes: Uint8Array): Promise<Uint8Array> {
    try {
      await pending.handlers.onOutput(channel, bytes);
    } catch (error) {
      pending.settle.reject(error);
    }
    const taken = Buffer.alloc(4);
    taken.writeUInt32LE(bytes.length);
    return taken;
  }
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}

function unavailable(message: string): SallyportError {
  return new SallyportError('SandboxUnavailable', { message: `the command could not run: ${message}` });
}
