import { readFileSync } from 'node:fs';

/** Where systems keep their roots in one file. */
const SYSTEM_BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** The system's roots and the proxy's authority, for programs that take one file and nothing else. */
export async function caBundle(ownPem: string): Promise<string> {
  for (const path of SYSTEM_BUNDLES) {
    try {
      return `${readFileSync(path, 'utf8').trimEnd()}\n${ownPem}`;
    } catch {
      // not on this system
    }
  }
  const { rootCertificates } = await import('node:tls');
  return `${rootCertificates.join('\n')}\n${ownPem}`;
}
