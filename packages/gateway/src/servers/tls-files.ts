import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { SallyportError } from '@sallyport/protocol';
import { type Config, readSecretFile } from '../config/index.ts';
import type { TlsMaterial } from './http-server.ts';

/**
 * The certificate and key that `api.tls` names; undefined when it names none.
 *
 * Throws `SecretExposed` for a key that others can read, and `ConfigInvalid` for files that do not fit.
 */
export function readTlsFiles(api: Config['api'], home: string): TlsMaterial | undefined {
  if (api.tls === undefined) return undefined;
  const certFile = inHome(api.tls.cert, home);
  const key = readSecretFile(inHome(api.tls.key, home)).reveal();
  try {
    const material = { cert: readFileSync(certFile, 'utf8'), key };
    createSecureContext(material);
    return material;
  } catch (cause) {
    throw new SallyportError('ConfigInvalid', {
      message: `the certificate \`${certFile}\` and its key cannot be used`,
      hint: 'both must be PEM files, and the key must belong to the certificate',
      cause,
    });
  }
}

/** Refuses to listen in the clear where others can connect. The config refuses it too; this is the last gate. */
export function refuseOpenListener(api: Config['api']): void {
  const isLoopback = api.host === '127.0.0.1' || api.host === '::1' || api.host === 'localhost';
  // SECURITY: tokens would cross the network readable.
  if (isLoopback || api.tls !== undefined || api.insecure) return;
  throw new SallyportError('ConfigInvalid', {
    message: `\`api.host\` is \`${api.host}\`, which others can reach, without TLS`,
    hint: 'set `api.tls`, or `api.insecure: true` if something else protects the way',
  });
}

function inHome(path: string, home: string): string {
  return isAbsolute(path) ? path : join(home, path);
}
