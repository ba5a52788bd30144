import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename } from 'node:path';

/** A process, told apart from a later one of the same number by when it began. */
export interface ProcessId {
  readonly pid: number;
  /** in ticks since the machine started */
  readonly began: string;
}

export interface ProcessEntry extends ProcessId {
  readonly parent: number;
  /** somebody may type into it */
  readonly hasTerminal: boolean;
}

/** Longer than any chain of shells and tools that people have. */
const LONGEST_CHAIN = 256;

/** Undefined when there is none of that number, or no /proc. */
export function readProcess(pid: number): ProcessEntry | undefined {
  const text = read(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name before these may hold anything but ends with the last `)`: state, parent, group, session, terminal, …, and
  // 22nd of all, its begin.
  const fields = text.slice(text.lastIndexOf(') ') + 2).split(' ');
  const [parent, terminal, began] = [Number(fields[1]), fields[4], fields[19]];
  if (began === undefined || !Number.isInteger(parent)) return undefined;
  return { pid, parent, began, hasTerminal: terminal !== '0' };
}

/** The process itself, its parent, and so on up to the first of the machine. Empty when it is gone. */
export function chainOf(pid: number): readonly ProcessEntry[] {
  const chain: ProcessEntry[] = [];
  for (let next = pid; next > 0 && chain.length < LONGEST_CHAIN; ) {
    const entry = readProcess(next);
    if (entry === undefined) break;
    chain.push(entry);
    next = entry.parent;
  }
  return chain;
}

/** Of every process that can be seen. */
export function allProcesses(): readonly ProcessEntry[] {
  return processNumbers().flatMap((pid) => readProcess(pid) ?? []);
}

/** Newest first, as far as numbers tell. */
export function processNumbers(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .sort((a, b) => b - a);
  } catch {
    return [];
  }
}

/** Arguments as it was started with them; empty when that cannot be seen. */
export function argumentsOf(pid: number): readonly string[] {
  return (read(`/proc/${pid}/cmdline`) ?? '').split('\0').slice(0, -1);
}

/** Names of variables that it was started with; empty when that cannot be seen. */
export function variablesOf(pid: number): ReadonlySet<string> {
  const entries = (read(`/proc/${pid}/environ`) ?? '').split('\0');
  return new Set(entries.map((entry) => entry.slice(0, entry.indexOf('='))));
}

/** The group of processes that it was started in; empty when that cannot be seen. */
export function groupOf(pid: number): string {
  return read(`/proc/${pid}/cgroup`) ?? '';
}

/** The program that it runs, where nobody but root could have put it there. */
export function systemProgram(pid: number): string | undefined {
  try {
    const path = readlinkSync(`/proc/${pid}/exe`);
    return statSync(path).uid === 0 ? basename(path) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process holds a socket; undefined when it does not let itself be looked at. */
export function holdsSocket(pid: number, inode: string): boolean | undefined {
  let names: string[];
  try {
    names = readdirSync(`/proc/${pid}/fd`);
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isGone ? false : undefined;
  }
  return names.some((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`) === `socket:[${inode}]`;
    } catch {
      return false; // closed in the meantime
    }
  });
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
