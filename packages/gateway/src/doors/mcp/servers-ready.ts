import type { ServerHouse } from './door-parts.ts';

const AT_MOST_MS = 10_000;

/** Resolves once no server of the tenant (or not the named one) is on its first start, or after ten seconds. */
export async function serversReady(
  servers: Pick<ServerHouse, 'ofTenant' | 'onChange'>,
  tenant: string,
  name: string | undefined,
): Promise<void> {
  const isStarting = (): boolean =>
    servers
      .ofTenant(tenant)
      .some((server) => (name === undefined || server.name === name) && server.status === 'Starting');
  if (!isStarting()) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(done, AT_MOST_MS);
    const stop = servers.onChange(() => {
      if (!isStarting()) done();
    });
  });
}
