import type { DoorDefinition } from '../../servers/index.ts';
import { HookDoor } from './hook-door.ts';
import { hookRoutes } from './routes.ts';

/** Clients that run their tools themselves ask here before each; nothing is carried out. */
export const hookDoor = {
  name: 'hook',
  targets: ['command', 'path', 'http', 'address', 'mcp', 'plain'],
  open(services) {
    const { gate, builderFor, tools, coordination, version, stopping, log, agentProcesses } = services;
    const hooks = new HookDoor({
      ...{ gate, builderFor, coordination, version, stopping },
      toolsReady: () => tools.open(),
      onProblem: (error) => log.error({ err: error }, 'a hook could not be answered'),
    });
    return { agentRoutes: (app) => hookRoutes(app, { hooks, agentProcesses }) };
  },
} as const satisfies DoorDefinition<'hook'>;
