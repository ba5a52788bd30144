import type { CertificateAuthority, EventActor } from '@sallyport/protocol';
import type { AuditTrail } from '../audit/index.ts';
import type { HomePaths } from '../config/index.ts';
import { type Authority, caFacts, replaceCaFiles } from '../doors/proxy/authority/index.ts';
import type { CaControl } from '../doors/proxy/index.ts';
import { systemClock } from '../shared/clock.ts';
import { takeHomeLock } from './home-lock.ts';
import { SYSTEM_TENANT } from './seed-identity.ts';

/** The authority as the operator's routes see it: a rotation is in the trail before it happens. */
export function caControl(authority: Authority, trail: Pick<AuditTrail, 'append'>): CaControl {
  return {
    facts: () => authority.facts(),
    rotate: (by: EventActor) =>
      authority.rotate(async (made) => {
        await trail.append({
          tenant: SYSTEM_TENANT,
          type: 'IdentityEvent::AuthorityRotated',
          actor: by,
          data: {
            fingerprint_sha256: made.fingerprint_sha256,
            not_after: made.not_after,
            replaced: authority.facts().fingerprint_sha256,
          },
        });
      }),
  };
}

/** A new authority in a home that no gateway uses now. Throws `HomeInUse` when one does. */
export async function rotateCaFiles(paths: HomePaths): Promise<CertificateAuthority> {
  const now = systemClock.now();
  const lock = takeHomeLock(paths.home);
  try {
    const files = { keyFile: paths.caKey, certificateFile: paths.caCertificate };
    const { certificate } = await replaceCaFiles(files, now);
    return caFacts(certificate, now);
  } finally {
    lock.release();
  }
}
