import { ERRORS, type ListenerUrls, type Ports, type Status } from '@sallyport/protocol';
import type { Trail, TrailHealth } from '../audit/index.ts';
import type { ConfigInForce } from '../ground/index.ts';
import type { Clock } from '../shared/clock.ts';
import type { Store } from '../store/index.ts';
import { serversWithoutJail } from './doctor-checks.ts';

export interface StatusParts {
  readonly version: string;
  readonly home: string;
  readonly ports: Ports;
  readonly urls: ListenerUrls;
  readonly startedAt: number;
  readonly clock: Clock;
  readonly store: Store;
  readonly config: ConfigInForce;
  readonly trail: Trail;
}

/** What `GET /v1/status` answers. */
export async function gatewayStatus(parts: StatusParts): Promise<Status> {
  const { version, home, ports, urls, startedAt, clock, store, config, trail } = parts;
  return {
    version,
    pid: process.pid,
    started_at: new Date(startedAt).toISOString(),
    uptime_seconds: Math.max(0, Math.floor((clock.now() - startedAt) / 1000)),
    home,
    ports,
    urls,
    store: { engine: store.engine, location: store.location },
    config: config.state(),
    refusing_writes: refusing(trail.health),
    // The answer must come through above all when the store is what is broken.
    sessions_live: await countLiveSessions(store, clock.now()).catch(() => null),
    servers_without_jail: [...serversWithoutJail(config.config)],
    trail: await trailHeads(trail, Object.keys(config.config.tenants)).catch(() => []),
  };
}

function refusing({ lost, problem }: TrailHealth): Status['refusing_writes'] {
  if (lost !== undefined) return { message: lost.message, hint: lost.hint };
  return problem === undefined ? null : { message: problem, hint: ERRORS.AuditUnavailable.hint };
}

export async function countLiveSessions(store: Store, now: number): Promise<number> {
  const { live } = await store.db
    .selectFrom('sessions')
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .select((eb) => eb.fn.countAll<number>().as('live'))
    .executeTakeFirstOrThrow();
  return Number(live);
}

/** The last event of each tenant's chain; a tenant without events is left out. */
export async function trailHeads(trail: Trail, tenants: readonly string[]): Promise<Status['trail']> {
  const pages = await Promise.all(tenants.map((tenant) => trail.read({ tenant, limit: 1 })));
  return pages.flatMap(({ items }) => items.map(({ tenant, seq, hash }) => ({ tenant, seq, hash })));
}
