import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { SallyportError } from '@sallyport/protocol';

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * The certificates of one of `ca_files`, PEM; a relative path starts in `folder`.
 *
 * Throws `ConfigInvalid` when the file cannot be read or holds no certificate: a trust that was configured
 * and does not work is said aloud.
 */
export function readCaFile(file: string, folder: string): readonly string[] {
  const path = isAbsolute(file) ? file : join(folder, file);
  try {
    const found = readFileSync(path, 'utf8').match(PEM) ?? [];
    if (found.length === 0) throw new Error('no certificate');
    for (const pem of found) new X509Certificate(pem);
    return found;
  } catch (cause) {
    throw new SallyportError('ConfigInvalid', {
      message: `the file \`${path}\` of \`network.ca_files\` holds no certificates that can be read`,
      hint: 'it must be a PEM file with one or more certificates',
      cause,
    });
  }
}

/** Trust in the system's roots and in these. Takes some milliseconds: made once for each set. */
export function trustIn(extra: readonly string[]): SecureContext {
  return createSecureContext({ ca: [...systemRoots(), ...extra], minVersion: 'TLSv1.2' });
}

/** What the machine trusts; a machine without a store of its own gets the roots that come with Node. */
export function systemRoots(): readonly string[] {
  const system = getCACertificates('system');
  return system.length > 0 ? system : getCACertificates('bundled');
}
