import { createSecretKey, hash, hkdfSync, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { Secret } from '../shared/secret.ts';

/** What a secret is for shows in its first four characters, so that scanners find it and nobody mixes them up. */
export const TOKEN_PREFIXES = {
  session: 'spt_',
  apiKey: 'spk_',
  enrollment: 'spe_',
  operator: 'spo_',
  /** OAuth: what a browser carries from us to a program, once */
  code: 'spc_',
  /** OAuth: what a program gets its next session token with, once */
  refresh: 'spr_',
} as const;
export type TokenKind = keyof typeof TOKEN_PREFIXES;

const BYTES = 32;
const BODY = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits behind the prefix of its kind. */
export function newToken(kind: TokenKind): Secret {
  return new Secret(TOKEN_PREFIXES[kind] + randomBytes(BYTES).toString('base64url'));
}

/** Whether it has the form of such a token: what has not is refused without a look into the store. */
export function matchesToken(kind: TokenKind, token: string | Secret): boolean {
  const text = textOf(token);
  const prefix = TOKEN_PREFIXES[kind];
  return text.startsWith(prefix) && BODY.test(text.slice(prefix.length));
}

/** What the store keeps instead of a token. 256 random bits need no slow hash: there is nothing to guess. */
export function hashToken(token: string | Secret): string {
  return hash('sha256', textOf(token), 'hex');
}

/** What stands for the token of a session; undefined for what has not the form of one. */
export function sessionTokenHash(token: string): string | undefined {
  return matchesToken('session', token) ? hashToken(token) : undefined;
}

/** A key for one purpose, the same after a restart, made from a secret of this home. */
export function deriveKey(secret: Secret, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', textOf(secret), '', purpose, 32)));
}

/** Public name of whoever holds an API key. */
export function clientIdOf(apiKey: string | Secret): string {
  return hashToken(apiKey).slice(0, 12);
}

/**
 * Whether two hashes are the same, in a time that does not depend on where they differ.
 *
 * Both must be hashes: equal in length whatever was presented.
 */
export function sameHash(a: string, b: string): boolean {
  const left = Buffer.from(a, 'latin1');
  const right = Buffer.from(b, 'latin1');
  return left.length === right.length && timingSafeEqual(left, right);
}

// The one place of identity where a secret is opened: to look at its form, or to hash it.
function textOf(token: string | Secret): string {
  return typeof token === 'string' ? token : token.reveal();
}

/** The operator's token as the gateway keeps it in memory: its hash. */
export class OperatorToken {
  readonly #hash: string;

  /** `value` is the token itself: whoever read the file has cut off the line end. */
  constructor(value: Secret) {
    this.#hash = hashToken(value);
  }

  // SECURITY: hashes are compared, so neither length nor content of the token shows in the time.
  matches(presented: string): boolean {
    return sameHash(hashToken(presented), this.#hash);
  }
}
