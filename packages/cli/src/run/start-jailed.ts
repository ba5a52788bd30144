import type { ChildProcess } from 'node:child_process';
import { prepareJail, spawnJail } from '@sallyport/gateway/jail';
import type { StartedRun } from '@sallyport/protocol';
import { jailSpecFor, type RunPlace } from './jail-spec.ts';
import type { RunFlags } from './run-flags.ts';

/** A process that the run is about. */
export interface StartedAgent {
  readonly child: ChildProcess;
  /** it leads a process group of its own */
  readonly isDetached: boolean;
}

/** Starts the agent in its jail. Throws `SandboxRefused`, `SandboxUnavailable` or `ToolMissing`. */
export async function startJailed(
  flags: RunFlags,
  started: StartedRun,
  client: string | undefined,
  place: RunPlace,
): Promise<StartedAgent> {
  const launch = prepareJail(await jailSpecFor(flags, started, client, place));
  return { child: spawnJail(launch, ['inherit', 'inherit', 'inherit']), isDetached: launch.detached };
}
