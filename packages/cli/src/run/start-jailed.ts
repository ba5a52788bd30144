import {
  closeInherited,
  createJailGroup,
  lookAtHost,
  prepareJail,
  signalJail,
  spawnJail,
} from '@sallyport/gateway/jail';
import { jailSpecFor, type RunPlace } from './jail-spec.ts';
import type { RunFlags } from './run-flags.ts';
import type { AgentStarter } from './started-agent.ts';

/**
 * Makes what a jail needs of this machine, while the gateway opens the session. `start` throws `SandboxRefused`,
 * `SandboxUnavailable` or `ToolMissing`.
 */
export function readyJailed(flags: RunFlags, place: RunPlace): AgentStarter {
  closeInherited();
  lookAtHost();
  const limits = {};
  const group = createJailGroup(limits);
  return {
    async start(started, client) {
      const spec = { ...(await jailSpecFor(flags, started, client, place)), limits };
      const child = spawnJail(prepareJail(spec, group), ['inherit', 'inherit', 'inherit']);
      return { child, signal: (signal) => signalJail(child, signal) };
    },
    clean: () => group.remove(),
  };
}
