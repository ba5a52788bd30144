import type { Clock } from '../shared/clock.ts';
import type { Store } from '../store/index.ts';
import type { Coordination } from './coordination.ts';
import { MemoryCoordination } from './memory/memory-coordination.ts';

export type {
  CodeSpace,
  Codes,
  Coordination,
  CounterSpace,
  Counters,
  Lease,
  Leases,
  OneTime,
  OneTimeSpace,
  SlidingCounters,
  SlidingLimit,
  SlidingSpace,
  Soon,
  WakeUps,
  Woken,
} from './coordination.ts';
export { type Held, LeasedJob, type LeasedJobParts } from './leased-job.ts';
export { MemoryCoordination } from './memory/memory-coordination.ts';

export interface CoordinationParts {
  readonly store: Store;
  /** of the store; absent for SQLite, where one gateway is alone with its file */
  readonly url: string | undefined;
  readonly clock: Clock;
  /** told what goes wrong in the background: a connection that broke, a listener that threw */
  readonly onProblem: (error: unknown) => void;
}

/** What belongs to the store: memory beside SQLite, the database itself for Postgres. */
export async function openCoordination(parts: CoordinationParts): Promise<Coordination> {
  const { store, url, clock, onProblem } = parts;
  if (url === undefined) return new MemoryCoordination(clock, onProblem);
  // Most gateways never need it.
  const { PostgresCoordination } = await import('./postgres/postgres-coordination.ts');
  const opened = new PostgresCoordination({ store, url, onProblem });
  await opened.wakeUps.ready();
  return opened;
}
