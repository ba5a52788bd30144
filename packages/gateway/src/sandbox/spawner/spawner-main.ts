import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { closeInherited } from '../jail/close-inherited.ts';
import { openUnnamed, spawnJail } from '../jail/spawn-jail.ts';
import {
  encodeFrame,
  FRAME,
  type Frame,
  type FrameKind,
  FrameReader,
  type SpawnExit,
  type SpawnOrder,
} from './frames.ts';

/** Commands of one sandbox differ in one or two of a handful. */
const AT_MOST = 64;

/** Files without a name for contents that come again: writing them anew takes three calls each, opening them one. */
class KeptContents {
  readonly #files = new Map<string, number>();

  /** A path that opens at the beginning of the content, which is given in base64, until 64 others were asked for. */
  pathOf(content: string): string {
    let fd = this.#files.get(content);
    if (fd === undefined) {
      fd = openUnnamed(Buffer.from(content, 'base64'));
      const [oldest] = this.#files;
      if (this.#files.size >= AT_MOST && oldest !== undefined) {
        this.#files.delete(oldest[0]);
        closeSync(oldest[1]);
      }
      this.#files.set(content, fd);
    }
    return `/proc/self/fd/${fd}`;
  }
}

/**
 * The spawner: a small process beside the gateway that starts its commands, because forking a large one is slow.
 *
 * Speaks frames on descriptor 3. When that closes, the gateway is gone: everything is killed, and this ends.
 */

/** Output that may be under way to the gateway for one command; then the command waits. */
const WINDOW_BYTES = 256 * 1024;

interface Running {
  readonly child: ChildProcess;
  readonly marker: string | undefined;
  underWay: number;
}

/** The connection to the gateway. */
const LINK = 3;

closeInherited([LINK]);

// The control groups of the sandbox, once: joining takes tens of milliseconds, being born in them nothing.
for (const procs of process.argv.slice(2)) writeFileSync(procs, '0');

const gateway = new Socket({ fd: LINK, readable: true, writable: true });
const running = new Map<number, Running>();
const reader = new FrameReader();
const kept = new KeptContents();

gateway.on('data', (piece: Buffer) => {
  for (const frame of reader.read(piece)) handle(frame);
});
gateway.on('close', () => {
  for (const one of running.values()) killAll(one);
  process.exit(0);
});
gateway.on('error', () => gateway.destroy());
// The terminal's signals are the gateway's to answer: it ends this process by closing the connection.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

function handle({ kind, id, payload }: Frame): void {
  if (kind === FRAME.start) {
    // Written by the client of this very program.
    start(id, JSON.parse(Buffer.from(payload).toString()) as SpawnOrder);
    return;
  }
  const one = running.get(id);
  if (one === undefined) return;
  if (kind === FRAME.kill) killAll(one);
  else if (kind === FRAME.stdin) one.child.stdin?.end(payload);
  else if (kind === FRAME.taken) {
    one.underWay -= Buffer.from(payload).readUInt32LE(0);
    if (one.underWay < WINDOW_BYTES) {
      one.child.stdout?.resume();
      one.child.stderr?.resume();
    }
  }
}

function start(id: number, order: SpawnOrder): void {
  let child: ChildProcess;
  try {
    child = startChild(order);
  } catch (error) {
    send(FRAME.failed, id, String(error));
    return;
  }
  preferInOom(child.pid);
  const one: Running = { child, marker: order.marker, underWay: 0 };
  running.set(id, one);
  child.once('error', (error) => {
    if (running.delete(id)) send(FRAME.failed, id, error.message);
  });
  child.once('spawn', () => send(FRAME.started, id, String(child.pid)));
  child.stdin?.on('error', () => undefined);
  relay(id, one, child.stdout, FRAME.stdout);
  relay(id, one, child.stderr, FRAME.stderr);
  // When the command has ended, nothing that it started may go on and hold its output open.
  child.once('exit', () => killAll(one));
  const exit = new Promise<SpawnExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  // Half a millisecond before `close`, which waits for the descriptors too.
  void Promise.all([exit, ended(child.stdout), ended(child.stderr)]).then(([end]) => {
    if (running.delete(id)) send(FRAME.exit, id, JSON.stringify(end));
  });
}

/** All was read, or no more can be. */
function ended(stream: Readable | null): Promise<void> {
  return new Promise((resolve) => {
    if (stream === null) resolve();
    else
      stream
        .once('end', resolve)
        .once('close', resolve)
        .on('error', () => undefined);
  });
}

function startChild({ program, args, env, cwd, files, lifeline, hasInput }: SpawnOrder): ChildProcess {
  const stdio = [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'] as const;
  if (files.length === 0) return spawn(program, args, { env, cwd, stdio: [...stdio], detached: true });
  const paths = files.map((file) => ('path' in file ? file.path : kept.pathOf(file.content)));
  return spawnJail({ program, args, env, files: paths, lifeline, detached: true }, stdio);
}

/** When the group runs out of memory, the kernel takes what this process started before this process. */
function preferInOom(pid: number | undefined): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '500');
  } catch {
    // Gone already.
  }
}

function relay(id: number, one: Running, stream: Readable | null, kind: FrameKind): void {
  stream?.on('data', (bytes: Buffer) => {
    one.underWay += bytes.length;
    send(kind, id, bytes);
    if (one.underWay < WINDOW_BYTES) return;
    one.child.stdout?.pause();
    one.child.stderr?.pause();
  });
}

/** The whole group: a bwrap that is half started does not take its child along. */
function killAll({ child, marker }: Running): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nobody is left in the group.
  }
  if (marker !== undefined) killMarked(marker);
}

function send(kind: FrameKind, id: number, payload: Uint8Array | string): void {
  gateway.write(encodeFrame(kind, id, payload));
}

/**
 * Kills every process whose environment holds `marker`: daemons that left their process group.
 *
 * Best effort: a process can replace its environment. Where that must not help, use a backend with namespaces.
 */
export function killMarked(marker: string): void {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      if (!readFileSync(`/proc/${entry}/environ`, 'latin1').split('\0').includes(marker)) continue;
      process.kill(Number(entry), 'SIGKILL');
    } catch {
      // Somebody else's process, or gone in the meantime.
    }
  }
}
