import { closeSync, readdirSync, readFileSync } from 'node:fs';

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Closes the descriptors that this process was started with, but for the first three and those in `keep`.
 *
 * SECURITY: neither Node nor bwrap does that, and an open folder, socket or file of the caller would be a way out of
 * the jail. What this process opened itself is marked to be closed, and so is left alone.
 */
export function closeInherited(keep: readonly number[] = []): void {
  // Elsewhere there is no such list; macOS closes what is not named when a process starts.
  if (process.platform !== 'linux') return;
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name);
    if (fd <= 2 || keep.includes(fd) || !outlivesExec(name)) continue;
    try {
      closeSync(fd);
    } catch {
      // Gone: it was that of the list itself.
    }
  }
}

function outlivesExec(fd: string): boolean {
  try {
    const [, flags] = /^flags:\s+([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? [];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false;
  }
}
