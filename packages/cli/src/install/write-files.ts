import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type FileChange, unusable } from './settings-file.ts';

/** Writes all of them or none: what was written is put back when a later one fails. Throws `SettingsUnusable`. */
export function writeAll(changes: readonly FileChange[]): void {
  const done: FileChange[] = [];
  for (const change of changes) {
    try {
      mkdirSync(dirname(change.path), { recursive: true });
      writeAtomically(change.path, change.after, change.mode ?? modeOf(change.path));
      done.push(change);
    } catch (cause) {
      for (const { path, before, mode } of done.toReversed())
        writeAtomically(path, before, mode ?? modeOf(path));
      throw unusable(change.path, 'cannot be written', 'look at who owns it and its folder', cause);
    }
  }
}

/** Whoever reads it meanwhile sees the old text or the new one. Undefined: the file goes. */
export function writeAtomically(path: string, text: string | undefined, mode: number): void {
  if (text === undefined) {
    rmSync(path, { force: true });
    return;
  }
  const fresh = `${path}.sallyport-${process.pid}`;
  try {
    writeFileSync(fresh, text, { mode, flag: 'wx' });
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

function modeOf(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o777;
}
