import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

/** How long an agent may take to end by itself once it was told to, in ms */
const GRACE_MS = 3_000;
const PASSED_ON = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;
/** The terminal sends these to the agent itself; whoever started it waits for what it makes of them. */
const LEFT_TO_THE_AGENT = ['SIGINT', 'SIGQUIT'] as const;

export interface Supervised {
  readonly exitCode: number;
  /** why the run was cut short; undefined when the agent ended by itself */
  readonly cut: string | undefined;
}

/**
 * Waits for the agent. Signals reach it as if it had been started directly; one that does not heed them is killed.
 *
 * `over` ends it at once: without its session an agent has no way out, and is not left behind.
 */
export async function supervise(
  child: ChildProcess,
  options: {
    readonly isDetached: boolean;
    /** the agent is a jail's grandchild: a signal has to be handed in */
    readonly isJailed: boolean;
    readonly over: Promise<string>;
  },
): Promise<Supervised> {
  const { pid } = child;
  const exited = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
  if (pid === undefined) return { exitCode: await exited, cut: undefined };

  let timer: NodeJS.Timeout | undefined;
  const kill = (): void => send(options.isDetached ? -pid : pid, 'SIGKILL');
  const pass = (signal: NodeJS.Signals): void => {
    send((options.isJailed ? insideOf(pid) : undefined) ?? pid, signal);
    if (signal === 'SIGTERM' || signal === 'SIGHUP') timer ??= setTimeout(kill, GRACE_MS);
  };
  const handlers = [
    ...LEFT_TO_THE_AGENT.map((signal) => [signal, options.isDetached ? pass : ignore] as const),
    ...PASSED_ON.map((signal) => [signal, pass] as const),
  ];
  for (const [signal, handler] of handlers) process.on(signal, handler);
  let cut: string | undefined;
  void options.over.then((reason) => {
    cut = reason;
    kill();
  });
  try {
    return { exitCode: await exited, cut };
  } finally {
    clearTimeout(timer);
    for (const [signal, handler] of handlers) process.off(signal, handler);
    // Whatever half-started or lingers in the group goes too [JA-6].
    if (options.isDetached) send(-pid, 'SIGKILL');
  }
}

function ignore(): void {}

/**
 * The first process inside the jail: the one that hands signals to the agent. bwrap itself would die of them and take
 * the agent along without a word. Undefined while the jail is being built.
 */
function insideOf(pid: number): number | undefined {
  let place = pid;
  for (let depth = 0; depth < 6; depth += 1) {
    const [next] = childrenOf(place);
    if (next === undefined) return undefined;
    place = next;
    const inner = namespaceIds(place);
    // 1 is bwrap's own reaper; its first child is ours.
    if (inner.length > 1 && inner.at(-1) !== 1) return place;
  }
  return undefined;
}

function childrenOf(pid: number): readonly number[] {
  const text = read(`/proc/${pid}/task/${pid}/children`);
  return text.split(' ').filter(Boolean).map(Number);
}

/** Its ids from our namespace inwards. */
function namespaceIds(pid: number): readonly number[] {
  const line = /^NSpid:\s+(.*)$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? '';
  return line.split(/\s+/).filter(Boolean).map(Number);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}
