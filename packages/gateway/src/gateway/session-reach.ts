import type { Broker } from '../credentials/index.ts';
import type { Sessions } from '../identity/index.ts';

/**
 * Hosts that an asker could write to with a credential: those that its session's credentials may go to. A credential
 * that the config no longer has goes nowhere.
 *
 * SECURITY: a channel on one of these hosts takes no answer to what the session asks [AP-3].
 */
export async function reachOfSession(
  tenant: string,
  session: string | undefined,
  sessions: Pick<Sessions, 'get'>,
  credentials: Pick<Broker, 'facts'>,
): Promise<readonly string[]> {
  if (session === undefined) return [];
  const names = (await sessions.get(tenant, session)).credentials;
  return names.flatMap((name) => credentials.facts(tenant, name)?.hosts ?? []);
}
