import type { ApiClient } from '../../identity/index.ts';
import type { Page, PageRequest } from '../../store/index.ts';
import type { Grant } from './grant.ts';
import type { Grants } from './grants.ts';

/** Permanent allows of API clients: each sees and ends its own, and makes none itself. */
export interface ClientRules {
  /** newest first, ended ones too */
  list(client: ApiClient, page?: PageRequest): Promise<Page<Grant>>;
  /** Ends one of the client's own. False when it has none of that id, whoever else may. */
  revoke(client: ApiClient, id: string): Promise<boolean>;
}

export function createClientRules(grants: Pick<Grants, 'list' | 'find' | 'revoke'>): ClientRules {
  return {
    list: ({ tenant, client_id: client }, page) =>
      grants.list({ tenant, client, scope: 'always', ended: true }, page),
    async revoke({ tenant, client_id: client }, id) {
      const rule = await findRule(grants, id);
      // SECURITY: a client ends its own rules only, and learns nothing of others [ID-4].
      if (rule === undefined || rule.tenant !== tenant || rule.client !== client) return false;
      await grants.revoke(rule.id, { kind: 'client', client }, tenant);
      return true;
    },
  };
}

/** A permanent allow by its id; other grants are none. */
export async function findRule(grants: Pick<Grants, 'find'>, id: string): Promise<Grant | undefined> {
  return id.startsWith('rule_') ? grants.find(id) : undefined;
}
