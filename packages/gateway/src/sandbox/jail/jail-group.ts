import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { SandboxLimits } from '../spec/sandbox-spec.ts';
import { type CgroupPlace, cgroupPlaces } from './cgroup-places.ts';
import { DEFAULT_LIMITS } from './jail-spec.ts';
import { isLeftBehind, uniqueName } from './unique-name.ts';

/** A control group of one jail: its bombs count together, and one write kills all that is in it. */
export interface JailGroup {
  /** the `cgroup.procs` files to join; empty where no control group can be made */
  readonly procs: readonly string[];
  /** what is really limited for the whole jail */
  readonly limits: { readonly processes: boolean; readonly memory: boolean };
  /** Takes the group away. Whatever is still in it is killed. */
  remove(): Promise<void>;
}

/** Nothing to join. */
export const NO_GROUP: JailGroup = {
  procs: [],
  limits: { processes: false, memory: false },
  remove: async () => undefined,
};

const REMOVE_TRIES = 200;
/** An init takes a moment to end; a first look soon costs a run less than a comfortable one. */
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 10;

/**
 * Makes a group below the caller's own, by version 2 or 1 of control groups, where the caller may.
 *
 * Never throws: a machine without a writable group has the weaker limits that docs/sandbox.md names.
 */
export function createJailGroup(
  limits: SandboxLimits = {},
  places: readonly CgroupPlace[] = cgroupPlaces(),
): JailGroup {
  const name = uniqueName();
  const made: { folder: string; place: CgroupPlace }[] = [];
  for (const place of places) {
    sweep(place.parent);
    const folder = join(place.parent, name);
    if (make(folder, place, { ...DEFAULT_LIMITS, ...limits })) made.push({ folder, place });
  }
  const has = (controller: 'pids' | 'memory'): boolean =>
    made.some(({ place }) => place.controllers.includes(controller));
  return {
    procs: made.map(({ folder }) => join(folder, 'cgroup.procs')),
    limits: { processes: has('pids'), memory: has('memory') },
    remove: async () => {
      for (const { folder } of made) await removeGroup(folder);
    },
  };
}

function make(folder: string, place: CgroupPlace, limits: Required<SandboxLimits>): boolean {
  try {
    mkdirSync(folder);
  } catch {
    return false;
  }
  try {
    for (const controller of place.controllers) {
      for (const [file, value] of settings(place.version, controller, limits)) {
        writeFileSync(join(folder, file), String(value));
      }
    }
    return true;
  } catch {
    rmdirSync(folder);
    return false;
  }
}

function settings(
  version: 1 | 2,
  controller: string,
  limits: Required<SandboxLimits>,
): readonly [string, number][] {
  if (controller === 'pids') return [['pids.max', limits.processes]];
  return [[version === 2 ? 'memory.max' : 'memory.limit_in_bytes', limits.memoryBytes]];
}

async function removeGroup(folder: string): Promise<void> {
  for (let tries = 0; tries < REMOVE_TRIES; tries += 1) {
    try {
      rmdirSync(folder);
      return;
    } catch (error) {
      if (isMissing(error)) return;
      killMembers(folder);
      await wait(Math.min(FIRST_PAUSE_MS + tries, LONGEST_PAUSE_MS));
    }
  }
}

function killMembers(folder: string): void {
  try {
    for (const pid of readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n')) {
      if (pid !== '') process.kill(Number(pid), 'SIGKILL');
    }
  } catch {
    // Gone in the meantime: the next try to remove the group tells.
  }
}

/** Removes the empty groups of processes that were killed before they could. A group in use cannot be removed. */
function sweep(parent: string): void {
  for (const entry of readdirSync(parent)) {
    if (!isLeftBehind(entry)) continue;
    try {
      rmdirSync(join(parent, entry));
    } catch {
      // Somebody is still in it, or another process was quicker.
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
