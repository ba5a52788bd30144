import { readdirSync, readFileSync } from 'node:fs';

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
