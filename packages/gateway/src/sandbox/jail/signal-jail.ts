import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Sends a signal to everything that the command has in its process group. `SIGKILL` ends the whole jail.
 *
 * The launcher and the forwarder survive the others, so that it is the command that answers them.
 */
export function signalJail(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  // With a terminal the launcher is a shell in the caller's group, and the jail its only job.
  const groups = isLeader(pid) ? [pid] : childrenOf(pid);
  for (const group of groups) send(-group, signal);
  if (signal !== 'SIGKILL') return;
  // The shell takes the terminal back once its job is gone, which it cannot when it is killed itself.
  if (groups.length === 0 || groups.includes(pid)) send(pid, signal);
  else setTimeout(() => child.exitCode === null && send(pid, signal), SHELL_ENDS_MS).unref();
}

/** A job that waits for a disk does not die of anything. */
const SHELL_ENDS_MS = 500;

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // Gone in the meantime.
  }
}

/** Resolves once the launcher of a jail with a terminal is stopped, or a second has passed. */
export async function waitForStop({ pid }: ChildProcess): Promise<void> {
  // It has just said that it will: this is about a machine that is busy with other things.
  for (let waited = 0; waited < 1_000; waited += LOOK_MS) {
    if (pid === undefined || 'Tt'.includes(statusOf(pid)[0] ?? 'T')) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

const LOOK_MS = 5;

function isLeader(pid: number): boolean {
  return statusOf(pid)[2] === String(pid);
}

/** Fields of `stat` after the name, which may hold anything but ends with the last `)`: state, parent, group, … */
function statusOf(pid: number): readonly string[] {
  return read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
}

function childrenOf(pid: number): readonly number[] {
  const words = read(`/proc/${pid}/task/${pid}/children`).split(' ');
  return words.filter((word) => word !== '').map(Number);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
