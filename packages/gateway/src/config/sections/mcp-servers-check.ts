import { didYouMean } from '../../shared/suggest.ts';
import type { ConfigProblem } from '../config-check.ts';
import type { Config } from '../schema.ts';

/** The tenant that is always there. */
const SYSTEM = 'default';

/** Every tenant that a server is for exists: a typo would take its tools from everyone. */
export function checkMcpServers(config: Config): readonly ConfigProblem[] {
  const known = new Set([SYSTEM, ...Object.keys(config.tenants)]);
  return config.mcp_servers.flatMap(({ tenants }, server) =>
    tenants.flatMap((tenant, index): readonly ConfigProblem[] => {
      if (known.has(tenant)) return [];
      const hint = didYouMean(tenant, known);
      return [
        {
          severity: 'error',
          path: ['mcp_servers', server, 'tenants', index],
          message: `there is no tenant \`${tenant}\``,
          ...(hint === undefined ? {} : { hint }),
        },
      ];
    }),
  );
}
