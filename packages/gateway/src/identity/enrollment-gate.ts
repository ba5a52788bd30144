import { SallyportError } from '@sallyport/protocol';
import ipaddr from 'ipaddr.js';
import type { Clock } from '../shared/clock.ts';
import { AttemptLimiter } from './attempt-limiter.ts';
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

  constructor(limits: EnrollmentLimits, clock: Clock) {
    const common = { windowMs: WINDOW_MS, maxKeys: MAX_KEYS };
    this.#addresses = new AttemptLimiter({ ...common, failures: limits.perAddress }, clock);
    this.#tenants = new AttemptLimiter({ ...common, failures: limits.perTenant }, clock);
  }

  attempt(remoteAddress: string, tenant: string): Attempt {
    // A tenant's name comes from outside and may be long: its hash has one size.
    return { addressKey: networkOf(remoteAddress), tenantKey: hashToken(tenant) };
  }

  isExhausted({ addressKey, tenantKey }: Attempt): boolean {
    return this.#addresses.isExhausted(addressKey) || this.#tenants.isExhausted(tenantKey);
  }

  fail({ addressKey, tenantKey }: Attempt): void {
    this.#addresses.fail(addressKey);
    this.#tenants.fail(tenantKey);
  }

  /** True when this refusal is the first of its window and belongs in the trail. */
  announce({ addressKey, tenantKey }: Attempt): boolean {
    const first = this.#addresses.announce(addressKey);
    return this.#tenants.announce(tenantKey) || first;
  }

  refusal(): SallyportError {
    return new SallyportError('TooManyRequests', {
      message: 'too many failed enrollments',
      hint: 'wait a minute, then try again with the right secret',
    });
  }
}

// Whoever has one IPv6 address usually has the 2^64 beside it.
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, 64);
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
