import { SallyportError } from '@sallyport/protocol';
import type { Secret } from '../../shared/secret.ts';
import type { SecretSource } from './secret-source.ts';

const LONGEST_READ_MS = 10_000;
const REFERENCE = /^([a-z][a-z0-9-]{0,31}):(.{1,1024})$/;

/**
 * Reads the secret that a reference like `env:NAME` or `file:path` names, within 10 s.
 *
 * Rejects with `SecretUnreadable` or `SecretExposed`.
 *
 * SECURITY: a text that is no reference is often a pasted secret, and a foreign error may quote what it
 * read: neither is repeated in the error, not even as its cause.
 */
export async function resolveSecretReference(
  reference: string,
  sources: readonly SecretSource[],
  signal: AbortSignal,
  longestMs: number = LONGEST_READ_MS,
): Promise<Secret> {
  const [, scheme, key] = REFERENCE.exec(reference) ?? [];
  const source = sources.find((candidate) => candidate.scheme === scheme);
  if (source === undefined || key === undefined) {
    throw new SallyportError('SecretUnreadable', {
      message: 'this names no place that a secret can be read from',
      hint: `use one of ${sources.map((known) => `\`${known.scheme}:…\``).join(', ')}`,
    });
  }
  const limit = AbortSignal.timeout(longestMs);
  const either = AbortSignal.any([signal, limit]);
  try {
    either.throwIfAborted();
    return await Promise.race([source.read(key, either), rejectOnAbort(either)]);
  } catch (error) {
    if (error instanceof SallyportError) throw error;
    const why = limit.aborted ? 'did not answer in time' : signal.aborted ? 'was interrupted' : 'failed';
    throw new SallyportError('SecretUnreadable', { message: `reading \`${reference}\` ${why}` });
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  });
}
