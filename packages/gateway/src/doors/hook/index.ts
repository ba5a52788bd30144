import type { DoorDefinition } from '../../servers/index.ts';
import { accessRoute } from './access-route.ts';
import { HookDoor } from './hook-door.ts';
import { hookRoutes } from './routes.ts';

/** Clients that run their tools themselves ask here before each; nothing is carried out. */
export const hookDoor = {
  name: 'hook',
  targets: ['command', 'path', 'http', 'address', 'mcp', 'plain'],
  open(services) {
    const { gate, trail, builderFor, tools, coordination, version, stopping, log, agentProcesses } = services;
    const hooks = new HookDoor({
      ...{ gate, trail, builderFor, coordination, version, stopping },
      toolsReady: () => tools.open(),
      onProblem: (error, what) => log.error({ err: error }, what),
    });
    return {
      agentRoutes(app) {
        hookRoutes(app, { hooks, agentProcesses });
        accessRoute(app, async () => (await tools.open()).access);
      },
    };
  },
} as const satisfies DoorDefinition<'hook'>;
