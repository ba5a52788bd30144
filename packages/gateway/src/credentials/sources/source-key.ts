import { SallyportError } from '@sallyport/protocol';

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
