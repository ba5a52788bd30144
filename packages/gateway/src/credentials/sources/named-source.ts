import type { Secret } from '../../shared/secret.ts';
import type { SecretSource } from './secret-source.ts';

/** Finds a secret by its name, wherever the gateway keeps named secrets. Rejects when there is none. */
export type NamedSecretResolver = (name: string, signal: AbortSignal) => Promise<Secret>;

/** `secret:name`: the value of a credential. `revisionOf` tells when it has another. */
export function createNamedSource(
  resolve: NamedSecretResolver,
  revisionOf?: (name: string) => string,
): SecretSource {
  return {
    scheme: 'secret',
    read: (name, signal) => resolve(name, signal),
    ...(revisionOf === undefined ? {} : { revision: revisionOf }),
  };
}
