import { SallyportError } from '@sallyport/protocol';
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

const KEY = /^[A-Za-z0-9_./:@-]{1,512}$/;

/**
 * The key of a reference that goes into a command or a URL. Refuses with `SecretUnreadable`.
 *
 * SECURITY: nothing that climbs out of a folder (`..`), reads as an option (`-x`) or means anything to whoever
 * takes it apart later.
 */
export function checkKey(key: string): string {
  if (KEY.test(key) && !key.includes('..') && !key.startsWith('-')) return key;
  throw new SallyportError('SecretUnreadable', {
    message: 'the key of this reference has characters that are not taken',
    hint: 'a key has letters, digits and `_ . / : @ -`, does not begin with `-` and has no `..`',
  });
}
