import { join } from 'node:path';
import type { Action, Actor } from '@sallyport/protocol';
import { FakeClock, tempDir, waitUntil } from '@sallyport/testkit';
import { type Channel, type OpenApprovals, openApprovals } from '../../src/approvals/index.ts';
import { openTrail, Redactor, type Trail } from '../../src/audit/index.ts';
import { MemoryCoordination, openCoordination } from '../../src/coordination/index.ts';
import { load, MACHINE, OPTIONS } from '../../src/gate/gate.fixture.ts';
import {
  createStandingAnswers,
  Gate,
  type GateParts,
  Grants,
  PolicySet,
  RateCounters,
} from '../../src/gate/index.ts';
import { ApiKeys } from '../../src/identity/index.ts';
import { GrantsRepository, openStore, type Store } from '../../src/store/index.ts';

export interface ApprovalsFixtureOptions {
  readonly config?: object;
  readonly channels?: readonly Channel[];
  /** where an earlier fixture left its files: a restart */
  readonly home?: string;
  /** a Postgres that several share; a SQLite of its own unless given */
  readonly url?: string;
  /** `gateway-1` unless given */
  readonly owner?: string;
  readonly parts?: Partial<GateParts>;
  readonly reachOf?: (actor: Actor) => readonly string[] | 'unknown';
  readonly delay?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly clock?: FakeClock;
  readonly sweepMs?: number;
  readonly gatherMs?: number;
  readonly trail?: (trail: Trail) => Pick<Trail, 'append' | 'note'>;
}

export const CONFIG = {
  agents: { dev: { permissions: ['deny:Bash(rm *)', 'allow:*'] } },
  roles: {
    owner: { allow: ['agent:*', 'tool:*', 'approve:*'] },
    lead: { allow: ['approve:*'] },
    coder: { allow: ['agent:*', 'tool:*', 'approve:vcs'] },
    viewer: { allow: ['agent:*'] },
  },
  tenants: {
    default: {
      users: {
        ana: { roles: ['owner'], identities: { chat: 'ana-1', mail: 'ana@x', email: 'ana@x.example' } },
        bob: { roles: ['lead'], identities: { chat: 'bob-1', mail: 'bob@x' } },
        cem: { roles: ['coder'], identities: { chat: 'cem-1' } },
        eve: { roles: ['viewer'], identities: { chat: 'eve-1' } },
      },
    },
    other: { users: { zoe: { roles: ['owner'], identities: { chat: 'zoe-1' } } } },
  },
};

export type ApprovalsFixture = Awaited<ReturnType<typeof openFixture>>;

/** A gate that asks people, over a real SQLite store and a real trail; identity facts are given. */
export async function openFixture(options: ApprovalsFixtureOptions = {}) {
  const dir = options.home === undefined ? await tempDir() : undefined;
  const home = options.home ?? dir?.path ?? '';
  const clock = options.clock ?? new FakeClock(1_750_000_000_000);
  const { url } = options;
  const store: Store = await openStore(
    url === undefined ? { sqliteFile: join(home, 'sallyport.db') } : { url },
  );
  const redactor = new Redactor();
  const trail = await openTrail({
    store,
    signingKeyFile: join(home, 'audit.key'),
    level: 'metadata',
    redactor,
    clock,
    sinks: [],
    systemTenant: 'system',
  });
  const usedTrail = options.trail?.(trail) ?? trail;
  let policies = new PolicySet(load({ ...CONFIG, ...options.config }), OPTIONS);
  const sessionEnds = new Map<string, Set<(reason: string) => void>>();
  const errors: unknown[] = [];
  const allowAlways = (tenant: string): boolean => policies.policyOf(tenant)?.grants.allowAlways ?? false;
  const grants = new Grants({
    repository: new GrantsRepository(store),
    trail: usedTrail,
    clock,
    allowAlways,
  });
  const onProblem = (error: unknown): void => void errors.push(error);
  const coordination = await openCoordination({ store, url, clock, onProblem });
  const open: OpenApprovals = await openApprovals({
    store,
    coordination,
    trail: usedTrail,
    clock,
    owner: options.owner ?? 'gateway-1',
    settingsOf(tenant) {
      const { config } = policies.loaded;
      return config.tenants[tenant]?.approvals ?? config.approvals;
    },
    redactor,
    standing: createStandingAnswers({ grants, allowAlways }),
    channels: options.channels ?? [],
    tenantOf: (tenant) => policies.tenantOf(tenant),
    identitiesOf(tenant) {
      const users = policies.loaded.config.tenants[tenant]?.users ?? {};
      return Object.fromEntries(Object.entries(users).map(([user, { identities }]) => [user, identities]));
    },
    reachOf: options.reachOf ?? (() => []),
    sessions: {
      onEnded(id, listener) {
        const listeners = sessionEnds.get(id) ?? new Set();
        sessionEnds.set(id, listeners.add(listener));
        return () => listeners.delete(listener);
      },
    },
    onError: (error) => errors.push(error),
    delay: options.delay ?? (async () => {}),
    gatherMs: options.gatherMs ?? 0,
    ...(options.sweepMs === undefined ? {} : { sweepMs: options.sweepMs }),
  });
  const parts: GateParts = {
    policyOf: (tenant) => policies.policyOf(tenant),
    identityOf: (action) =>
      action.door === 'api'
        ? { kind: 'client', active: true }
        : {
            kind: 'session',
            alive: true,
            expiresAt: clock.now() + 600_000_000,
            rights: { permitted: true },
          },
    isToolKnown: () => true,
    counters: new RateCounters(
      coordination,
      url === undefined ? coordination : new MemoryCoordination(clock),
    ),
    machine: () => MACHINE,
    grants,
    trail: usedTrail,
    clock,
    approvals: open.approvals,
    ...options.parts,
  };
  const close = async (): Promise<void> => {
    await open.close();
    await coordination.close();
    await trail.close();
    await store.close();
  };
  return {
    home,
    clock,
    store,
    coordination,
    trail,
    redactor,
    grants,
    open,
    errors,
    keys: new ApiKeys(store, trail, clock),
    gate: new Gate(parts),
    gateWith: (over: Partial<GateParts>) => new Gate({ ...parts, ...over }),
    setPolicy(config: object) {
      policies = new PolicySet(load({ ...CONFIG, ...config }), OPTIONS);
    },
    endSession(id: string) {
      for (const tell of sessionEnds.get(id) ?? []) tell('ended');
    },
    /** every event about an action, oldest first */
    eventsOf: async (action: Pick<Action, 'id'>) =>
      (await trail.read({ actionId: action.id, limit: 100, order: 'asc' })).items.map(({ type }) => type),
    /** the questions that are pending, newest first */
    pending: async () => (await open.approvals.list({ status: 'pending' })).items,
    /** the one pending question, once it is there */
    question: () =>
      waitUntil('a question', async () => (await open.approvals.list({ status: 'pending' })).items[0]),
    close,
    async [Symbol.asyncDispose]() {
      await close();
      await dir?.remove();
    },
  };
}
