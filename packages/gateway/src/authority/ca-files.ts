import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { type CertificateAuthority, SallyportError } from '@sallyport/protocol';
import { type HomePaths, readSecretFile, takeHomeLock, writeSecretFile } from '../config/index.ts';
import { systemClock } from '../shared/clock.ts';
import { Secret } from '../shared/secret.ts';
import { makeRoot, type NewRoot } from './certificates.ts';

/** Where the authority is kept. */
export interface CaFiles {
  /** `ca.key`, mode 0600 */
  readonly keyFile: string;
  /** `ca.pem`, for everyone to read */
  readonly certificateFile: string;
}

/**
 * The authority in these files; a new one when there is none yet.
 *
 * Throws `SecretExposed` when others may read the key, `AuthorityUnusable` when the files do not belong
 * together or hold something else. An authority that has expired is given as it is.
 */
export async function openCaFiles(files: CaFiles, now: number): Promise<NewRoot> {
  // A key without a certificate is a first start that was cut off: nobody can have trusted it.
  if (!existsSync(files.certificateFile)) return replaceCaFiles(files, now);
  return readCaFiles(files);
}

/** Told about a new authority before it takes the place of the old one; when it rejects, nothing is replaced. */
export type RecordRotation = (made: CertificateAuthority) => Promise<void>;

/** Makes a new authority in place of whatever is there. */
export async function replaceCaFiles(files: CaFiles, now: number, record?: RecordRotation): Promise<NewRoot> {
  const root = await makeRoot(now);
  await record?.(caFacts(root.certificate, now));
  writeSecretFile(files.keyFile, new Secret(root.key.trimEnd()));
  writePublicFile(files.certificateFile, root.certificate);
  return root;
}

function readCaFiles(files: CaFiles): NewRoot {
  const key = readSecretFile(files.keyFile).reveal();
  try {
    const certificate = readFileSync(files.certificateFile, 'utf8');
    const parsed = new X509Certificate(certificate);
    if (!parsed.ca || !parsed.checkPrivateKey(createPrivateKey(key))) throw new Error('not a pair');
    return { key, certificate: parsed.toString() };
  } catch {
    // No cause: an error of the key's parser is nothing for a log.
    throw new SallyportError('AuthorityUnusable', {
      message: `\`${files.certificateFile}\` and \`${files.keyFile}\` are no certificate authority and its key`,
      hint: 'make a new one with `sallyport ca rotate`, and install it where the old one was trusted',
    });
  }
}

/** Replaces a file that everyone may read, as a whole or not at all. */
function writePublicFile(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const fd = openSync(temporary, 'wx', 0o644);
  try {
    fchmodSync(fd, 0o644);
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(temporary, path);
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
