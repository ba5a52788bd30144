import { relative } from 'node:path';
import { BACKENDS } from '@sallyport/gateway/sandbox';
import { visibleLine } from '../output.ts';
import { agentSandbox, type RunPlace, sandboxHost } from './agent-sandbox.ts';
import type { RunFlags } from './run-flags.ts';
import type { AgentStarter } from './supervise.ts';

/**
 * Makes what a jail needs of this machine, while the gateway opens the session. `start` throws `SandboxRefused`,
 * `SandboxUnavailable` or `ToolMissing`.
 */
export function readyJailed(flags: RunFlags, place: RunPlace, note: (text: string) => void): AgentStarter {
  const { isTerminal } = place;
  const sandbox = BACKENDS.bubblewrap.readyAgent(sandboxHost(place));
  return {
    async start(started, client) {
      const { spec, command } = await agentSandbox(flags, started, client, place);
      const { masked, ...agent } = sandbox.start(spec, { command, isTerminal });
      // Only there: without a terminal the output is the agent's own.
      if (isTerminal && masked.length > 0) note(describeMasked(masked, spec.workspace));
      return agent;
    },
    clean: () => sandbox.clean(),
    settle: () => sandbox.settle(),
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
