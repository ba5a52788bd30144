import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of a second in `/proc`. */
const TICKS = 100;

/** CPU time of a process and everything below it, in µs. */
export function cpuMicros(pid: number): number {
  return family(pid).reduce((sum, id) => {
    const [user = 0, system = 0] = statOf(id).slice(11, 13).map(Number);
    return sum + ((user + system) * 1_000_000) / TICKS;
  }, 0);
}

/** Resident memory of a process and everything below it, in MiB. */
export function residentMib(pid: number): number {
  return family(pid).reduce((sum, id) => {
    const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? '0';
    return sum + Number(kib) / 1024;
  }, 0);
}

function family(pid: number): readonly number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => parentOf(id) === pid);
  return [pid, ...children.flatMap(family)];
}

function parentOf(pid: number): number {
  try {
    return Number(statOf(pid)[1]);
  } catch {
    // It ended while we looked.
    return -1;
  }
}

/** Fields from the state on: the name before may hold blanks and brackets. */
function statOf(pid: number): readonly string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
