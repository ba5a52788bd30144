import { join } from 'node:path';
import type { Action } from '@sallyport/protocol';
import { FakeClock, tempDir } from '@sallyport/testkit';
import { openTrail, Redactor, type Trail } from '../../src/audit/index.ts';
import { MemoryCoordination } from '../../src/coordination/index.ts';
import { load, MACHINE, OPTIONS } from '../../src/gate/gate.fixture.ts';
import {
  Gate,
  type GateParts,
  Grants,
  type NewGrant,
  PolicySet,
  RateCounters,
} from '../../src/gate/index.ts';
import { GrantsRepository, openStore, type Store } from '../../src/store/index.ts';

export interface GateFixture {
  readonly gate: Gate;
  readonly grants: Grants;
  readonly clock: FakeClock;
  readonly store: Store;
  readonly trail: Trail;
  readonly policyOf: GateParts['policyOf'];
  /** what every later decision sees instead */
  readonly break: (parts: Partial<GateParts>) => Gate;
  grant(wanted: Partial<NewGrant>): ReturnType<Grants['create']>;
  eventsOf(action: Action): Promise<readonly { readonly type: string; readonly json: string }[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

export const PERSON = { kind: 'person', user: 'ana', via: 'terminal' } as const;

/** A gate over a real SQLite store and a real trail; only the identity of the actor is given. */
export async function openGate(config: object): Promise<GateFixture> {
  const dir = await tempDir();
  const clock = new FakeClock(1_750_000_000_000);
  const store = await openStore({ sqliteFile: join(dir.path, 'sallyport.db') });
  const trail = await openTrail({
    store,
    signingKeyFile: join(dir.path, 'audit.key'),
    level: 'metadata',
    redactor: new Redactor(),
    clock,
    sinks: [],
    systemTenant: 'system',
  });
  const given = config as { agents?: object; tenants?: object };
  const policies = new PolicySet(
    load({
      ...config,
      agents: { dev: {}, ...given.agents },
      tenants: { default: {}, other: {}, ...given.tenants },
    }),
    OPTIONS,
  );
  const grants = new Grants({
    repository: new GrantsRepository(store),
    trail,
    clock,
    allowAlways: (tenant) => policies.policyOf(tenant)?.grants.allowAlways ?? false,
  });
  const parts: GateParts = {
    policyOf: (tenant) => policies.policyOf(tenant),
    identityOf: () => ({
      kind: 'session',
      alive: true,
      expiresAt: clock.now() + 60_000,
      rights: { permitted: true },
    }),
    isToolKnown: () => true,
    counters: new RateCounters(new MemoryCoordination(clock)),
    machine: () => MACHINE,
    grants,
    trail,
    clock,
  };
  return {
    gate: new Gate(parts),
    grants,
    clock,
    store,
    trail,
    policyOf: parts.policyOf,
    break: (over) => new Gate({ ...parts, ...over }),
    grant: (wanted) =>
      grants.create(
        {
          tenant: 'default',
          agent: 'dev',
          covers: { kind: 'fingerprint', fingerprint: 'f' },
          scope: 'once',
          createdBy: 'ana',
          ...wanted,
        },
        PERSON,
      ),
    eventsOf: async (action) => (await trail.read({ actionId: action.id, limit: 100 })).items,
    [Symbol.asyncDispose]: async () => {
      await trail.close();
      await store.close();
      await dir.remove();
    },
  };
}
