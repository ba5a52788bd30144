import { didYouMean } from '../../shared/suggest.ts';
import type { Config } from '../sections/schema.ts';
import type { ConfigPath, ConfigProblem } from './config-check.ts';

/** Every route names a credential that exists: one that does not would refuse whatever it matches. */
export function checkRoutes(config: Config): readonly ConfigProblem[] {
  const everywhere = new Set(
    Object.values(config.tenants).flatMap(({ credentials }) => Object.keys(credentials)),
  );
  return [
    ...check(config.routes, ['routes'], everywhere),
    ...Object.entries(config.tenants).flatMap(([name, { routes, credentials }]) =>
      check(routes, ['tenants', name, 'routes'], new Set(Object.keys(credentials))),
    ),
  ];
}

function check(
  routes: Config['routes'],
  at: ConfigPath,
  known: ReadonlySet<string>,
): readonly ConfigProblem[] {
  return routes.flatMap(({ credential }, index) => {
    if (known.has(credential)) return [];
    const hint =
      didYouMean(credential, [...known]) ?? 'credentials are listed under `tenants.<name>.credentials`';
    return [
      {
        severity: 'error' as const,
        path: [...at, index, 'credential'],
        message: `there is no credential \`${credential}\``,
        hint,
      },
    ];
  });
}
