import type { CertificateAuthority } from '@sallyport/protocol';
import type { HomePaths } from '../../../config/index.ts';
import { takeHomeLock } from '../../../config/index.ts';
import { systemClock } from '../../../shared/clock.ts';
import { caFacts } from './ca-facts.ts';
import { replaceCaFiles } from './ca-files.ts';

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
