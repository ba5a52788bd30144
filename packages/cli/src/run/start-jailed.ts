import { createJailGroup, prepareJail, signalJail, spawnJail } from '@sallyport/gateway/jail';
import type { StartedRun } from '@sallyport/protocol';
import { jailSpecFor, type RunPlace } from './jail-spec.ts';
import type { RunFlags } from './run-flags.ts';
import type { StartedAgent } from './started-agent.ts';

/** Starts the agent in its jail. Throws `SandboxRefused`, `SandboxUnavailable` or `ToolMissing`. */
export async function startJailed(
  flags: RunFlags,
  started: StartedRun,
  client: string | undefined,
  place: RunPlace,
): Promise<StartedAgent> {
  const spec = await jailSpecFor(flags, started, client, place);
  const group = createJailGroup(spec.limits);
  try {
    const child = spawnJail(prepareJail(spec, group), ['inherit', 'inherit', 'inherit']);
    return { child, signal: (signal) => signalJail(child, signal), clean: () => group.remove() };
  } catch (error) {
    await group.remove();
    throw error;
  }
}
