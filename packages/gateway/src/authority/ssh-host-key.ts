import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { SallyportError } from '@sallyport/protocol';
import { readSecretFile, writeSecretFile } from '../config/index.ts';
import { Secret } from '../shared/secret.ts';

/** The key by which clients know the SSH door. */
export interface SshHostKey {
  /** PKCS #8 in PEM */
  readonly privateKey: string;
  /** `ssh-ed25519 AAAA…`, as `known_hosts` has it behind the name */
  readonly publicLine: string;
}

/**
 * The key in this file, mode 0600; a new one when there is none yet. Ed25519 alone: with an RSA key `ssh2` would also offer
 * signatures by SHA-1.
 *
 * Throws `SecretExposed` when others may read it, `AuthorityUnusable` when it holds something else.
 */
export function openSshHostKey(file: string): SshHostKey {
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    writeSecretFile(file, new Secret(pem.trimEnd()));
  }
  const pem = readSecretFile(file).reveal();
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('of another type');
    const { x = '', d = '' } = key.export({ format: 'jwk' });
    const { x: point = '' } = createPublicKey(key).export({ format: 'jwk' });
    if (x !== point || d === '') throw new Error('not a pair');
    const publicKey = Buffer.from(x, 'base64url');
    return {
      privateKey: openSshPem(publicKey, Buffer.from(d, 'base64url')),
      publicLine: publicLine(publicKey),
    };
  } catch {
    // No cause: an error of the key's parser is nothing for a log.
    throw new SallyportError('AuthorityUnusable', {
      message: `\`${file}\` is no Ed25519 key`,
      hint: 'move it away; the next start makes a new one, which every client has to learn',
    });
  }
}

function publicLine(publicKey: Buffer): string {
  return `ssh-ed25519 ${publicBlob(publicKey).toString('base64')}`;
}

function publicBlob(publicKey: Buffer): Buffer {
  return Buffer.concat([field('ssh-ed25519'), field(publicKey)]);
}

/** The form that OpenSSH writes, which is the one that `ssh2` reads Ed25519 keys from. */
function openSshPem(publicKey: Buffer, seed: Buffer): string {
  const check = Buffer.alloc(8);
  const secret = Buffer.concat([
    ...[check, field('ssh-ed25519'), field(publicKey), field(Buffer.concat([seed, publicKey])), field('')],
  ]);
  const padding = Buffer.from(Array.from({ length: (8 - (secret.length % 8)) % 8 }, (_, at) => at + 1));
  const whole = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...[field('none'), field('none'), field(''), number(1), field(publicBlob(publicKey))],
    field(Buffer.concat([secret, padding])),
  ]);
  const lines = whole.toString('base64').match(/.{1,70}/g) ?? [];
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function field(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([number(bytes.length), bytes]);
}
