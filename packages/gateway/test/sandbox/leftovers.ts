import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Command lines of all processes of this machine that contain `text`, whatever namespace they are in. */
export function processesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && entry !== String(process.pid))
    .map((pid) => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' '))
    .filter((line) => line.includes(text));
}

/** Children of a process whose command line contains `text`. */
export function childrenOf(parent: number, text: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && read(`/proc/${entry}/cmdline`).includes(text))
    .filter(
      (pid) =>
        read(`/proc/${pid}/stat`)
          .replace(/^.*\) /s, '')
          .split(' ')[1] === String(parent),
    )
    .map(Number);
}

/** Control groups that this process, or a spawner of it, made and did not take away. */
export function groupsOf(pid: number): string[] {
  const found = execFileSync('find', ['/sys/fs/cgroup', '-type', 'd', '-name', `sallyport-${pid}-*`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return found.split('\n').filter((line) => line !== '');
}

/** Mounts of this mount namespace whose line contains `text`. */
export function mountsWith(text: string): string[] {
  return read('/proc/self/mountinfo')
    .split('\n')
    .filter((line) => line.includes(text));
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
