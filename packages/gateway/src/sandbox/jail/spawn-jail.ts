import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, unlinkSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SallyportError } from '@sallyport/protocol/error';
import type { JailLaunch } from './jail-spec.ts';
import { uniqueName } from './unique-name.ts';

/** Where the first three descriptors of the jail go: `inherit` for a terminal. */
export type JailStdio = readonly ['inherit' | 'ignore' | 'pipe', 'inherit' | 'pipe', 'inherit' | 'pipe'];

/**
 * Starts a jail. Its files have no name any more when this returns: whatever dies then, nothing is left behind.
 *
 * To end a detached jail, kill its process group (`-pid`): a half-started bwrap does not take its child along.
 */
export function spawnJail(launch: JailLaunch, stdio: JailStdio): ChildProcess {
  const descriptors: number[] = [];
  try {
    for (const file of launch.files) {
      descriptors.push(typeof file === 'string' ? openSync(file, 'r') : openUnnamed(file));
    }
    const all: StdioOptions = [...stdio, ...(launch.lifeline ? (['pipe'] as const) : []), ...descriptors];
    // The jail has its own working folder; a shell before it would put this one into /proc/1/environ.
    const { env, detached } = launch;
    const child = spawn(launch.program, launch.args, { env, cwd: '/', stdio: all, detached });
    if (launch.lifeline) hold(child, child.stdio.at(stdio.length));
    return child;
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor);
  }
}

/** Open as long as both live: the caller, whom it does not keep alive, and what it started. */
function hold(child: ChildProcess, line: unknown): void {
  if (!(line instanceof Socket)) return;
  line.on('error', () => undefined);
  line.unref();
  child.once('exit', () => line.destroy());
}

/** In memory where the machine has that: these files live for milliseconds. */
const MEMORY = isWritable('/dev/shm') ? '/dev/shm' : undefined;

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A file without a name, open for reading. Throws `SandboxUnavailable` when nothing can be written anywhere. */
export function openUnnamed(content: Uint8Array): number {
  let failure: unknown;
  for (const folder of new Set([MEMORY ?? tmpdir(), tmpdir()])) {
    try {
      return openUnnamedIn(folder, content);
    } catch (error) {
      failure = error;
    }
  }
  throw new SallyportError('SandboxUnavailable', {
    message: `the jail's settings cannot be written to \`${MEMORY ?? tmpdir()}\` or \`${tmpdir()}\``,
    hint: 'free some space there',
    cause: failure,
  });
}

function openUnnamedIn(folder: string, content: Uint8Array): number {
  const path = join(folder, uniqueName());
  const descriptor = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  // At a position, so that the reader starts at the beginning.
  try {
    for (let written = 0; written < content.length; ) {
      written += writeSync(descriptor, content, written, content.length - written, written);
    }
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return descriptor;
}
