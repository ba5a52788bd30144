import { join } from 'node:path';
import { findAgent } from '../../config/index.ts';
import type { AgentServices, DoorDefinition } from '../../servers/index.ts';
import { lazily } from '../../shared/one-at-a-time.ts';
import type { Seal } from './open-seal.ts';
import { sealRoutes, sealWorkloadRoutes } from './routes.ts';

/** Signed envelopes of attested workers. Loaded with the first worker: most starts have none. */
export const sealDoor = {
  name: 'seal',
  targets: ['command', 'path', 'http', 'address', 'mcp', 'plain'],
  open(services) {
    const seal = lazily(() => load(services));
    return {
      agentRoutes: (app) => sealRoutes(app, seal),
      operatorRoutes: (app) => sealWorkloadRoutes(app, seal),
    };
  },
} as const satisfies DoorDefinition<'seal'>;

async function load(services: AgentServices): Promise<Seal> {
  const { trail, sessions, coordination, clock, config, paths, systemTenant } = services;
  const [{ calls, commands }, { openSeal }] = await Promise.all([
    services.tools.open(),
    import('./open-seal.ts'),
  ]);
  return openSeal({
    ...{ trail, sessions, coordination, calls, commands, clock, systemTenant },
    boot: services.startedAt,
    repository: services.sealWorkloads,
    keyFile: join(paths.home, 'seal.key'),
    scopeOf: (tenant, agent) => findAgent(config.config, tenant, agent)?.security_context,
  });
}
