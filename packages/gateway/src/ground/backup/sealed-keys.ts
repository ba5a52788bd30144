import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { SallyportError } from '@sallyport/protocol';

/** 128 MiB and about a third of a second for each guess. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORM = Buffer.from('sallyport keys 1\n');
/** What people choose in a hurry falls to a list of words. */
const FEWEST_CHARACTERS = 8;

/** Files by name, so that only who knows the passphrase reads them, and nobody changes them unseen. */
export function sealKeys(files: ReadonlyMap<string, Buffer>, passphrase: string): Buffer {
  if ([...passphrase].length < FEWEST_CHARACTERS)
    throw new SallyportError('BadRequest', {
      message: `a passphrase of at least ${FEWEST_CHARACTERS} characters is needed`,
    });
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, salt), nonce).setAAD(FORM);
  const plain = JSON.stringify([...files].map(([name, bytes]) => [name, bytes.toString('base64')]));
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([FORM, salt, nonce, cipher.getAuthTag(), body]);
}

/** Throws `NotAuthenticated` for another passphrase, or bytes that were changed. */
export function openKeys(sealed: Buffer, passphrase: string): ReadonlyMap<string, Buffer> {
  let at = FORM.length;
  const take = (bytes: number): Buffer => {
    at += bytes;
    return sealed.subarray(at - bytes, at);
  };
  const [salt, nonce, tag] = [take(SALT_BYTES), take(NONCE_BYTES), take(TAG_BYTES)];
  let plain: string;
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(passphrase, salt), nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(FORM).setAuthTag(tag);
    plain = Buffer.concat([decipher.update(sealed.subarray(at)), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new SallyportError('NotAuthenticated', {
      message: 'this is not the passphrase of the keys in the backup',
      hint: 'try again, or leave the keys that are there as they are with `--without-keys`',
      cause,
    });
  }
  // `as`: the seal says that we wrote it.
  const files = JSON.parse(plain) as readonly (readonly [string, string])[];
  return new Map(files.map(([name, bytes]) => [name, Buffer.from(bytes, 'base64')]));
}

function keyOf(passphrase: string, salt: Buffer): Buffer {
  return scryptSync(passphrase.normalize('NFC'), salt, 32, SCRYPT);
}
