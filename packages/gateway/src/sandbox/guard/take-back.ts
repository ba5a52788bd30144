import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Held, Planted } from './judge-place.ts';

/** What an agent wrote into a guarded place, and what was done about it. */
export interface TakenBack {
  /** absolute */
  readonly path: string;
  readonly why: string;
  /** copy of what the agent wrote, for the person to look at; undefined when there is none */
  readonly kept: string | undefined;
  readonly times: number;
}

/**
 * Puts back what was there before. Nothing of the jail may run meanwhile: a folder of the path could become a link.
 *
 * SECURITY: checked all the same, because a person's own file at the end of such a link would be lost.
 */
export function takeBack(path: string, now: Held, planted: Planted, keepIn: string): string | undefined {
  if (realpathSync(dirname(path)) !== dirname(path)) return undefined;
  const kept = now.kind === 'file' ? keep(path, now.bytes, keepIn) : undefined;
  const { put } = planted;
  if (put === undefined || put.kind === 'other' || put.kind === 'large') {
    unlinkSync(path);
    removeEmpty(dirname(path));
    return kept;
  }
  const beside = join(dirname(path), `.${basename(path)}.sallyport-${process.pid}`);
  if (put.kind === 'link') symlinkSync(put.target, beside);
  else {
    writeFileSync(beside, put.bytes, { flag: 'wx', mode: 0o600 });
    chmodSync(beside, put.mode);
  }
  renameSync(beside, path);
  return kept;
}

/** A copy, readable for the person and run by nobody. Better none than no way back. */
function keep(path: string, bytes: Buffer, folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (let number = 1; number <= MOST_COPIES; number += 1) {
      const copy = join(folder, `${path.replaceAll('/', '%').slice(-180)}.${number}`);
      if (lstatSync(copy, { throwIfNoEntry: false }) !== undefined) continue;
      writeFileSync(copy, bytes, { flag: 'wx', mode: 0o600 });
      return copy;
    }
  } catch {
    // Told as taken back all the same.
  }
  return undefined;
}

/** Where the copies of one run are kept. Those of a week ago are taken away. */
export function keptFolder(home: string): string {
  const all = join(home, 'taken-back');
  try {
    for (const name of readdirSync(all)) {
      if (Date.parse(name) < Date.now() - KEPT_MS) rmSync(join(all, name), { recursive: true, force: true });
    }
  } catch {
    // None yet.
  }
  return join(all, new Date().toISOString());
}

const KEPT_MS = 7 * 86_400_000;

/** An agent that writes on and on must not fill the disk. */
const MOST_COPIES = 5;

function removeEmpty(folder: string): void {
  try {
    // Fails for a folder with anything in it.
    if (/\/\.[^/]+$/.test(folder) && !folder.endsWith('/.git')) rmdirSync(folder);
  } catch {
    // Then it stays.
  }
}
