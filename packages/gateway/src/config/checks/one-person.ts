import { identityKey } from '../sections/channels.ts';
import type { Config } from '../sections/schema.ts';
import type { ConfigProblem } from './config-check.ts';

/**
 * An identity on a channel belongs to one user of a tenant: an answer from there must name one person.
 */
export function checkOnePerson(config: Config): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const [tenantName, tenant] of Object.entries(config.tenants)) {
    const owners = new Map<string, string>();
    for (const [user, { identities }] of Object.entries(tenant.users)) {
      for (const [channel, id] of Object.entries(identities)) {
        const key = `${channel}\0${identityKey(channel, id)}`;
        const owner = owners.get(key);
        if (owner === undefined) {
          owners.set(key, user);
          continue;
        }
        problems.push({
          severity: 'error',
          path: ['tenants', tenantName, 'users', user, 'identities', channel],
          message: `this \`${channel}\` identity belongs to user \`${owner}\` already`,
          hint: 'an identity belongs to one user of a tenant',
        });
      }
    }
  }
  return problems;
}
