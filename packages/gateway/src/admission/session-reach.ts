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

/**
 * Hosts that an asker could write to when nobody knows who it is: those of every credential.
 *
 * SECURITY: an agent with a mailbox could ask without its session, and answer by mail [AP-3].
 */
export function reachOfAnybody(
  tenants: Readonly<Record<string, { readonly credentials: Readonly<Record<string, unknown>> }>>,
  credentials: Pick<Broker, 'facts'>,
): readonly string[] {
  return Object.entries(tenants).flatMap(([tenant, own]) =>
    Object.keys(own.credentials).flatMap((name) => credentials.facts(tenant, name)?.hosts ?? []),
  );
}
