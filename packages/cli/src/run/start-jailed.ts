import { relative } from 'node:path';
import {
  closeInherited,
  createJailGroup,
  lookAtHost,
  prepareJail,
  signalJail,
  spawnJail,
  waitForStop,
} from '@sallyport/gateway/jail';
import { visibleLine } from '../approvals/visible.ts';
import { jailSpecFor, type RunPlace } from './jail-spec.ts';
import type { RunFlags } from './run-flags.ts';
import type { AgentStarter } from './started-agent.ts';

/**
 * Makes what a jail needs of this machine, while the gateway opens the session. `start` throws `SandboxRefused`,
 * `SandboxUnavailable` or `ToolMissing`.
 */
export function readyJailed(flags: RunFlags, place: RunPlace, note: (text: string) => void): AgentStarter {
  closeInherited();
  lookAtHost();
  const limits = {};
  const group = createJailGroup(limits);
  return {
    async start(started, client) {
      const spec = { ...(await jailSpecFor(flags, started, client, place)), limits };
      const launch = prepareJail(spec, group);
      // Only there: without a terminal the output is the agent's own.
      const { masked = [] } = launch;
      if (place.isTerminal && masked.length > 0) note(describeMasked(masked, spec.workspace));
      const child = spawnJail(launch, ['inherit', 'inherit', 'inherit']);
      const signal = (name: NodeJS.Signals): void => signalJail(child, name);
      // With a terminal, and where it is a job of its own.
      const isJob = place.isTerminal && process.platform === 'linux';
      return { child, signal, ...(isJob ? { whenStopped: () => waitForStop(child) } : {}) };
    },
    clean: () => group.remove(),
  };
}

const MOST_NAMED = 3;

/** What an agent, or its tests, would miss and not know why. */
function describeMasked(masked: readonly string[], workspace: string): string {
  const names = masked.slice(0, MOST_NAMED).map((path) => relative(workspace, path));
  const more = masked.length - names.length;
  const list = `${names.map(visibleLine).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `sallyport: read as empty inside: ${list}; \`--show PATH\` shows what is no secret`;
}
