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
export { openCoordination } from './open-coordination.ts';
