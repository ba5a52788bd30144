import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { TakenBack } from '@sallyport/gateway/sandbox';
import type { StartedRun } from '@sallyport/protocol';

/** How long an agent may take to end by itself once it was told to, in ms */
const GRACE_MS = 3_000;
const ENDING: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP'];
const OTHERS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];

export interface Supervised {
  readonly exitCode: number;
  /** why the run was cut short; undefined when the agent ended by itself */
  readonly cut: string | undefined;
}

/**
 * Waits for the agent. Signals reach it as if it had been started directly; one that does not end when it is told to
 * is killed, and so is one whose run is `over`: without its session it has no way out, and is not left behind. When it
 * is stopped (Ctrl-Z), so is this process, once `beforeStop` is done.
 */
export async function supervise(
  agent: StartedAgent,
  over: Promise<string>,
  beforeStop: () => Promise<void>,
): Promise<Supervised> {
  const { child, signal: send } = agent;
  const exited = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, by) => resolve(code ?? 128 + (by === null ? 0 : constants.signals[by])));
  });
  let timer: NodeJS.Timeout | undefined;
  const kill = (): void => send('SIGKILL');
  const pass = (signal: NodeJS.Signals): void => {
    send(signal);
    if (ENDING.includes(signal)) timer ??= setTimeout(kill, GRACE_MS);
  };
  const signals = [...ENDING, ...OTHERS];
  for (const signal of signals) process.on(signal, pass);
  const stop = (): void =>
    void Promise.all([agent.whenStopped?.(), beforeStop()]).finally(() => process.kill(0, 'SIGSTOP'));
  if (agent.whenStopped !== undefined) process.on('SIGTSTP', stop);
  let cut: string | undefined;
  void over.then((reason) => {
    cut = reason;
    kill();
  });
  try {
    const exitCode = await exited;
    return { exitCode, cut };
  } finally {
    clearTimeout(timer);
    for (const signal of signals) process.off(signal, pass);
    process.off('SIGTSTP', stop);
  }
}

/** A process that a run is about. */
export interface StartedAgent {
  readonly child: ChildProcess;
  /** Sends it a signal, wherever it is; `SIGKILL` ends everything of it. Nothing happens once it is gone. */
  readonly signal: (signal: NodeJS.Signals) => void;
  /** with this, `SIGTSTP` says that it was stopped; resolves once all of it is */
  readonly whenStopped?: () => Promise<void>;
}

/** Made before the session is there; starts at most one agent. */
export interface AgentStarter {
  readonly start: (started: StartedRun, client: string | undefined) => Promise<StartedAgent>;
  /** Takes away what was made: after the agent's end, or when there is none. Never rejects. */
  readonly clean: () => Promise<void>;
  /** After the agent's end: what it had planted where it would run later, and was put back. */
  readonly settle?: () => Promise<readonly TakenBack[]>;
}
