import { SallyportError } from '@sallyport/protocol';
import type { Config, TenantConfig } from '../config/index.ts';

/** The tenant's config. Throws `NotFound` for a name that the config does not have. */
export function knownTenant(config: Config, name: string): TenantConfig {
  const tenant = Object.hasOwn(config.tenants, name) ? config.tenants[name] : undefined;
  if (tenant !== undefined) return tenant;
  throw new SallyportError('NotFound', {
    message: `there is no tenant \`${name}\``,
    hint: 'tenants are listed under `tenants` in the config',
  });
}
