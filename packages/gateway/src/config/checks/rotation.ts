import type { Config, TenantConfig } from '../sections/schema.ts';
import type { ConfigProblem } from './config-check.ts';

/**
 * A refresh token that its provider replaces at each use has a source that the new one can be stored to.
 *
 * Found out when it happens, it would be too late: the old one is worthless by then, and the new one lost.
 */
export function checkRotation(config: Config): readonly ConfigProblem[] {
  return Object.entries(config.tenants).flatMap(([tenant, settings]) =>
    Object.entries(settings.credentials).flatMap(([name, credential]): ConfigProblem[] => {
      if (credential.kind !== 'oauth2' || !credential.rotates) return [];
      const scheme = credential.source.split(':', 1)[0] ?? '';
      if (canStore(scheme, settings)) return [];
      return [
        {
          severity: 'error',
          path: ['tenants', tenant, 'credentials', name, 'source'],
          message: `a refresh token that is replaced at each use cannot be stored back to \`${scheme}:\``,
          hint: 'keep it in a file or in Vault, give the source a `write` command, or say `rotates: false` if the provider never replaces it',
        },
      ];
    }),
  );
}

function canStore(scheme: string, { sources }: TenantConfig): boolean {
  const own = Object.hasOwn(sources, scheme) ? sources[scheme] : undefined;
  if (own !== undefined) return own.write !== undefined || own.vault !== undefined;
  return scheme === 'file' || scheme === 'vault';
}
