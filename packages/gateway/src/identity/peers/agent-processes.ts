import type { Socket } from 'node:net';
import { basename } from 'node:path';
import { nativeCalls } from '../../shared/native-calls.ts';
import { markOf, mayBeLeftBy } from './left-behind.ts';
import {
  allProcesses,
  argumentsOf,
  chainOf,
  holdsSocket,
  type ProcessEntry,
  type ProcessId,
  readProcess,
} from './process-table.ts';
import { holderOf, tcpEnd } from './tcp-peer.ts';

/** Whose process it is that speaks. `gone`: it ended before anyone could tell. */
export type AgentPeer =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'server'; readonly name: string }
  /** of a client that set this variable for it; which one cannot be told any more */
  | { readonly kind: 'marked'; readonly variable: string }
  | { readonly kind: 'gone' };

interface Root extends ProcessId {
  readonly of: AgentPeer;
  /** whether the process itself counts, or only what it started */
  readonly includesItself: boolean;
}

interface Opened {
  readonly family: readonly ProcessEntry[];
  readonly stray: AgentPeer | undefined;
}

/** A session may be taken up by another process of its client. */
const LOOK_EVERY_MS = 5_000;
/** More than run on one machine; then the oldest is forgotten. */
const MOST_ROOTS = 4_096;
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'fish', 'ksh', 'mksh', 'ash', 'busybox']);

/**
 * The processes of agents on this machine, and whether a connection comes from one of them or from what it started.
 *
 * A process counts as long as it lives, also when its session is over: what an agent left waiting is still the agent's.
 * It says what is; that the operator side refuses such a peer is the operator side's business [ID-7].
 */
export class AgentProcesses {
  // process-local: processes of this machine
  readonly #roots = new Map<number, Root>();
  /** families of whoever opened a unix connection, as they were then, and whether an agent left them behind */
  readonly #opened = new WeakMap<Socket, Opened | 'unknown'>();
  /** whether an agent was seen at all: before that nobody can have left anything behind */
  #hasSeen = false;

  /** where clients were last looked for, by their sessions: their hooks are on the way of every tool call */
  // process-local: processes of this machine
  readonly #clients = new Map<string, { readonly pid: number; readonly at: number }>();

  /** Remembers who opened a connection. At once: whoever hands it on and ends is not there any more later. */
  noteConnection(socket: Socket): void {
    if (isTcp(socket)) return;
    const pid = nativeCalls()?.peerPid(socket);
    // 0 is a process of another namespace, where no agent of ours can be.
    if (pid === undefined || pid === 0) this.#opened.set(socket, 'unknown');
    else {
      const family = chainOf(pid);
      this.#opened.set(socket, { family, stray: this.#strayOwner(family) });
    }
  }

  /** Whoever holds a run: it goes on speaking for its person, and what it starts is the agent. */
  addRun(session: string, socket: Socket): void {
    const [holder] = this.#familyOf(socket);
    if (holder !== undefined)
      this.#add({ ...holder, of: { kind: 'session', id: session }, includesItself: false });
  }

  /** The client whose hook speaks: the nearest program above the hook that is no shell around it. */
  addClientOf(session: string, socket: Socket): void {
    const now = performance.now();
    const known = this.#clients.get(session);
    if (known !== undefined && now - known.at < LOOK_EVERY_MS && this.#isAlive(known.pid)) return;
    const [, ...above] = this.#familyOf(socket);
    const client = above.find(({ pid }) => !isShellAround(pid));
    // SECURITY: an agent that has no parent any more must not make everyone's parent its own.
    if (client === undefined || isShell(client.pid) || isAboveUs(client)) return;
    if (this.#clients.size >= MOST_ROOTS) this.#clients.clear();
    this.#clients.set(session, { pid: client.pid, at: now });
    this.#add({ ...client, of: { kind: 'session', id: session }, includesItself: true });
  }

  /** A program that opened a session for itself. */
  addProgram(session: string, socket: Socket): void {
    const [program] = this.#familyOf(socket);
    if (program === undefined || isAboveUs(program)) return;
    this.#add({ ...program, of: { kind: 'session', id: session }, includesItself: true });
  }

  /** A server of tools that the gateway started. */
  addServer(name: string, pid: number): void {
    const server = readProcess(pid);
    if (server !== undefined) this.#add({ ...server, of: { kind: 'server', name }, includesItself: true });
  }

  /** Which agent a connection comes from; undefined when from none, or when that cannot be told. */
  peerOf(socket: Socket): AgentPeer | undefined {
    this.#forgetEnded();
    if (!this.#hasSeen) return undefined;
    if (isTcp(socket)) return this.#tcpPeer(socket);
    const opened = this.#opened.get(socket);
    if (opened === undefined || opened === 'unknown') return undefined;
    if (opened.family.length > 0) return this.#ownerOf(opened.family) ?? opened.stray;
    return this.#roots.size === 0 ? undefined : { kind: 'gone' };
  }

  #add(root: Root): void {
    this.#forgetEnded();
    this.#hasSeen = true;
    this.#roots.delete(root.pid);
    this.#roots.set(root.pid, root);
    const [oldest] = this.#roots.keys();
    if (this.#roots.size > MOST_ROOTS && oldest !== undefined) this.#roots.delete(oldest);
  }

  #forgetEnded(): void {
    for (const pid of this.#roots.keys()) if (!this.#isAlive(pid)) this.#roots.delete(pid);
  }

  #isAlive(pid: number): boolean {
    const root = this.#roots.get(pid);
    return root !== undefined && readProcess(pid)?.began === root.began;
  }

  #familyOf(socket: Socket): readonly ProcessEntry[] {
    const opened = this.#opened.get(socket);
    if (opened !== undefined) return opened === 'unknown' ? [] : opened.family;
    const end = tcpEnd(socket);
    const pid = end.kind === 'open' ? holderOf(end.inode) : undefined;
    return pid === undefined ? [] : chainOf(pid);
  }

  /** The first of a family that is an agent's. */
  #ownerOf(family: readonly ProcessEntry[]): AgentPeer | undefined {
    for (const [index, { pid, began }] of family.entries()) {
      const root = this.#roots.get(pid);
      if (root?.began === began && (index > 0 || root.includesItself)) return root.of;
    }
    return undefined;
  }

  /** Whose a family is that descends from no agent any more, as far as can be told. */
  #strayOwner(family: readonly ProcessEntry[]): AgentPeer | undefined {
    if (!this.#hasSeen || this.#ownerOf(family) !== undefined) return undefined;
    const variable = markOf(family);
    if (variable !== undefined) return { kind: 'marked', variable };
    for (const root of this.#roots.values())
      if (root.of.kind === 'session' && root.includesItself && mayBeLeftBy(root, family)) return root.of;
    return undefined;
  }

  /**
   * Nobody tells who opened a TCP connection, but who holds it now can be found: looked for among the agents' own.
   *
   * SECURITY: one of them that does not let itself be looked at has it, unless somebody else is seen to have it. A
   * connection that nobody holds any more may have been anybody's, so an agent's.
   */
  #tcpPeer(socket: Socket): AgentPeer | undefined {
    const end = tcpEnd(socket);
    if (end.kind === 'elsewhere') return undefined;
    if (end.kind === 'gone') return this.#roots.size === 0 ? undefined : { kind: 'gone' };
    const { inode } = end;
    const all = new Map(allProcesses().map((entry) => [entry.pid, entry]));
    let hidden: AgentPeer | undefined;
    for (const { pid } of all.values()) {
      const owner = this.#ownerOf(familyIn(all, pid));
      if (owner === undefined) continue;
      const holds = holdsSocket(pid, inode);
      if (holds === true) return owner;
      if (holds === undefined) hidden = owner;
    }
    const holder = holderOf(inode);
    if (holder !== undefined) return this.#strayOwner(chainOf(holder));
    return this.#roots.size === 0 ? undefined : (hidden ?? { kind: 'gone' });
  }
}

/** SECURITY: a connection that was reset has no other end any more, but it still has its own. */
function isTcp({ remoteAddress, localAddress }: Socket): boolean {
  return remoteAddress !== undefined || localAddress !== undefined;
}

function familyIn(all: ReadonlyMap<number, ProcessEntry>, pid: number): readonly ProcessEntry[] {
  const family: ProcessEntry[] = [];
  for (let next = all.get(pid); next !== undefined && !family.includes(next); next = all.get(next.parent))
    family.push(next);
  return family;
}

function isShell(pid: number): boolean {
  const [program = ''] = argumentsOf(pid);
  return SHELLS.has(basename(program).replace(/^-/, ''));
}

/** `sh -c …`, as clients start their hooks; not a shell that somebody types in. */
function isShellAround(pid: number): boolean {
  return isShell(pid) && argumentsOf(pid).some((word) => /^-[a-z]*c$/.test(word));
}

/** The gateway itself, or what it was started by: a terminal, the first process of a session or of the machine. */
function isAboveUs({ pid }: ProcessId): boolean {
  return chainOf(process.pid).some((entry) => entry.pid === pid);
}
