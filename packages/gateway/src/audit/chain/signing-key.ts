import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { SallyportError } from '@sallyport/protocol/error';
import { sha256Hex } from '../../shared/canonical-json.ts';

/** The gateway's Ed25519 key for checkpoints. */
export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/**
 * Reads the key, or makes one (PKCS8 PEM, mode 0600) when there is no such file.
 *
 * Refuses a key that others can read (`SecretExposed`) and one that is not Ed25519 (`SecretUnreadable`).
 */
export function loadSigningKey(file: string): SigningKey {
  let pem: string;
  try {
    pem = readKey(file);
  } catch (error) {
    if (!isMissing(error)) throw error;
    pem = createKey(file);
  }
  return parseKey(pem, file);
}

/** First 16 hex digits of the SHA-256 of the key's SPKI. */
export function keyIdOf(publicKey: KeyObject): string {
  return sha256Hex(publicKey.export({ type: 'spki', format: 'der' })).slice(0, 16);
}

function readKey(file: string): string {
  const mode = statSync(file).mode & 0o077;
  if (mode !== 0) {
    throw new SallyportError('SecretExposed', {
      message: `the audit key \`${file}\` can be read by others`,
      hint: `chmod 600 ${file}; if someone may have copied it, replace it`,
    });
  }
  return readFileSync(file, 'utf8');
}

function createKey(file: string): string {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  // `wx`: two processes that start at once must not sign with two keys under one name.
  const fd = openSync(file, 'wx', 0o600);
  try {
    writeSync(fd, pem);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return pem;
}

function parseKey(pem: string, file: string): SigningKey {
  let privateKey: KeyObject | undefined;
  try {
    privateKey = createPrivateKey(pem);
  } catch {
    privateKey = undefined;
  }
  if (privateKey?.asymmetricKeyType !== 'ed25519') {
    throw new SallyportError('SecretUnreadable', {
      message: `the audit key \`${file}\` is not an Ed25519 key in PKCS8 PEM`,
      hint: 'restore it from a backup; without it old checkpoints can still be checked with the public key',
    });
  }
  const publicKey = createPublicKey(privateKey);
  return { keyId: keyIdOf(publicKey), privateKey, publicKey };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
