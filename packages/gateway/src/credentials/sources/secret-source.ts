import type { Secret } from '../../shared/secret.ts';

/**
 * A place that secrets are read from, named by the scheme of a reference: `env:NAME`, `file:path`.
 *
 * Contract:
 * - `read` rejects with `SecretUnreadable` or `SecretExposed` when there is no secret to give; never resolves
 *   to an empty one.
 * - `read` and `write` reject promptly once `signal` aborts.
 * - No error holds the value or a part of it.
 */
export interface SecretSource {
  /** lower case, without the colon */
  readonly scheme: string;
  read(key: string, signal: AbortSignal): Promise<Secret>;
  /** Stores a changed value. Absent where there is no way to. */
  write?(key: string, value: Secret, signal: AbortSignal): Promise<void>;
  /** A text that changes when the value may have changed. Cheap, asked on every use. Absent where nobody can tell. */
  revision?(key: string): string;
}
