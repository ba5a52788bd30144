import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Processes of this machine, by what `/proc` tells everyone. */
interface Seen {
  readonly pid: number;
  readonly parent: number;
  /** whether it lives in a process namespace below ours */
  readonly isInner: boolean;
  /** by somebody else: a person, a debugger */
  readonly isStopped: boolean;
}

/**
 * Stops everything in a jail, so that nothing changes while somebody looks. Its launcher goes on: a shell would take it for
 * a job that a person stopped. What lets all of it go on again.
 *
 * By signals and not by a control group: not every machine lets a person make one.
 */
export function freezeJail(launcher: number): () => void {
  const stopped = new Set<number>();
  const others = new Set(insiders(launcher).flatMap(({ pid, isStopped }) => (isStopped ? [pid] : [])));
  // What was forked while it was looked for is found by the next look.
  for (let round = 0; round < ROUNDS; round += 1) {
    const fresh = insidersOf(launcher).filter((pid) => !stopped.has(pid) && !others.has(pid));
    if (fresh.length === 0) break;
    for (const pid of fresh) {
      send(pid, 'SIGSTOP');
      stopped.add(pid);
    }
  }
  return () => {
    // Children first: their parents find them running when they look.
    for (const pid of [...stopped].reverse()) send(pid, 'SIGCONT');
  };
}

const ROUNDS = 20;

/** The namespace of the processes of a jail; undefined until it has any. */
export function spaceOf(launcher: number): string | undefined {
  const [first] = insidersOf(launcher);
  return first === undefined ? undefined : spaceOfProcess(first);
}

/** Whether anything lives in it: also what lost its parents with the launcher. */
export function isSpaceAlive(space: string): boolean {
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && spaceOfProcess(Number(name)) === space);
}

function spaceOfProcess(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

/** Processes in the jail, parents before their children. */
function insidersOf(launcher: number): readonly number[] {
  return insiders(launcher).map(({ pid }) => pid);
}

function insiders(launcher: number): readonly Seen[] {
  const children = new Map<number, Seen[]>();
  for (const seen of processes()) {
    const siblings = children.get(seen.parent);
    if (siblings === undefined) children.set(seen.parent, [seen]);
    else siblings.push(seen);
  }
  const found: Seen[] = [];
  for (const queue = [...(children.get(launcher) ?? [])]; ; ) {
    const next = queue.shift();
    if (next === undefined) return found;
    if (next.isInner) found.push(next);
    queue.push(...(children.get(next.pid) ?? []));
  }
}

function* processes(): Generator<Seen> {
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'latin1');
      if (/^State:\s+[ZX]/m.test(status)) continue;
      const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
      yield {
        ...{ pid, parent, isInner: /^NSpid:\s+\d+\s+\d/m.test(status) },
        isStopped: /^State:\s+[Tt]/m.test(status),
      };
    } catch {
      // Gone in the meantime.
    }
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone in the meantime.
  }
}
