import type { ChildProcess, ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { isDeepJson } from '../../shared/json-depth.ts';
import { FloodGuard, type McpLimits } from './limits.ts';
import { LineSplitter } from './message-size.ts';
import {
  insteadOfDeep,
  type RpcMessage,
  type SendOptions,
  type Wire,
  type WireFault,
  type WireListener,
} from './wire.ts';

export interface ProcessWireOptions {
  /** Starts it with three pipes, in a process group of its own. */
  readonly start: () => ChildProcess;
  readonly limits: McpLimits;
  /** what it says on stderr, line by line, as much as is kept */
  readonly onStderr: (line: string) => void;
}

/** for what is in its pipes when it ends */
const LAST_WORDS_MS = 1_000;
/** of stderr, in characters */
const LONGEST_LINE = 4_096;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * A server as a process of its own, one JSON message a line.
 *
 * It stands in for the SDK's `StdioClientTransport`, which cannot do four things that a supervised server needs: end
 * the whole process group, start with an environment that has nothing of ours, count what is no message, and keep
 * a long message from being copied once for each piece of it.
 */
export class ProcessWire implements Wire {
  readonly #options: ProcessWireOptions;
  readonly #lines: LineSplitter;
  readonly #junk: FloodGuard;
  #child: Child | undefined;
  #listener: WireListener | undefined;
  #exited: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  /** messages of this turn, a line each */
  #outgoing = '';

  constructor(options: ProcessWireOptions) {
    this.#options = options;
    this.#lines = new LineSplitter(options.limits.messageBytes);
    this.#junk = new FloodGuard(options.limits.junkBytes, options.limits.windowMs);
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async open(listener: WireListener): Promise<void> {
    const child = withPipes(this.#options.start());
    this.#child = child;
    this.#listener = listener;
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (chunk: Uint8Array) => this.#take(chunk));
    this.#keepStderr(child.stderr);
    this.#exited = new Promise((resolve) => {
      child.once('exit', () => {
        // What it left behind would hold its pipes open, and run on.
        killGroup(child, 'SIGKILL');
        setTimeout(() => child.stdout.destroy() && child.stderr.destroy(), LAST_WORDS_MS).unref();
      });
      // Not `exit`: its last answer may still be in the pipe.
      child.once('close', (code, signal) => {
        this.#tell(signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`);
        resolve();
      });
      child.once('error', () => resolve());
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
  }

  send(message: RpcMessage, { isAlone = false }: SendOptions = {}): void {
    const child = this.#child;
    if (child === undefined || !child.stdin.writable) throw new Error('it takes nothing any more');
    if (child.stdin.writableLength + this.#outgoing.length > this.#options.limits.messageBytes)
      throw new Error('it does not read');
    const isFirst = this.#outgoing === '';
    this.#outgoing += `${JSON.stringify(message)}\n`;
    if (isFirst && isAlone) this.#flush();
    else if (isFirst) setImmediate(() => this.#flush());
  }

  /** What one turn of the event loop sends goes out as one piece: a write, and waking the server, cost more than the rest. */
  #flush(): void {
    const text = this.#outgoing;
    this.#outgoing = '';
    if (text !== '' && this.#child?.stdin.writable === true) this.#child.stdin.write(text);
  }

  async close(how?: 'at-once'): Promise<void> {
    if (how === 'at-once' && this.#child !== undefined) killGroup(this.#child, 'SIGKILL');
    this.#closing ??= this.#stop();
    return this.#closing;
  }

  async #stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#flush();
    child.stdin.end();
    if (!(await this.#endsWithin(this.#options.limits.graceMs))) {
      killGroup(child, 'SIGTERM');
      if (!(await this.#endsWithin(this.#options.limits.graceMs))) killGroup(child, 'SIGKILL');
    }
    await this.#exited;
  }

  async #endsWithin(ms: number): Promise<boolean> {
    const late = new Promise<false>((resolve) => setTimeout(resolve, ms, false).unref());
    return Promise.race([this.#exited.then(() => true), late]);
  }

  #take(chunk: Uint8Array): void {
    if (this.#listener === undefined) return;
    const lines = this.#lines.push(chunk);
    if (lines === undefined) this.#cutOff('too-large', 'it sent a message that is too large');
    for (const line of lines ?? []) {
      const message = parse(line);
      if (message !== undefined) this.#listener?.onMessage(message);
      else if (!this.#junk.take(line.length + 1))
        this.#cutOff('flood', 'it wrote too much to stdout that is no message');
    }
  }

  /** SECURITY: it is not heard any more: what it sends from here on fills nobody's memory. */
  #cutOff(fault: WireFault, reason: string): void {
    const child = this.#child;
    child?.stdout.destroy();
    if (child !== undefined) killGroup(child, 'SIGKILL');
    this.#tell(reason, fault);
  }

  #keepStderr(stderr: Readable): void {
    const { limits, onStderr } = this.#options;
    const room = new FloodGuard(limits.stderrBytes, limits.windowMs);
    let rest = '';
    stderr.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = (lines.pop() ?? '').slice(0, LONGEST_LINE);
      for (const line of lines) {
        const kept = line.slice(0, LONGEST_LINE);
        if (kept.trim() !== '' && room.take(kept.length)) onStderr(kept);
      }
    });
    stderr.on('error', () => undefined);
  }

  #tell(reason: string, fault?: WireFault): void {
    const listener = this.#listener;
    this.#listener = undefined;
    listener?.onClose({ reason, ...(fault === undefined ? {} : { fault }) });
  }
}

function withPipes(child: ChildProcess): Child {
  if (child.stdin === null || child.stdout === null || child.stderr === null)
    throw new TypeError('a process without pipes');
  // `as`: all three are there, which the type of a child with pipes says as well.
  return child as Child;
}

function parse(line: string): unknown {
  try {
    const message: unknown = JSON.parse(line);
    if (isDeepJson(line)) return insteadOfDeep(message);
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

function killGroup(child: Child, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Nobody is left.
  }
}
