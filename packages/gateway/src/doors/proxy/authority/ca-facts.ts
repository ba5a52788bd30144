import { X509Certificate } from 'node:crypto';
import type { CertificateAuthority } from '@sallyport/protocol';

/** From this long before its end people are told that the authority runs out. */
const WARN_BEFORE_MS = 30 * 24 * 3_600_000;

/** What everyone may know about an authority. */
export function caFacts(certificatePem: string, now: number): CertificateAuthority {
  const certificate = new X509Certificate(certificatePem);
  const end = certificate.validToDate.getTime();
  return {
    subject: certificate.subject.replaceAll('\n', ', '),
    fingerprint_sha256: certificate.fingerprint256,
    not_before: certificate.validFromDate.toISOString(),
    not_after: certificate.validToDate.toISOString(),
    state: now >= end ? 'expired' : now >= end - WARN_BEFORE_MS ? 'expiring' : 'valid',
    certificate: certificatePem,
  };
}
