import { SallyportError } from '@sallyport/protocol';
import ipaddr from 'ipaddr.js';
import type { Coordination, Soon } from '../coordination/index.ts';
import type { Clock } from '../shared/clock.ts';
import { type AttemptLimit, AttemptLimiter, attemptSpace } from './attempt-limiter.ts';
import { hashToken } from './tokens.ts';

export interface EnrollmentLimits {
  /** failed enrollments in a minute from one address */
  readonly perAddress: number;
  /** failed enrollments in a minute that name one tenant */
  readonly perTenant: number;
}

export const DEFAULT_ENROLLMENT_LIMITS: EnrollmentLimits = { perAddress: 30, perTenant: 120 };

const WINDOW_MS = 60_000;
const MAX_KEYS = 10_000;

/** One attempt to enroll, as the limits see it. */
export interface Attempt {
  readonly addressKey: string;
  readonly tenantKey: string;
}

/**
 * Limits failed enrollments for each address and each tenant.
 *
 * Two maps, so that inventing tenant names never pushes out the address that invents them.
 */
export class EnrollmentGate {
  readonly #addresses: AttemptLimiter;
  readonly #tenants: AttemptLimiter;

  constructor(limits: EnrollmentLimits, clock: Clock, coordination: Pick<Coordination, 'counters'>) {
    const limiter = (name: string, failures: number): AttemptLimiter => {
      const limit: AttemptLimit = { failures, windowMs: WINDOW_MS, maxKeys: MAX_KEYS };
      return new AttemptLimiter(limit, clock, coordination.counters(attemptSpace(name, limit)));
    };
    this.#addresses = limiter('identity.enroll-address', limits.perAddress);
    this.#tenants = limiter('identity.enroll-tenant', limits.perTenant);
  }

  attempt(remoteAddress: string, tenant: string): Attempt {
    // A tenant's name comes from outside and may be long: its hash has one size.
    return { addressKey: networkOf(remoteAddress), tenantKey: hashToken(tenant) };
  }

  isExhausted({ addressKey, tenantKey }: Attempt): Soon<boolean> {
    return either(this.#addresses.isExhausted(addressKey), this.#tenants.isExhausted(tenantKey));
  }

  /** Counts a failure. True when there was none left to have: others were faster. */
  fail({ addressKey, tenantKey }: Attempt): Soon<boolean> {
    return either(not(this.#addresses.fail(addressKey)), not(this.#tenants.fail(tenantKey)));
  }

  /** True when this refusal is the first of its window and belongs in the trail. */
  announce({ addressKey, tenantKey }: Attempt): Soon<boolean> {
    return either(this.#addresses.announce(addressKey), this.#tenants.announce(tenantKey));
  }

  refusal(): SallyportError {
    return new SallyportError('TooManyRequests', {
      message: 'too many failed enrollments',
      hint: 'wait a minute, then try again with the right secret',
    });
  }
}

/** Nothing is waited for where nothing must be: between a check and a count nobody comes in. */
function either(one: Soon<boolean>, other: Soon<boolean>): Soon<boolean> {
  if (typeof one === 'boolean' && typeof other === 'boolean') return one || other;
  return Promise.all([one, other]).then((all) => all.includes(true));
}

function not(one: Soon<boolean>): Soon<boolean> {
  return typeof one === 'boolean' ? !one : one.then((known) => !known);
}

// Whoever has one IPv6 address usually has the 2^64 beside it.
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, 64);
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
