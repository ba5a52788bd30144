import type { Secret } from '../../shared/secret.ts';

/**
 * A place that secrets are read from, named by the scheme of a reference: `env:NAME`, `file:path`.
 *
 * Contract:
 * - `read` rejects with `SecretUnreadable` or `SecretExposed` when there is no secret to give; never resolves
 *   to an empty one.
 * - `read` rejects promptly once `signal` aborts.
 * - No error holds the value or a part of it.
 */
export interface SecretSource {
  /** lower case, without the colon */
  readonly scheme: string;
  read(key: string, signal: AbortSignal): Promise<Secret>;
}
