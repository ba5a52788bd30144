import type { EventActor } from '@sallyport/protocol';
import { FakeClock } from '@sallyport/testkit';
import { MemoryCoordination } from '../../src/coordination/index.ts';
import {
  ApiKeys,
  EnrollmentSecrets,
  type OpenSession,
  type Sessions,
  type SessionsOptions,
  startSessions,
  type TenantPolicy,
} from '../../src/identity/index.ts';
import type { Store } from '../../src/store/index.ts';
import { RecordingTrail } from './recording-trail.ts';

export const OPERATOR: EventActor = { kind: 'operator', via: 'test' };

const policy = (over: Partial<TenantPolicy> = {}): TenantPolicy => ({
  roles: {
    owner: { allow: ['agent:*', 'tool:*', 'approve:*'] },
    viewer: { allow: ['agent:helper'] },
  },
  users: { ana: { roles: ['owner'] }, vic: { roles: ['viewer'] } },
  default_user: 'ana',
  default_agent: 'main',
  agents: new Set(['main', 'helper', 'engineer']),
  ...over,
});

/** Two tenants, a clock that tests move, a trail that tests break. */
export class IdentityFixture {
  readonly clock = new FakeClock();
  readonly trail = new RecordingTrail();
  readonly tenants = new Map<string, TenantPolicy>([
    ['red', policy()],
    ['blue', policy()],
    ['bare', policy({ default_user: undefined, default_agent: undefined })],
  ]);
  readonly store: Store;
  readonly secrets: EnrollmentSecrets;
  readonly keys: ApiKeys;
  readonly #started: Sessions[] = [];

  constructor(store: Store) {
    this.store = store;
    this.secrets = new EnrollmentSecrets(store, this.trail, this.clock);
    this.keys = new ApiKeys(store, this.trail, this.clock);
  }

  /** One gateway's view; call it twice for two gateways, or for one that was restarted. */
  async gateway(over: Partial<SessionsOptions> = {}): Promise<Sessions> {
    const sessions = await startSessions({
      store: this.store,
      coordination: new MemoryCoordination(this.clock),
      audit: this.trail,
      clock: this.clock,
      tenantOf: (name) => this.tenants.get(name),
      systemTenant: 'system',
      ...over,
    });
    this.#started.push(sessions);
    return sessions;
  }

  async reset(): Promise<void> {
    for (const sessions of this.#started) await sessions.close();
    for (const table of ['sessions', 'api_keys', 'enrollment_secrets'] as const) {
      await this.store.db.deleteFrom(table).execute();
    }
  }

  change(tenant: string, over: Partial<TenantPolicy>): void {
    this.tenants.set(tenant, policy(over));
  }
}

export const request = (over: Partial<OpenSession> = {}): OpenSession => ({
  tenant: 'red',
  user: 'ana',
  agent: 'helper',
  confinement: 'jailed',
  by: OPERATOR,
  ...over,
});

/** The outcome of a promise as plain data: what a peer could tell apart. */
export async function outcome(attempt: Promise<unknown>): Promise<unknown> {
  try {
    await attempt;
    return 'ok';
  } catch (error) {
    const { code, message, hint, details } = error as Record<string, unknown>;
    return { code, message, hint, details };
  }
}
