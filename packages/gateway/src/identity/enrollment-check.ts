import type { EnrollmentSecretHash } from '../store/index.ts';
import { hashToken, sameHash } from './tokens.ts';

export interface EnrollmentClaim {
  readonly tenant: string;
  readonly agent: string | undefined;
  readonly secret: string;
}

/**
 * The stored secret that proves the claim: of this tenant, and for this agent or for any.
 *
 * SECURITY: every live secret of the store is compared with the presented one, in constant time and without
 * stopping at a match: a wrong secret, an unknown tenant and the secret of another agent cost the same as
 * the right one.
 */
export function checkEnrollment(
  claim: EnrollmentClaim,
  live: readonly EnrollmentSecretHash[],
  same: (a: string, b: string) => boolean = sameHash,
): EnrollmentSecretHash | undefined {
  const presented = hashToken(claim.secret);
  let found: EnrollmentSecretHash | undefined;
  for (const candidate of live) {
    const right = same(presented, candidate.hash);
    const mine = candidate.tenant === claim.tenant;
    const covers = candidate.agent === undefined || candidate.agent === claim.agent;
    if (right && mine && covers) found = candidate;
  }
  return found;
}
