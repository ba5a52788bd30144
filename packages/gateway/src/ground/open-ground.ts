import { type Logger, openTrail, type Redactor, type Trail } from '../audit/index.ts';
import type { Config, HomeLock, HomePaths } from '../config/index.ts';
import { type Coordination, MemoryCoordination, openCoordination } from '../coordination/index.ts';
import {
  AgentProcesses,
  ApiKeys,
  EnrollmentSecrets,
  type Sessions,
  startSessions,
  type TenantOf,
  type TenantPolicy,
  tenantPolicyOf,
} from '../identity/index.ts';
import type { Clock } from '../shared/clock.ts';
import { durationMs } from '../shared/duration.ts';
import type { FileProblem } from '../shared/held-file.ts';
import { openStore, type Store, type StoreNeeds, storeNeeds } from '../store/index.ts';
import { Snapshots } from '../workspace/index.ts';
import { AuditOutlets, type OutletContext } from './audit-outlets.ts';
import type { ConfigInForce } from './config-in-force.ts';
import { SYSTEM_TENANT } from './seed-identity.ts';

/** The ground floor, open: what every door builds on. */
export interface GroundServices {
  readonly store: Store;
  /** what all gateways of this store know together */
  readonly coordination: Coordination;
  /** of the same form, but of this process alone; the same one where it is alone with its store */
  readonly ownState: Coordination;
  readonly trail: Trail;
  readonly sessions: Sessions;
  readonly keys: ApiKeys;
  readonly enrollment: EnrollmentSecrets;
  readonly agentProcesses: AgentProcesses;
  /** what undo goes back to */
  readonly snapshots: Snapshots;
}

export interface GroundOptions {
  readonly paths: HomePaths;
  readonly config: ConfigInForce;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly log: Logger;
  readonly outlets: OutletContext;
  readonly lock: HomeLock;
  /** closes what was opened, in reverse, also when a later step fails */
  readonly onClose: (close: () => Promise<void>) => void;
}

/** Opens store, trail and identity, in this order. */
export async function openGround(options: GroundOptions): Promise<GroundServices> {
  const { paths, config, clock, redactor, log, onClose } = options;
  const { url } = config.config.store;
  const store = await openStore(url === undefined ? { sqliteFile: paths.database } : { url });
  onClose(() => store.close());
  const onProblem = (error: unknown): void =>
    log.warn({ err: error }, 'what gateways share is out of reach, or somebody who waits for it failed');
  const coordination = await openCoordination({ store, url, clock, onProblem });
  onClose(() => coordination.close());

  const outlets = new AuditOutlets(() => config.config.audit, options.outlets);
  const trail = await openTrail({
    ...(await outlets.first()),
    store,
    signingKeyFile: paths.auditKey,
    journalFile: paths.auditJournal,
    redactor,
    clock,
    systemTenant: SYSTEM_TENANT,
    alsoHeld: () => options.lock.problem(),
    onLost: ({ message, hint }: FileProblem) => log.error({ hint }, `writes are refused: ${message}`),
  });
  onClose(() => trail.close());
  outlets.attach(trail);
  config.follow(outlets);

  const sessions = await startSessions({
    store,
    coordination,
    audit: trail,
    clock,
    tenantOf: tenantPolicies(() => config.config),
    limits: () => {
      const { ttl, max_live: maxLive } = config.config.sessions;
      return { ttlMs: durationMs(ttl), maxLive };
    },
    systemTenant: SYSTEM_TENANT,
    onSweepFailed: (error) => log.error({ err: error }, 'expired sessions could not be swept'),
  });
  onClose(() => sessions.close());

  const snapshots = new Snapshots({
    ...{ home: paths.home, trail, systemTenant: SYSTEM_TENANT },
    config: () => config.config.workspace.snapshot,
    onSessionEnded: (session, listener) => void sessions.onEnded(session, listener),
    onFailed: (error) => log.error({ err: error }, 'something about snapshots could not be done or recorded'),
  });
  onClose(async () => snapshots.close());

  return {
    store,
    coordination,
    ownState: url === undefined ? coordination : new MemoryCoordination(clock, onProblem),
    trail,
    sessions,
    keys: new ApiKeys(store, trail, clock),
    enrollment: new EnrollmentSecrets(store, trail, clock),
    agentProcesses: new AgentProcesses(),
    snapshots,
  };
}

/** What stands between the database of a home and this version; undefined when it has none. */
export function databaseNeeds(paths: HomePaths): StoreNeeds | undefined {
  return storeNeeds(paths.database);
}

const cache = new WeakMap<Config, ReadonlyMap<string, TenantPolicy>>();

/** What identity asks about tenants, answered from the config of the moment. */
export function tenantPolicies(config: () => Config): TenantOf {
  return (tenant) => policiesOf(config()).get(tenant);
}

/** One object for each tenant and config: what identity compiles from it is kept with it. */
function policiesOf(config: Config): ReadonlyMap<string, TenantPolicy> {
  const known = cache.get(config);
  if (known !== undefined) return known;
  const policies = new Map(
    Object.entries(config.tenants).map(([name, tenant]) => [name, tenantPolicyOf(config, tenant)]),
  );
  cache.set(config, policies);
  return policies;
}
