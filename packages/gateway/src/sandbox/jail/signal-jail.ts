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
  if (signal === 'SIGKILL') send(pid, signal);
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // Gone in the meantime.
  }
}

/** Field 5 of `stat` is the process group; the name before it may hold anything but ends with the last `)`. */
function isLeader(pid: number): boolean {
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields[2] === String(pid);
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
